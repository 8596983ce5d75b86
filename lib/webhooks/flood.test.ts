import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { completeCpf } from "@/lib/contract/document";
import { AccountRequested } from "@/lib/contract/onboarding";
import { log } from "@/lib/log";
import { onboarding } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { givenEnv, givenService, givenStore } from "@/lib/testing";
import { sweepOnce } from "@/lib/watch";
import { personRequest } from "@/service/accounts/testing";
import type { Harness } from "@/service/testing";
import { takeDelivery } from "./intake";
import { webhookEvent } from "./schema";
import { deliveryOf, givenIntake, pass } from "./testing";
import { webhookWatch } from "./watch";

let db: Db;
let service: Harness;
let asked: string[] = [];

beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  givenEnv();
  db = await givenStore();
  asked = [];
  service = await givenService(({ url }) => {
    const id = new URL(url).searchParams.get("onBoardingId");
    if (id !== null) asked.push(id);
  });
  service.clock.set(Date.now());
});

const deliver = async (payload: object) =>
  expect(await takeDelivery(givenIntake(db).door, "aurora", deliveryOf(payload))).toBe(204);
const sweep = () => sweepOnce(webhookWatch, "aurora");
const states = async () =>
  (await db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq))).map(({ state }) => state);

async function requestAccount(): Promise<string> {
  const body = personRequest(completeCpf("310000101"));
  const answer = await service.send("POST", "/v1/bank-accounts/create", { body });
  return AccountRequested.parse(answer.body).data.body.onBoardingId;
}

describe("a flood of events", () => {
  it("about the same costs one look, and the next one only after a rest", async () => {
    const id = await requestAccount();
    for (let n = 0; n < 40; n += 1) await deliver({ onBoardingId: id, n });
    await sweep();
    await deliver({ onBoardingId: id, n: "late" });
    for (let n = 0; n < 5; n += 1) await sweep();
    expect(asked).toEqual([id]);
    expect((await states()).filter((state) => state === "WAITING")).toHaveLength(1);
    await pass(db, 11_000);
    await db.update(onboarding).set({ checkedAt: sql`checked_at - interval '11 seconds'` });
    await db
      .update(webhookEvent)
      .set({ receivedAt: sql`clock_timestamp()` })
      .where(eq(webhookEvent.state, "WAITING"));
    await sweep();
    expect(asked).toEqual([id, id]);
    expect(new Set(await states())).toEqual(new Set(["DONE"]));
  });

  it("about many things costs no more than thirty calls a minute, and leaves none of them behind", async () => {
    for (let n = 0; n < 70; n += 1) await deliver({ onBoardingId: `unknown-${n}` });
    for (let n = 0; n < 4; n += 1) await sweep();
    expect(asked).toHaveLength(30);
    await pass(db, 60_000);
    for (let n = 0; n < 4; n += 1) await sweep();
    expect(asked).toHaveLength(60);
    await pass(db, 60_000);
    await sweep();
    expect(new Set(asked).size).toBe(70);
    expect(await states()).not.toContain("WAITING");
  });
});
