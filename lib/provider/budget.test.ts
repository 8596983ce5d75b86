import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStore } from "@/test/support/console";
import { createBudget, takeFromBudget } from "./budget";
import {
  budgetFixture,
  countAdmitted,
  isAdmitted,
  isRefused,
  isWaiting,
  MINUTE_MS,
  type Outcome,
  SECOND_MS,
} from "@/test/support/provider-budget";

/** Calls are counted by whole seconds, with one more for those in flight: the last is forgotten after this. */
const FORGOTTEN_MS = 62 * SECOND_MS;

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const never = () => new Promise<never>(() => {});
function atOnce(_: number, wake: () => void): () => void {
  queueMicrotask(wake);
  return () => {};
}

describe("the limit", () => {
  it("shares the call limit among all instances", async () => {
    const fixture = budgetFixture(db, { instances: 3 });
    for (const instance of [0, 1, 2]) for (let call = 0; call < 100; call += 1) fixture.ask("money", { instance });
    await fixture.settle();
    expect(countAdmitted(fixture.outcomes)).toBe(180);
  });

  it("keeps a separate call limit for each provider", async () => {
    const asked = budgetFixture(db, { limit: 18 });
    const other = budgetFixture(db, { limit: 18, origin: "https://other.example" });
    await asked.askFor(18, "money");
    expect(countAdmitted(await other.askFor(18, "money"))).toBe(18);
  });

  it("forgets a call after exactly a minute", async () => {
    const fixture = budgetFixture(db, { limit: 18 });
    await fixture.askFor(18, "money");
    await fixture.moveTo(MINUTE_MS);
    const [late] = await fixture.askFor(1, "money");
    await fixture.advance(5 * SECOND_MS);
    expect(late).toMatchObject({ endedAtMs: FORGOTTEN_MS, refusal: null });
  });
});

describe("a clock of the store that is put back", () => {
  it("forgets a call in its time even when the store's clock is put back", async () => {
    const startMs = Date.parse("2026-03-10T12:00:00Z");
    const wanted = { money: 18, people: 0, watchers: 0 };
    const takenAt = async (ms: number) => {
      const shared = { store: async () => db, origin: "https://bank.example", limit: 18 };
      return (await takeFromBudget({ ...shared, storeTime: () => new Date(startMs + ms) }, wanted)).granted.money;
    };
    const backMs = -3_600_000;
    const taken = [await takenAt(0), await takenAt(backMs), await takenAt(backMs + FORGOTTEN_MS - 1)];
    expect([...taken, await takenAt(backMs + FORGOTTEN_MS)]).toEqual([18, 0, 0, 18]);
  });
});

