import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { KYC_PROCESSES, KYC_STATUSES } from "@/lib/contract/kyc";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { AppError } from "@/lib/errors/app-error";
import { emptyTables } from "@/test/support/service/store";
import { caseState } from "./case-state";
import {
  createListing,
  createSweeper,
  type Listed,
  type Listing,
  type ListProvider,
  ORDERS,
} from "@/test/support/kyc-list";
import { findCase, readCaseQueue } from "./queue";
import { readSoFar } from "./queue-counts";
import { readUnreadCases } from "./sweep";

const PLAIN: Listing = {
  size: 20,
  first: 1,
  paging: "kept",
  beyond: "empty",
  overlap: 0,
  order: ORDERS.newest,
  totals: "none",
};

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

let born = 0;
function addCase(provider: ListProvider, ...statuses: Listed["status"][]): Listed[] {
  born += 1;
  const kycUUID = `${(born * 7_919) % 10_007}-${born}`;
  const added = statuses.map((status, nth): Listed => {
    return { kycUUID, process: KYC_PROCESSES[nth % 2] ?? "kyc-backgroundcheck", status, age: born, movedAt: 0 };
  });
  provider.records.push(...added);
  return added;
}

/** The provider's state of each case, as the console must show it. */
function truth(provider: ListProvider): Map<string, string> {
  const ids = [...new Set(provider.records.map(({ kycUUID }) => kycUUID))];
  return new Map(
    ids.map((id) => {
      const records = provider.records.filter(({ kycUUID }) => kycUUID === id);
      return [id, caseState({ records: records.map((one) => ({ ...one, changedAt: new Date(0) })) })?.status ?? ""];
    }),
  );
}

const shown = async () =>
  new Map((await db.select().from(kycCase)).map(({ kycUUID, status }): [string, string] => [kycUUID, status]));

/** A record without an id. */
const nameless = (nth: number) => ({ unread: { vatNumber: "529.982.247-25", estado: `em_analise ${nth}` } });
const unreadIn = async () =>
  (await readUnreadCases("aurora")).map(({ fields }) => fields.map(({ path, value }) => `${path}=${value}`));

const events = async (kycUUID: string) =>
  (await db.select().from(kycEvent).where(eq(kycEvent.kycUUID, kycUUID)).orderBy(kycEvent.id)).map(
    ({ kind, detail }) => `${kind} ${kind === "moved" ? `${detail["from"]} ` : ""}${detail["to"] ?? detail["status"]}`,
  );

