import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { budgetFixture, isAdmitted, isWaiting, MINUTE_MS, SECOND_MS } from "@/test/support/provider-budget";

const FORGOTTEN_MS = 62 * SECOND_MS;

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

describe("after a 429", () => {
  it("pauses every lane of every instance until the provider's Retry-After", async () => {
    const fixture = budgetFixture(db, { instances: 2 });
    for (let second = 0; second < 62; second += 1) {
      await fixture.moveTo(second * SECOND_MS);
      await fixture.askFor(1, "people");
    }
    await fixture.budget(0).slowDown(7_000);
    const withinMs = MINUTE_MS;
    const asked = [
      fixture.ask("money", { instance: 1, withinMs }),
      fixture.ask("people", { withinMs }),
      fixture.ask("watchers", { instance: 1, withinMs }),
    ];
    await fixture.advance(6_999);
    expect(asked.map(isWaiting)).toEqual([true, true, true]);
    await fixture.advance(1);
    expect(asked.map(isWaiting)).toEqual([false, true, true]);
  });

  it.each([
    [null, SECOND_MS],
    [7_000, 7_000],
    [90_000, MINUTE_MS],
  ])("turns a Retry-After of %s ms into a pause of %d ms", async (retryAfterMs, pauseMs) => {
    const fixture = budgetFixture(db);
    await fixture.budget(0).slowDown(retryAfterMs);
    const { pausedUntil } = await fixture.budget(0).use();
    expect(pausedUntil?.getTime()).toBe(fixture.storeTime().getTime() + pauseMs);
  });

  it.each([
    [170, 169],
    [22, 90],
    [1, 90],
  ])("with %d calls in the last minute, lowers the limit of 180 to %d", async (calls, limit) => {
    const fixture = budgetFixture(db);
    await fixture.askFor(calls, "money");
    await fixture.budget(0).slowDown(null);
    expect(await fixture.budget(0).use()).toMatchObject({ limit, configured: 180, used: calls });
  });

  it("forgets a single 429 on a quiet desk after five minutes", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(22, "people");
    await fixture.budget(0).slowDown(null);
    await fixture.moveTo(5 * MINUTE_MS);
    expect((await fixture.budget(0).use()).limit).toBeLessThan(180);
    await fixture.moveTo(5 * MINUTE_MS + SECOND_MS);
    expect(await fixture.budget(0).use()).toMatchObject({ limit: 180 });
  });

  it("counts each concurrent 429 as one call that was not let through", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(150, "money");
    for (let refused = 0; refused < 10; refused += 1) await fixture.budget(0).slowDown(SECOND_MS);
    expect(await fixture.budget(0).use()).toMatchObject({ limit: 140 });
  });

  it("ignores calls in flight with a 429 on a quiet desk", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(22, "people");
    for (let refused = 0; refused < 10; refused += 1) await fixture.budget(0).slowDown(SECOND_MS);
    expect(await fixture.budget(0).use()).toMatchObject({ limit: 90 });
  });

  it("lowers the limit by three tenths for each later 429 soon after, down to six", async () => {
    const fixture = budgetFixture(db);
    const limits: number[] = [];
    for (let refused = 0; refused < 10; refused += 1) {
      await fixture.askFor(1, "money");
      await fixture.budget(0).slowDown(SECOND_MS);
      limits.push((await fixture.budget(0).use()).limit);
      await fixture.advance(30 * SECOND_MS);
    }
    expect(limits).toEqual([90, 63, 44, 30, 21, 14, 9, 6, 6, 6]);
  });

  it("lowers the limit by three tenths too if use exceeds half, soon after a pause", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(10, "people");
    await fixture.moveTo(30 * SECOND_MS);
    await fixture.askFor(90, "people");
    await fixture.budget(0).slowDown(SECOND_MS);
    await fixture.moveTo(FORGOTTEN_MS);
    await fixture.askFor(1, "money");
    await fixture.budget(0).slowDown(SECOND_MS);
    expect(await fixture.budget(0).use()).toMatchObject({ limit: 69 });
  });

  it("admits money every five seconds in a used-up minute, up to the limit", async () => {
    const fixture = budgetFixture(db, { limit: 24 });
    await fixture.askFor(20, "money");
    await fixture.budget(0).slowDown(3 * SECOND_MS);
    const people = await fixture.askFor(1, "people", { withinMs: MINUTE_MS });
    const money = await fixture.askFor(20, "money", { withinMs: MINUTE_MS });
    await fixture.moveTo(MINUTE_MS);
    expect(money.filter(isAdmitted).map(({ endedAtMs }) => endedAtMs)).toEqual([5_000, 10_000, 15_000, 20_000]);
    expect(people.filter(isAdmitted)).toEqual([]);
  });

  it("does not count a refused money call beyond the lowered limit", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(95, "people");
    await fixture.budget(0).slowDown(SECOND_MS);
    await fixture.moveTo(2 * SECOND_MS);
    await fixture.askFor(1, "money");
    await fixture.budget(0).slowDown(SECOND_MS);
    expect(await fixture.budget(0).use()).toMatchObject({ limit: 94 });
  });

  it("tells nobody to wait longer than the pace requires", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(40, "money");
    await fixture.budget(0).slowDown(SECOND_MS);
    await fixture.moveTo(FORGOTTEN_MS);
    await fixture.askFor(10, "money");
    const [asked] = await fixture.askFor(1, "money", { withinMs: 10 * SECOND_MS });
    await fixture.advance(10 * SECOND_MS);
    expect(asked).toMatchObject({ refusal: null });
  });

  it("raises the limit by an eighth of its setting after each quiet minute", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(100, "people");
    await fixture.budget(0).slowDown(null);
    const limits: number[] = [];
    for (const minutes of [1, 1.2, 2, 4, 4.5, 5]) {
      await fixture.moveTo(minutes * MINUTE_MS + SECOND_MS);
      limits.push((await fixture.budget(0).use()).limit);
    }
    expect(limits).toEqual([99, 103, 121, 166, 177, 180]);
  });

  it("spreads calls evenly, so that few meet a limit that is still too high", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(100, "people");
    await fixture.budget(0).slowDown(null);
    await fixture.moveTo(FORGOTTEN_MS);
    const asked = await fixture.askFor(60, "people");
    await fixture.advance(4_500);
    const perSecond = new Map<number, number>();
    for (const { endedAtMs } of asked.filter(isAdmitted)) {
      const second = Math.floor((endedAtMs ?? 0) / SECOND_MS);
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
    }
    expect([...perSecond.values()]).toEqual([5, 5, 5, 5, 5]);
  });
});