describe("the lanes", () => {
  it("gives people who ask alone 100 of the 180 calls", async () => {
    expect(countAdmitted(await budgetFixture(db).askFor(180, "people"))).toBe(100);
  });

  it("leaves watches what money and people do not need", async () => {
    expect(countAdmitted(await budgetFixture(db).askFor(180, "watchers"))).toBe(50);
  });

  it("lets money use every place that is left", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(180, "people");
    expect(countAdmitted(await fixture.askFor(180, "money"))).toBe(80);
  });

  it.each([
    ["people", "watchers", 70],
    ["watchers", "people", 20],
    ["money", "people", 60],
    ["money", "watchers", 60],
  ] as const)("keeps for %s, whatever %s do, %d places", async (lane, other, places) => {
    const fixture = budgetFixture(db);
    await fixture.askFor(180, other);
    expect(countAdmitted(await fixture.askFor(places, lane))).toBe(places);
  });

  it("gives watches the people's surplus, evenly spread, but for a ninth", async () => {
    const fixture = budgetFixture(db);
    const watchers: Outcome[] = [];
    for (let second = 0; second < 60; second += 1) {
      watchers.push(...(await fixture.askFor(5, "watchers", { withinMs: 0 })));
      await fixture.advance(SECOND_MS);
    }
    expect(countAdmitted(watchers)).toBe(100);
    expect(countAdmitted(await fixture.askFor(30, "people", { withinMs: 0 }))).toBe(20);
    expect(countAdmitted(await fixture.askFor(60, "money"))).toBe(60);
  });

  it.each([
    [0, 100],
    [10, 80],
    [25, 50],
    [60, 50],
  ])("leaves watches, while people make %d calls a minute, %d", async (people, left) => {
    const fixture = budgetFixture(db);
    let asked: number = 0;
    let watchers: Outcome[] = [];
    for (let second = 0; second < 186; second += 1) {
      const due = Math.floor((second * people) / 62) - asked;
      asked += due;
      await fixture.askFor(due, "people");
      if (second === 124) watchers = [];
      watchers.push(...(await fixture.askFor(4, "watchers", { withinMs: 0 })));
      await fixture.advance(SECOND_MS);
    }
    expect(Math.abs(countAdmitted(watchers) - left)).toBeLessThanOrEqual(2);
  });

  it("lets patient calls go last in their lane, in order", async () => {
    const fixture = budgetFixture(db, { limit: 18 });
    await fixture.askFor(18, "money");
    await fixture.moveTo(50 * SECOND_MS);
    const how = { withinMs: 2 * MINUTE_MS };
    const patient = await fixture.askFor(3, "watchers", { ...how, isPatient: true });
    const others = await fixture.askFor(5, "watchers", how);
    await fixture.moveTo(FORGOTTEN_MS);
    expect([others, patient].map(countAdmitted)).toEqual([5, 0]);
    await fixture.moveTo(FORGOTTEN_MS + 2 * SECOND_MS);
    expect(patient.map(isAdmitted)).toEqual([true, true, false]);
  });

  it("keeps 100 places for people after a start, however many patient calls wait", async () => {
    const fixture = budgetFixture(db);
    const patient: Outcome[] = [];
    for (let second = 0; second < 30; second += 1) {
      patient.push(...(await fixture.askFor(5, "watchers", { withinMs: 90 * SECOND_MS, isPatient: true })));
      await fixture.advance(SECOND_MS);
    }
    expect(countAdmitted(await fixture.askFor(100, "people", { withinMs: 0 }))).toBe(100);
    expect(countAdmitted(patient)).toBe(20);
  });

  it("admits waiting patient calls once the first minute is over", async () => {
    const fixture = budgetFixture(db);
    const patient = await fixture.askFor(60, "watchers", { withinMs: 90 * SECOND_MS, isPatient: true });
    await fixture.moveTo(FORGOTTEN_MS - 1);
    expect(countAdmitted(patient)).toBe(20);
    await fixture.moveTo(FORGOTTEN_MS);
    expect(countAdmitted(patient)).toBe(60);
  });

  it("admits money first, then people, then watches, when a place becomes free", async () => {
    const fixture = budgetFixture(db, { limit: 18 });
    await fixture.askFor(18, "money");
    await fixture.moveTo(50 * SECOND_MS);
    const watchers = await fixture.askFor(7, "watchers", { withinMs: MINUTE_MS });
    const people = await fixture.askFor(7, "people");
    const money = await fixture.askFor(12, "money");
    await fixture.moveTo(FORGOTTEN_MS);
    expect([money, people, watchers].map(countAdmitted)).toEqual([12, 4, 0]);
  });

  it("yields on one instance to a higher lane on another", async () => {
    const fixture = budgetFixture(db, { limit: 18, instances: 2 });
    await fixture.askFor(18, "money");
    await fixture.moveTo(50 * SECOND_MS);
    const people = await fixture.askFor(10, "people", { instance: 0 });
    const money = await fixture.askFor(18, "money", { instance: 1 });
    await fixture.moveTo(FORGOTTEN_MS + SECOND_MS);
    expect([countAdmitted(money), countAdmitted(people)]).toEqual([18, 0]);
  });
});

const endOf = ([one]: readonly Outcome[]) => one?.endedAtMs ?? Infinity;