describe("the reading of the list", () => {
  it("reads a case's state only from all of its records, across pages", async () => {
    const provider = createListing({ ...PLAIN, order: ORDERS["by process"] });
    const [check] = addCase(provider, "REPROVED", "APPROVED");
    for (let n = 0; n < 30; n += 1) addCase(provider, "APPROVED", "APPROVED");
    const sweeper = createSweeper(db, provider);
    for (let n = 0; n < 8; n += 1) await sweeper.sweep();
    expect((await shown()).get(check?.kycUUID ?? "")).toBe("REPROVED");
    expect((await events(check?.kycUUID ?? "")).filter((event) => event.startsWith("moved"))).toEqual([]);
  });

  it("asks by id when one process has two statuses on a page, and shows the graver", async () => {
    const provider = createListing(PLAIN);
    const [one] = addCase(provider, "APPROVED");
    if (one === undefined) throw new Error("a case was added");
    provider.records.push({ ...one, status: "PENDING" });
    await createSweeper(db, provider).sweep();
    expect(await shown()).toEqual(new Map([[one.kycUUID, "PENDING"]]));
    expect(await events(one.kycUUID)).toEqual(["seen PENDING", "contradicted PENDING"]);
  });

  it("moves a case to its next process, as with a provider of single records", async () => {
    const provider = createListing(PLAIN);
    const [one] = addCase(provider, "PROCESSING");
    if (one === undefined) throw new Error("a case was added");
    const sweeper = createSweeper(db, provider);
    await sweeper.sweep();
    for (const status of ["PENDING", "APPROVED"] as const) {
      one.process = "kyc-documentscopy";
      provider.move(one, status);
      await sweeper.sweep();
    }
    expect(await shown()).toEqual(new Map([[one.kycUUID, "APPROVED"]]));
    expect(await events(one.kycUUID)).toEqual([
      "seen PROCESSING",
      "moved PROCESSING PENDING",
      "moved PENDING APPROVED",
    ]);
  });

  it("dates a verdict anew once it is that of another process", async () => {
    const provider = createListing(PLAIN);
    const [one] = addCase(provider, "APPROVED");
    if (one === undefined) throw new Error("a case was added");
    const sweeper = createSweeper(db, provider);
    await sweeper.sweep();
    const before = new Date("2026-01-01T00:00:00Z");
    await db.update(kycCase).set({ decidedAt: before });
    await sweeper.sweep();
    const decidedAt = async () => (await db.select().from(kycCase))[0]?.decidedAt;
    expect(await decidedAt()).toEqual(before);
    one.process = "kyc-documentscopy";
    provider.move(one, "APPROVED");
    await sweeper.sweep();
    expect((await decidedAt())?.getTime()).toBeGreaterThan(before.getTime());
  });

  it("calls a list partial when every page number returns the same page", async () => {
    const provider = createListing({ ...PLAIN, paging: "ignored" });
    for (let n = 0; n < 120; n += 1) addCase(provider, "APPROVED");
    const sweeper = createSweeper(db, provider);
    await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBe(20);
    addCase(provider, "PENDING");
    for (let n = 0; n < 5; n += 1) await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBe(21);
    // Asking again brings nothing, so it continues at the pace of a known list.
    const before = provider.calls();
    expect(await sweeper.sweep()).toEqual({ isUnfinished: false });
    expect(provider.calls() - before).toBeLessThanOrEqual(3);
  });

  it("keeps a list partial until it has the number of records announced", async () => {
    const provider = createListing({ ...PLAIN, totals: "records", paging: "ignored", size: 100 });
    for (let n = 0; n < 80; n += 1) addCase(provider, "APPROVED");
    const sweeper = createSweeper(db, provider);
    await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBeNull();
    for (let n = 0; n < 80; n += 1) addCase(provider, "APPROVED");
    await db.transaction((tx) => emptyTables(tx));
    await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBe(100);
  });

  it("skips and shows a record without an id, and stays partial", async () => {
    const provider = createListing(PLAIN);
    for (let n = 0; n < 50; n += 1) addCase(provider, "APPROVED");
    let hasNameless = true;
    const sweeper = createSweeper(db, {
      ...provider,
      ask: async (asked) => {
        const list = await provider.ask(asked);
        const isSecond = asked.page === 2 && hasNameless;
        return isSecond
          ? { ...list, result: [...list.result.slice(0, 9), nameless(1), ...list.result.slice(9)] }
          : list;
      },
    });
    await sweeper.sweep();
    expect(await shown()).toEqual(truth(provider));
    expect(await readSoFar(db, "aurora")).toBe(50);
    expect(await unreadIn()).toEqual([["vatNumber=***.982.247-**", "estado=em_analise 1"]]);
    hasNameless = false;
    for (let n = 0; n < 6; n += 1) await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBeNull();
    expect(await unreadIn()).toEqual([]);
  });

  it("counts an unreadable page and calls the list partial", async () => {
    const provider = createListing(PLAIN);
    for (let n = 0; n < 60; n += 1) addCase(provider, "APPROVED");
    let isPage2Readable = true;
    const sweeper = createSweeper(db, {
      ...provider,
      ask: async (asked) => {
        const list = await provider.ask(asked);
        if (isPage2Readable || asked.page !== 2) return list;
        return { ...list, result: list.result.map((_, nth) => nameless(nth)) };
      },
    });
    await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBeNull();
    isPage2Readable = false;
    await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBe(60);
    expect(await unreadIn()).toHaveLength(20);
    await db.transaction((tx) => emptyTables(tx));
    await sweeper.sweep();
    expect(await readSoFar(db, "aurora")).toBe(40);
    expect(await unreadIn()).toHaveLength(20);
  });

  it("ends as partial when paging is ignored and no record is readable", async () => {
    const provider = createListing({ ...PLAIN, paging: "ignored" });
    for (let n = 0; n < 20; n += 1) addCase(provider, "APPROVED");
    const sweeper = createSweeper(db, {
      ...provider,
      ask: async (asked) => ({
        ...(await provider.ask(asked)),
        result: [nameless(1), "what is this?"].map((one) => (typeof one === "string" ? { unread: one } : one)),
      }),
    });
    expect(await sweeper.sweep()).toEqual({ isUnfinished: false });
    expect(await readSoFar(db, "aurora")).toBe(0);
    expect(provider.calls()).toBeLessThanOrEqual(4);
  });

  it("leaves a case unchanged when its record cannot all be read by id", async () => {
    const provider = createListing(PLAIN);
    const [check, scopy] = addCase(provider, "APPROVED", "PENDING");
    if (check === undefined || scopy === undefined) throw new Error("a case was added");
    const byId = createSweeper(db, {
      ...provider,
      ask: async (asked) => {
        const list = await provider.ask(asked);
        return asked.kycUUID === undefined
          ? { ...list, result: [] }
          : { ...list, result: [...list.result.slice(0, 1), nameless(1)] };
      },
    });
    await createSweeper(db, provider).sweep();
    await byId.sweep();
    await byId.sweep();
    expect(await shown()).toEqual(new Map([[check.kycUUID, "PENDING"]]));
  });

  it("reads a long list at 25 a page with one call a page, eight at a time", async () => {
    const provider = createListing({ ...PLAIN, size: 25, totals: "pages" });
    for (let n = 0; n < 500; n += 1) addCase(provider, "APPROVED", "APPROVED");
    let waiting = 0;
    let most = 0;
    const impatient: unknown[] = [];
    const sweeper = createSweeper(db, {
      ...provider,
      ask: async (asked) => {
        if (asked.isPatient !== true) impatient.push(asked);
        waiting += 1;
        most = Math.max(most, waiting);
        await setImmediate();
        waiting -= 1;
        return provider.ask(asked);
      },
    });
    await sweeper.sweep();
    // Enough calls wait to get most of the lane's turns.
    expect(most).toBe(8);
    expect(impatient).toEqual([{}]);
    // One call a page, except the first and the empty last: 800 pages are 5 minutes of 180 calls.
    expect(provider.calls()).toBe((500 * 2) / 25 + 2);
    expect(await readSoFar(db, "aurora")).toBeNull();
    expect(await shown()).toEqual(truth(provider));
  });

  it("shows a new case even when no patient call gets a turn", async () => {
    const provider = createListing(PLAIN);
    for (let n = 0; n < 60; n += 1) addCase(provider, "APPROVED");
    const sweeper = createSweeper(db, {
      ...provider,
      ask: async (asked) => {
        if (isBusy && asked.isPatient === true) throw new AppError("rate-limited", { code: "budget-spent" });
        return provider.ask(asked);
      },
    });
    let isBusy = false;
    await sweeper.sweep();
    isBusy = true;
    const added = Array.from({ length: 30 }, () => addCase(provider, "PENDING")[0]?.kycUUID ?? "");
    expect(await sweeper.sweep()).toEqual({ isUnfinished: false });
    const all = await shown();
    expect(added.filter((id) => all.get(id) !== "PENDING")).toEqual([]);
  });

  it("waits at most two seconds for a turn after the first pass", async () => {
    const provider = createListing(PLAIN);
    for (let n = 0; n < 60; n += 1) addCase(provider, "APPROVED");
    const waits: (number | undefined)[] = [];
    const sweeper = createSweeper(db, {
      ...provider,
      ask: async (asked) => {
        if (asked.isPatient === true) waits.push(asked.turnWithinMs);
        return provider.ask(asked);
      },
    });
    await sweeper.sweep();
    const first = waits.length;
    await sweeper.sweep();
    expect(waits.slice(0, first).every((wait) => wait === undefined)).toBe(true);
    expect(new Set(waits.slice(first))).toEqual(new Set([2_000]));
  });

  it("resumes an unfinished first pass in the next sweep, without a failure", async () => {
    const provider = createListing(PLAIN);
    for (let n = 0; n < 300; n += 1) addCase(provider, "APPROVED");
    const sweeper = createSweeper(db, {
      ...provider,
      ask: async (asked) => {
        await sweeper.pass(8_000);
        return provider.ask(asked);
      },
    });
    expect(await sweeper.sweep()).toEqual({ isUnfinished: true });
    expect(await readSoFar(db, "aurora")).toBe(40);
    expect(await sweeper.sweep()).toEqual({ isUnfinished: true });
    expect(await readSoFar(db, "aurora")).toBe(200);
    expect(await sweeper.sweep()).toEqual({ isUnfinished: false });
    expect(await readSoFar(db, "aurora")).toBeNull();
    expect(await shown()).toEqual(truth(provider));
  });
});

