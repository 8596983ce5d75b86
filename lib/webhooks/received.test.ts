import { eq } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { getSession } from "@/lib/auth/session";
import type { Db } from "@/lib/db/connection";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { sessionOf } from "@/test/support/auth";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { deliveryOf, givenIntake } from "@/test/support/webhooks";
import { takeDelivery } from "./intake";
import { exportReceived, getDelivery, listReceived } from "./queries";

const CPF = "52998224725";

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  const staffId = await givenStaff(db, "support");
  vi.mocked(getSession).mockResolvedValue(sessionOf({ staffId, roles: ["support"] }));
});

const deliver = (id: string, payload: object, given: Parameters<typeof deliveryOf>[1] = {}) =>
  takeDelivery(givenIntake(db).deps, "aurora", deliveryOf(payload, { id, ...given }));

const listed = async (filter: Parameters<typeof listReceived>[0]) =>
  (await listReceived(filter)).rows.map(({ eventId }) => eventId);

it("lists deliveries by outcome and by what they are about", async () => {
  await deliver("evt-1", { onBoardingId: "a" });
  await deliver("evt-2", { walletId: "w-1" });
  await deliver("evt-3", { moon: "full" }, { event: "moon-phase" });
  await db.update(webhookEvent).set({ state: "GIVEN_UP" }).where(eq(webhookEvent.eventId, "evt-1"));
  expect(await listed({ outcome: "GIVEN_UP" })).toEqual(["evt-1"]);
  expect(await listed({ outcome: "KEPT" })).toEqual(["evt-3"]);
  expect(await listed({ about: "wallets" })).toEqual(["evt-2"]);
  expect(await listed({ about: "nothing" })).toEqual(["evt-3"]);
  expect(await listed({ about: "onboarding", outcome: "DONE" })).toEqual([]);
});

it("finds a text in what is shown of a delivery, never in what is hidden", async () => {
  await deliver("evt-1", { onBoardingId: "a", status: "Recusada por Divergência", name: "Joana Prado" });
  await deliver("evt-2", { onBoardingId: "b", note: `of ${CPF}` }, { headers: { "user-agent": "Relay/2.1" } });
  expect(await listed({ text: "divergência" })).toEqual(["evt-1"]);
  expect(await listed({ text: "relay/2" })).toEqual(["evt-2"]);
  for (const text of ["Joana", "prado", "529.9"]) expect(await listed({ text })).toEqual([]);
  expect((await listReceived({ text: "divergência", view: "waiting" })).counts).toMatchObject({ all: 1, waiting: 1 });
  const parts: string[] = [];
  for await (const part of (await exportReceived({ text: "divergência" })).parts) parts.push(part);
  expect(parts.join("").trim().split("\n")).toHaveLength(2);
});

it("shows a delivery with its headers and a copy without what is hidden", async () => {
  const payload = { onBoardingId: "a-1", account: { documentNumber: CPF, fullName: "Joana Prado", amount: 12.5 } };
  const headers = { authorization: "Bearer abcdefghijkl", "user-agent": "Relay/2.1" };
  await deliver("evt-1", payload, { headers });
  const [stored] = await db.select().from(webhookEvent);
  const delivery = await getDelivery(stored?.id ?? "");
  expect(delivery).toMatchObject({
    headers: { "user-agent": "Relay/2.1", "x-webhook-event-id": "evt-1" },
    fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    replays: [],
    denial: { code: "replay-waiting" },
  });
  expect(JSON.parse(delivery?.body ?? "")).toEqual({
    onBoardingId: "a-1",
    account: { documentNumber: "***.982.247-**", fullName: "•••", amount: 12.5 },
  });
  expect(JSON.stringify(delivery)).not.toMatch(new RegExp(`${CPF}|Joana|authorization|abcdefghijkl`));
  expect(await getDelivery("no id")).toBeNull();
});