describe("a watch after a start", () => {
  it("leaves half of the idle calls to other watches", async () => {
    const fixture = budgetFixture(db);
    const openings = await fixture.askFor(40, "watchers", { isPatient: true, watch: "openings" });
    const wallets = await fixture.askFor(40, "watchers", { isPatient: true, watch: "wallets" });
    expect([openings, wallets].map(countAdmitted)).toEqual([10, 10]);
  });

  it("reads 28 unread balances ahead of others' forty idle calls", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(40, "watchers", { isPatient: true, watch: "openings" });
    const first = await fixture.askFor(28, "watchers", { isPatient: true, isFirst: true, watch: "wallets" });
    expect(countAdmitted(first)).toBe(28);
    expect(countAdmitted(await fixture.askFor(80, "people"))).toBe(80);
  });

  it("takes turns with other waiting calls, unread objects first", async () => {
    const fixture = budgetFixture(db, { limit: 18 });
    await fixture.moveTo(FORGOTTEN_MS);
    await fixture.askFor(10, "watchers");
    const often = await fixture.askFor(6, "watchers", { isPatient: true, watch: "openings" });
    const seldom = await fixture.askFor(1, "watchers", { isPatient: true, watch: "kyc" });
    const first = await fixture.askFor(1, "watchers", { isPatient: true, isFirst: true, watch: "wallets" });
    await fixture.moveTo(3 * FORGOTTEN_MS);
    expect(endOf(first)).toBeLessThanOrEqual(endOf(often));
    expect(endOf(seldom)).toBeLessThanOrEqual(often[1]?.endedAtMs ?? 0);
  });
});

describe("a watch that has four calls waiting", () => {
  it("gets a quarter or more beside two that ask again after each answer", async () => {
    const fixture = budgetFixture(db, { limit: 18 });
    await fixture.moveTo(FORGOTTEN_MS);
    const asked: Record<string, Outcome[]> = { entries: [], position: [], wallets: [] };
    for (let second = 0; second < 180; second += 1) {
      for (const [watch, own] of Object.entries(asked)) {
        const most = watch === "wallets" ? 4 : 1;
        const free = most - own.filter(isWaiting).length;
        own.push(...(await fixture.askFor(free, "watchers", { isPatient: true, watch, withinMs: 10 * MINUTE_MS })));
      }
      await fixture.advance(SECOND_MS);
    }
    const admitted = Object.values(asked).map(countAdmitted);
    const all = admitted.reduce((sum, one) => sum + one, 0);
    expect(admitted.map((one) => one >= all / 4)).toEqual([true, true, true]);
  });
});

describe("a person", () => {
  it("lets a lone person use all idle places but the next one's share", async () => {
    const fixture = budgetFixture(db);
    const flood = await fixture.askFor(180, "people", { person: "auditor" });
    expect(countAdmitted(flood)).toBe(90);
    expect(flood.at(-1)).toMatchObject({ refusal: { code: "budget-spent", retryAfterMs: FORGOTTEN_MS } });
    expect(countAdmitted(await fixture.askFor(10, "people", { person: "support" }))).toBe(10);
  });

  it("takes a third of a flooded lane back while somebody else asks", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(1, "people", { person: "support" });
    expect(countAdmitted(await fixture.askFor(180, "people", { person: "auditor" }))).toBe(66);
    expect(countAdmitted(await fixture.askFor(33, "people", { person: "support" }))).toBe(33);
    await fixture.moveTo(FORGOTTEN_MS);
    expect(countAdmitted(await fixture.askFor(90, "people", { person: "auditor" }))).toBe(90);
  });

  it("does not count a refused person's call", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(66, "people", { person: "auditor" });
    await fixture.askFor(60, "people", { person: "auditor" });
    await fixture.moveTo(FORGOTTEN_MS);
    expect(countAdmitted(await fixture.askFor(66, "people", { person: "auditor" }))).toBe(66);
  });

  it("makes a person wait one turn behind a long queue, not all of it", async () => {
    const fixture = budgetFixture(db, { limit: 18 });
    await fixture.askFor(4, "people");
    await fixture.moveTo(45 * SECOND_MS);
    await fixture.askFor(6, "people");
    const flood = await fixture.askFor(6, "people", { person: "auditor" });
    const few = await fixture.askFor(2, "people", { person: "support" });
    await fixture.moveTo(FORGOTTEN_MS);
    expect([flood, few].map((asked) => asked.map(isAdmitted))).toEqual([
      [true, true, false, false, false, false],
      [true, true],
    ]);
  });
});