async function contradicted() {
  const provider = createListing({ ...PLAIN, order: ORDERS["by status"] });
  const [one] = addCase(provider, "APPROVED");
  if (one === undefined) throw new Error("a case was added");
  provider.records.push({ ...one, status: "REPROVED" });
  for (let n = 0; n < 50; n += 1) addCase(provider, "PENDING");
  const sweeper = createSweeper(db, provider);
  for (let n = 0; n < 12; n += 1) await sweeper.sweep();
  return { provider, sweeper, ...one };
}

describe("two verdicts of one process on different pages", () => {
  it("keeps the graver state through every pass and reports no change", async () => {
    const { kycUUID } = await contradicted();
    expect((await shown()).get(kycUUID)).toBe("REPROVED");
    expect(await events(kycUUID)).toEqual(["seen APPROVED", "record-seen REPROVED", "contradicted REPROVED"]);
  });

  it("flags contradicting verdicts on case and queue until one disappears", async () => {
    const { provider, sweeper, kycUUID } = await contradicted();
    const reader = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
    const said = async () => {
      const { rows } = await readCaseQueue(reader, { status: "all", ids: [kycUUID] });
      const found = await findCase(db, { tenant: "aurora", kycUUID });
      return [rows[0]?.contradiction, found?.row.contradiction];
    };
    const both = { process: "kyc-backgroundcheck", status: "REPROVED", other: "APPROVED" };
    expect(await said()).toEqual([both, both]);
    provider.records.splice(
      provider.records.findIndex((one) => one.kycUUID === kycUUID && one.status === "APPROVED"),
      1,
    );
    for (let n = 0; n < 12; n += 1) await sweeper.sweep();
    expect(await said()).toEqual([null, null]);
    expect((await shown()).get(kycUUID)).toBe("REPROVED");
    expect((await events(kycUUID)).at(-1)).toBe("agreed REPROVED");
  });

  it("checks contradicting verdicts by id once a pass", async () => {
    const { provider, sweeper } = await contradicted();
    const before = provider.asked().filter((id) => id !== undefined).length;
    for (let n = 0; n < 6; n += 1) await sweeper.sweep();
    const open = 3 * 6;
    expect(provider.asked().filter((id) => id !== undefined).length - before).toBeLessThanOrEqual(open + 3);
  });

  it("reports one change when the provider withdraws one verdict", async () => {
    const { provider, sweeper, kycUUID } = await contradicted();
    provider.records.splice(
      provider.records.findIndex((one) => one.kycUUID === kycUUID && one.status === "REPROVED"),
      1,
    );
    for (let n = 0; n < 12; n += 1) await sweeper.sweep();
    expect((await shown()).get(kycUUID)).toBe("APPROVED");
    expect((await events(kycUUID)).slice(-2)).toEqual(["moved REPROVED APPROVED", "agreed REPROVED"]);
  });
});

