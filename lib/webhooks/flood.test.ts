import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { onboarding } from "@/lib/db/tables/customers";
import { webhookEvent } from "@/lib/db/tables/webhooks";
import { type DeliveryFixture, givenDeliveries, pass } from "@/test/support/webhooks";

let fixture: DeliveryFixture;

beforeEach(async () => {
  fixture = await givenDeliveries();
});

const states = async () =>
  (await fixture.db.select().from(webhookEvent).orderBy(asc(webhookEvent.seq))).map(({ state }) => state);

describe("a flood of events", () => {
  it("reads an object once for a flood of events, and again only after a rest", async () => {
    const id = await fixture.requestAccount(1);
    for (let n = 0; n < 40; n += 1) await fixture.deliver({ onBoardingId: id, n });
    await fixture.sweep();
    await fixture.deliver({ onBoardingId: id, n: "late" });
    for (let n = 0; n < 5; n += 1) await fixture.sweep();
    expect(fixture.asked).toEqual([id]);
    expect((await states()).filter((state) => state === "WAITING")).toHaveLength(1);
    await pass(fixture.db, 11_000);
    await fixture.db.update(onboarding).set({ checkedAt: sql`checked_at - interval '11 seconds'` });
    await fixture.db
      .update(webhookEvent)
      .set({ receivedAt: sql`clock_timestamp()` })
      .where(eq(webhookEvent.state, "WAITING"));
    await fixture.sweep();
    expect(fixture.asked).toEqual([id, id]);
    expect(new Set(await states())).toEqual(new Set(["DONE"]));
  });

  it("makes at most thirty calls a minute in a flood and drops no event", async () => {
    for (let n = 0; n < 70; n += 1) await fixture.deliver({ onBoardingId: `unknown-${n}` });
    for (let n = 0; n < 4; n += 1) await fixture.sweep();
    expect(fixture.asked).toHaveLength(30);
    await pass(fixture.db, 60_000);
    for (let n = 0; n < 4; n += 1) await fixture.sweep();
    expect(fixture.asked).toHaveLength(60);
    await pass(fixture.db, 60_000);
    await fixture.sweep();
    expect(new Set(fixture.asked).size).toBe(70);
    expect(await states()).not.toContain("WAITING");
  });
});