describe("a caller", () => {
  it("admits callers in order", async () => {
    const fixture = budgetFixture(db, { limit: 18 });
    await fixture.askFor(10, "people");
    await fixture.moveTo(59 * SECOND_MS);
    const first = await fixture.askFor(6, "people");
    const second = await fixture.askFor(6, "people");
    await fixture.advance(5 * SECOND_MS);
    expect(first.every(isAdmitted)).toBe(true);
    expect(second.map(isAdmitted)).toEqual([true, true, true, true, false, false]);
  });

  it("refuses a caller at once when waiting is in vain, with the time to retry", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(100, "people");
    await fixture.moveTo(40 * SECOND_MS);
    const [asked] = await fixture.askFor(1, "people", { withinMs: 20_000 });
    const refusal = { code: "budget-spent", retryAfterMs: 22_000, mayHaveExecuted: false };
    expect(asked).toMatchObject({ endedAtMs: 40 * SECOND_MS, refusal });
  });

  it("lets a caller wait when a place becomes free in time", async () => {
    const fixture = budgetFixture(db);
    await fixture.askFor(100, "people");
    await fixture.moveTo(45 * SECOND_MS);
    const [asked] = await fixture.askFor(1, "people", { withinMs: 20_000 });
    await fixture.advance(20 * SECOND_MS);
    expect(asked).toMatchObject({ endedAtMs: FORGOTTEN_MS, refusal: null });
  });

  it("tells a caller when another instance takes the expected place", async () => {
    const fixture = budgetFixture(db, { limit: 18, instances: 2 });
    await fixture.askFor(18, "money");
    await fixture.moveTo(50 * SECOND_MS);
    const [loser] = await fixture.askFor(1, "people", { withinMs: 20_000 });
    await fixture.askFor(18, "money", { instance: 1, withinMs: 30_000 });
    await fixture.moveTo(70 * SECOND_MS);
    expect(isRefused(loser ?? fixture.ask("people"))).toBe(true);
    expect(loser?.endedAtMs).toBeLessThan(70 * SECOND_MS);
  });

  it("waits for the store no longer than until the deadline", async () => {
    const deps = { store: never, origin: "https://bank.example", limit: 180, now: () => 0, wakeIn: atOnce };
    const budget = createBudget(deps);
    await expect(budget.admit("people", 20_000)).rejects.toMatchObject({ details: { code: "budget-spent" } });
  });

  it("fails a caller while the store is silent, and serves the next one", async () => {
    const fixture = budgetFixture(db);
    await db.execute("alter table bank_budget rename to mislaid");
    const [asked] = await fixture.askFor(1, "people");
    await db.execute("alter table mislaid rename to bank_budget");
    expect(asked?.refusal?.cause).toBeInstanceOf(Error);
    expect(countAdmitted(await fixture.askFor(1, "people"))).toBe(1);
  });
});

describe("the meter", () => {
  it("shows the last minute's calls by lane, and who waits how long here", async () => {
    const fixture = budgetFixture(db, { limit: 18, instances: 2 });
    await fixture.askFor(10, "money");
    await fixture.askFor(3, "people", { instance: 1 });
    await fixture.moveTo(58 * SECOND_MS);
    await fixture.askFor(20, "people");
    await fixture.advance(SECOND_MS);
    const use = await fixture.budget(0).use();
    expect(use).toMatchObject({ limit: 18, configured: 18, pausedUntil: null, oldestWaitMs: SECOND_MS });
    expect(use.byLane).toEqual({ money: 10, people: 6, watchers: 0 });
    expect(use.waiting.people).toBeGreaterThan(0);
  });
});