it("follows the list for a case that the provider does not find by id", async () => {
  const provider = createListing(PLAIN);
  const [one] = addCase(provider, "PENDING");
  if (one === undefined) throw new Error("a case was added");
  const sweeper = createSweeper(db, {
    ...provider,
    ask: async (asked) => {
      const list = await provider.ask(asked);
      return asked.kycUUID === undefined ? list : { ...list, result: [] };
    },
  });
  await sweeper.sweep();
  provider.move(one, "APPROVED");
  await sweeper.sweep();
  expect(await shown()).toEqual(new Map([[one.kycUUID, "APPROVED"]]));
});

const Listings = fc.record({
  size: fc.integer({ min: 20, max: 100 }),
  first: fc.constantFrom(0, 1, 7),
  paging: fc.constant("kept" as const),
  beyond: fc.constantFrom("empty", "last", "around"),
  overlap: fc.constantFrom(0, 1, 5),
  order: fc.constantFrom(...Object.values(ORDERS)),
  totals: fc.constantFrom("none", "pages", "records"),
});
const Lives = fc.record({
  listing: Listings,
  cases: fc.integer({ min: 0, max: 60 }),
  /** Now and then between two calls: a new case, or a record that moves. */
  moves: fc.array(
    fc.record({ at: fc.nat(30), which: fc.nat(), to: fc.constantFrom(...KYC_STATUSES), isNew: fc.boolean() }),
    {
      maxLength: 12,
    },
  ),
  records: fc.constantFrom(1, 2),
});

const RUNS = process.env["TEST_LONG"] ? 12 : 3;

it("ends in the provider's state for any order, paging and moves between calls", async () => {
  let lives = 0;
  await fc.assert(
    fc.asyncProperty(Lives, async ({ listing, cases, moves, records }) => {
      await emptyTables(db);
      lives += 1;
      const moved = new Set<string>();
      const provider: ListProvider = createListing(listing, (call) => {
        for (const { which, to, isNew } of moves.filter(({ at }) => at === call)) {
          const one = provider.records[which % Math.max(1, provider.records.length)];
          if (isNew || one === undefined) addCase(provider, to);
          else {
            provider.move(one, to);
            moved.add(one.kycUUID);
          }
        }
      });
      for (let n = 0; n < cases; n += 1) {
        addCase(provider, ...KYC_STATUSES.slice(n % 3, (n % 3) + records));
      }
      const sweeper = createSweeper(db, provider);
      for (let n = 0; n < 26; n += 1) await sweeper.sweep();
      expect(await shown()).toEqual(truth(provider));
      expect(await readSoFar(db, "aurora")).toBeNull();
      const movedInStore = await db
        .selectDistinct({ id: kycEvent.kycUUID })
        .from(kycEvent)
        .where(eq(kycEvent.kind, "moved"));
      expect(movedInStore.filter(({ id }) => !moved.has(id))).toEqual([]);
    }),
    { numRuns: RUNS, seed: 20_260_302, endOnFailure: true },
  );
  expect(lives).toBe(RUNS);
});
