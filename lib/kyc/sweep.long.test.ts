import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { KYC_PROCESSES, KYC_STATUSES } from "@/lib/contract/kyc";
import { kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { givenEnv, givenStore } from "@/test/support/console";
import { caseState } from "./case-state";
import { createListing, createSweeper, type Listed, type ListProvider, ORDERS } from "@/test/support/kyc-list";
import { readSoFar } from "./queue-counts";

const RUNS = Number(process.env["KYC_LIST_RUNS"] || 1);
const CASES = 5_000;
const MOVES = 60;

/** Seeded random numbers (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

function pick<One>(random: (below: number) => number, among: readonly [One, ...One[]]): One {
  return among[random(among.length)] ?? among[0];
}

function fill(provider: ListProvider, random: (below: number) => number): void {
  for (let age = 1; age <= CASES; age += 1) {
    for (const process of KYC_PROCESSES) {
      provider.records.push({
        kycUUID: `${(age * 7_919) % 10_007}-${age}`,
        process,
        age,
        movedAt: 0,
        status: pick(random, KYC_STATUSES),
      });
    }
  }
}

it.each(Array.from({ length: RUNS }, (_, seed) => seed + 1))(
  "matches the provider after reading five thousand moving cases (seed %i)",
  async (seed) => {
    givenEnv();
    const db = await givenStore();
    const random = randomFrom(seed);
    const moving = new Map(Array.from({ length: MOVES }, () => [1 + random(250), random(CASES * 2)]));
    const listing = {
      size: 20 + random(81),
      first: random(2),
      paging: "kept" as const,
      beyond: pick(random, ["empty", "last", "around"] as const),
      overlap: pick(random, [0, 1, 5] as const),
      order: pick(random, [ORDERS.newest, ORDERS.oldest, ORDERS["by id"], ORDERS["last moved"], ORDERS["by status"]]),
      totals: pick(random, ["none", "pages", "records"] as const),
    };
    const provider: ListProvider = createListing(listing, (call) => {
      const record: Listed | undefined = provider.records[moving.get(call) ?? -1];
      if (record !== undefined) provider.move(record, pick(random, KYC_STATUSES));
    });
    fill(provider, random);
    const sweeper = createSweeper(db, provider);
    // The first pass, and time enough for one more at the later pace.
    for (let sweeps = 0; sweeps < 45; sweeps += 1) await sweeper.sweep();
    const records = new Map<string, Listed[]>();
    for (const one of provider.records) records.set(one.kycUUID, [...(records.get(one.kycUUID) ?? []), one]);
    const rows = await db.select({ kycUUID: kycCase.kycUUID, status: kycCase.status }).from(kycCase);
    const wrong = rows.filter(({ kycUUID, status }) => {
      const told = (records.get(kycUUID) ?? []).map((one) => ({ ...one, changedAt: new Date(0) }));
      return caseState({ records: told })?.status !== status;
    });
    console.log(
      `seed ${seed}: ${rows.length} cases, ${listing.size} a page, ${provider.calls()} calls, ${wrong.length} wrong`,
    );
    expect(rows).toHaveLength(CASES);
    expect(wrong).toEqual([]);
    expect(await readSoFar(db, "aurora")).toBeNull();
  },
);

const CONTRADICTED = 17;

it.each(Object.entries(ORDERS))(
  "gets every case right 100 s after a list settles, reporting only moves (%s)",
  async (_, order) => {
    givenEnv();
    const db = await givenStore();
    const random = randomFrom(20_261_127);
    const moved = new Set<string>();
    let isStill = false;
    const listing = { size: 20, first: 1, paging: "kept", beyond: "empty", overlap: 0, order, totals: "none" } as const;
    const provider: ListProvider = createListing(listing, () => {
      const record = isStill ? undefined : provider.records[random(provider.records.length)];
      if (record === undefined) return;
      provider.move(record, pick(random, KYC_STATUSES));
      moved.add(record.kycUUID);
    });
    for (let age = 1; age <= 339; age += 1) {
      const one = { kycUUID: `${(age * 7_919) % 10_007}-${age}`, process: KYC_PROCESSES[0], age, movedAt: 0 };
      const verdicts = age <= CONTRADICTED ? (["APPROVED", "PENDING"] as const) : [pick(random, KYC_STATUSES)];
      for (const status of verdicts) provider.records.push({ ...one, status });
    }
    const sweeper = createSweeper(db, provider);
    for (let n = 0; n < 8; n += 1) await sweeper.sweep();
    isStill = true;
    for (let n = 0; n < 3; n += 1) await sweeper.sweep();
    const rows = await db.select({ kycUUID: kycCase.kycUUID, status: kycCase.status }).from(kycCase);
    const wrong = rows.filter(({ kycUUID, status }) => {
      const told = provider.records.filter((one) => one.kycUUID === kycUUID);
      return caseState({ records: told.map((one) => ({ ...one, changedAt: new Date(0) })) })?.status !== status;
    });
    const changes = await db.selectDistinct({ id: kycEvent.kycUUID }).from(kycEvent).where(eq(kycEvent.kind, "moved"));
    expect(rows).toHaveLength(339);
    expect(wrong).toEqual([]);
    expect(changes.filter(({ id }) => !moved.has(id))).toEqual([]);
  },
);
