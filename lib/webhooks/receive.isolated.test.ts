import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { liveEvent } from "@/lib/db/tables/live";
import { log } from "@/lib/log/log";
import { watchState } from "@/lib/db/tables/watch";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { receiveDelivery } from "./intake";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { deliveryOf, SECRET } from "@/test/support/webhooks";

let db: Db;
beforeEach(async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  givenEnv({ readSecrets: () => ({ credentials: { clientSecret: "x" }, webhookSecrets: [SECRET] }) });
  db = await givenStore();
  globalThis.retaguardaIntake = undefined;
  globalThis.retaguardaRefusals = undefined;
});
afterEach(() => {
  vi.useRealTimers();
});

const told = (answer: Response) => [answer.status, answer.statusText, [...answer.headers], answer.body];

describe("a delivery", () => {
  it("answers a delivery empty, notifies open screens and hurries the watch", async () => {
    const answer = await receiveDelivery("aurora", deliveryOf({ onBoardingId: "7" }));
    expect([answer.status, await answer.text(), answer.headers.get("cache-control")]).toEqual([204, "", "no-store"]);
    expect(await db.$count(webhookEvent)).toBe(1);
    await vi.waitFor(async () => expect(await db.$count(watchState)).toBe(1), 5_000);
    expect(await db.select().from(watchState)).toMatchObject([{ tenant: "aurora", name: "webhooks", begunAt: null }]);
    expect(await db.select().from(liveEvent)).toMatchObject([{ tenant: "aurora", topic: "webhooks" }]);
  });

  it("answers an unknown tenant like a forgery, even with another's secret", async () => {
    // Otherwise the refusal would be audited a second later, during the next test.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const [nobody, forged] = await Promise.all([
      receiveDelivery("nobody-at-all", deliveryOf({ a: 1 })),
      receiveDelivery("aurora", deliveryOf({ a: 1 }, { signature: "0".repeat(64) })),
    ]);
    expect(told(nobody)).toEqual(told(forged));
    expect(nobody.status).toBe(401);
    expect(await db.$count(webhookEvent)).toBe(0);
  });
});

it("audits refusals at our tenants within a second, then each minute", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  for (let n = 0; n < 20; n += 1) await receiveDelivery("aurora", deliveryOf({ n }, { signature: null }));
  await receiveDelivery("nobody-at-all", deliveryOf({ a: 1 }));
  await receiveDelivery("aurora", deliveryOf("no json"));
  expect(await db.$count(auditEvent)).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  while ((await db.$count(liveEvent)) === 0) await turn();
  expect(await db.select().from(auditEvent)).toMatchObject([
    {
      tenant: "aurora",
      code: "webhooks.refuse",
      outcome: "REFUSED",
      detail: { unsigned: 20, unreadable: 1, lastAt: expect.stringMatching(/Z$/) },
    },
  ]);
  for (let n = 0; n < 20; n += 1) await receiveDelivery("aurora", deliveryOf({ n }, { signature: null }));
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await db.$count(auditEvent)).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  while ((await db.$count(liveEvent)) === 1) await turn();
  expect(await db.$count(auditEvent)).toBe(2);
  expect(log.warn).toHaveBeenCalledWith({ tenant: null, refused: { signature: 1 } }, expect.any(String));
  expect(JSON.stringify(vi.mocked(log.warn).mock.calls)).not.toContain("nobody-at-all");
});
