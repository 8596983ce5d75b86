import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { onboarding } from "@/lib/store/schema";
import { webhookEvent } from "./schema";
import { type DeliveryDesk, givenDeliveries, pass } from "./testing";

let desk: DeliveryDesk;

beforeEach(async () => {
  desk = await givenDeliveries();
});

const states = async () =>
  (await desk.db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq))).map(({ state }) => state);

describe("a flood of events", () => {
  it("about the same costs one look, and the next one only after a rest", async () => {
    const id = await desk.requestAccount(1);
    for (let n = 0; n < 40; n += 1) await desk.deliver({ onBoardingId: id, n });
    await desk.sweep();
    await desk.deliver({ onBoardingId: id, n: "late" });
    for (let n = 0; n < 5; n += 1) await desk.sweep();
    expect(desk.asked).toEqual([id]);
    expect((await states()).filter((state) => state === "WAITING")).toHaveLength(1);
    await pass(desk.db, 11_000);
    await desk.db.update(onboarding).set({ checkedAt: sql`checked_at - interval '11 seconds'` });
    await desk.db
      .update(webhookEvent)
      .set({ receivedAt: sql`clock_timestamp()` })
      .where(eq(webhookEvent.state, "WAITING"));
    await desk.sweep();
    expect(desk.asked).toEqual([id, id]);
    expect(new Set(await states())).toEqual(new Set(["DONE"]));
  });

  it("about many things costs no more than thirty calls a minute, and leaves none of them behind", async () => {
    for (let n = 0; n < 70; n += 1) await desk.deliver({ onBoardingId: `unknown-${n}` });
    for (let n = 0; n < 4; n += 1) await desk.sweep();
    expect(desk.asked).toHaveLength(30);
    await pass(desk.db, 60_000);
    for (let n = 0; n < 4; n += 1) await desk.sweep();
    expect(desk.asked).toHaveLength(60);
    await pass(desk.db, 60_000);
    await desk.sweep();
    expect(new Set(desk.asked).size).toBe(70);
    expect(await states()).not.toContain("WAITING");
  });
});
