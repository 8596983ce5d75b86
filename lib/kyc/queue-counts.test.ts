import { and, count, eq, isNull, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/lib/permission/grant";
import { MAX_COUNTED } from "./view";
import { kycCase, kycCaseCount } from "@/lib/db/tables/kyc";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { countCases, countCasesWaiting, foldCounts } from "./queue-counts";
import { askerOf } from "./queue-filter";
import { KycFilter } from "./inputs";
import { givenCase } from "@/test/support/kyc";

let db: Db;
let me: Actor<"kyc:read">;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
});

const counted = async (given: object = {}) => countCases(db, await askerOf(db, me), KycFilter.parse(given));

const givenMany = (cases: number) =>
  db.execute(sql`insert into kyc_case (tenant, kyc_uuid, vat_number, kyc_type, process, status, first_seen_at, changed_at, seen_at,
      due_at, tags)
    select ${me.tenant}, gen_random_uuid()::text, '***.456.789-**', case when n % 3 = 0 then 'PJ' else 'PF' end, 'kyc-documentscopy',
      case when n % 4 = 0 then 'APPROVED' else 'PENDING' end, now(), now(), now(), now() + interval '1 hour', array['pep']
    from generate_series(1, ${cases}::int) n`);

const kinds = (table: typeof kycCase | typeof kycCaseCount) =>
  [table.tenant, table.status, table.kycType, table.process, table.assigneeId] as const;

/** The stored counts and a count of all cases, kind by kind. */
async function bothWays() {
  const byCases = kinds(kycCase);
  const byCounts = kinds(kycCaseCount);
  const sum = sql<number>`sum(${kycCaseCount.cases})`.mapWith(Number);
  const found = await db
    .select({ kind: sql<string>`concat_ws(' ', ${sql.join([...byCases], sql`, `)})`, cases: count() })
    .from(kycCase)
    .groupBy(...byCases)
    .orderBy(sql`1`);
  const stored = await db
    .select({ kind: sql<string>`concat_ws(' ', ${sql.join([...byCounts], sql`, `)})`, cases: sum })
    .from(kycCaseCount)
    .groupBy(...byCounts)
    .having(sql`${sum} <> 0`)
    .orderBy(sql`1`);
  return { found, stored };
}

it("counts the cases that wait for a person and flags an unread list", async () => {
  await givenCase(db, {});
  await givenCase(db, { status: "PROCESSING" });
  await givenCase(db, { tenant: "boreal" });
  expect(await countCasesWaiting(me)).toEqual({ count: 1, asOf: null, readSoFar: 2 });
});

describe("the kept counts", () => {
  it("keeps the counts equal to the cases after any change", async () => {
    await givenMany(40);
    await givenCase(db, { tenant: "boreal" });
    const own = await givenCase(db, { assigneeId: me.id });
    await db.update(kycCase).set({ status: "REPROVED" }).where(eq(kycCase.kycUUID, own));
    await db
      .update(kycCase)
      .set({ assigneeId: me.id, process: "kyc-backgroundcheck" })
      .where(and(eq(kycCase.kycType, "PJ"), isNull(kycCase.assigneeId)));
    await db.update(kycCase).set({ seenAt: new Date() });
    await db.delete(kycCase).where(eq(kycCase.status, "APPROVED"));
    await db
      .insert(kycCase)
      .values(await db.select().from(kycCase).limit(1))
      .onConflictDoNothing();
    const { found, stored } = await bothWays();
    expect(found.length).toBeGreaterThan(3);
    expect(stored).toEqual(found);
  });

  it("ignores uncommitted changes in the counts", async () => {
    await givenMany(3);
    const broken = db.transaction(async (tx) => {
      await tx.update(kycCase).set({ status: "APPROVED" });
      throw new Error("no");
    });
    await expect(broken).rejects.toThrow("no");
    const { found, stored } = await bothWays();
    expect(stored).toEqual(found);
  });

  it("empties the counts with the table", async () => {
    await givenMany(3);
    await db.execute(sql`truncate kyc_case cascade`);
    expect(await db.$count(kycCaseCount)).toBe(0);
  });

  it("merges many counts into one row a kind, with equal totals", async () => {
    await givenCase(db, { tenant: "boreal" });
    await givenMany(8);
    for (let n = 0; n < 300; n += 1) {
      const to = n % 2 === 0 ? me.id : null;
      const waiting = and(eq(kycCase.tenant, me.tenant), eq(kycCase.status, "PENDING"));
      await db.update(kycCase).set({ assigneeId: to }).where(waiting);
    }
    const { counts } = await counted();
    await foldCounts(db, me.tenant);
    const { found, stored } = await bothWays();
    expect(stored).toEqual(found);
    expect((await counted()).counts).toEqual(counts);
    // People open, companies open, people decided, and the other tenant's one.
    expect(await db.$count(kycCaseCount)).toBe(4);
  });

  it("leaves few counts unmerged", async () => {
    for (let n = 0; n < 4; n += 1) await givenCase(db);
    await foldCounts(db, me.tenant);
    expect(await db.$count(kycCaseCount)).toBe(4);
  });
});

describe("a number of cases", () => {
  it("counts exactly by assignee, status, type and stage, however many", async () => {
    await givenMany(2_000);
    const { counts, views } = await counted({ type: "PF", process: "kyc-documentscopy" });
    expect(counts).toMatchObject({
      open: { cases: 1_000, isExact: true },
      APPROVED: { cases: 334, isExact: true },
      all: { cases: 1_334, isExact: true },
    });
    expect(views).toMatchObject({ unassigned: { cases: 1_500, isExact: true }, mine: { cases: 0, isExact: true } });
  });

  it.each([{ tags: ["pep"] }, { due: "soon" }, { search: "pep" }] as const)(
    'counts "at least" when each case must be checked: %o',
    async (filter) => {
      await givenMany(Math.ceil((MAX_COUNTED * 4) / 3));
      expect((await counted(filter)).counts.PENDING).toEqual({ cases: MAX_COUNTED, isExact: true });
      await givenCase(db, { tags: ["pep"], dueAt: new Date(Date.now() + 3_600_000) });
      const { counts, views } = await counted(filter);
      const more = { cases: MAX_COUNTED, isExact: false };
      expect([counts.PENDING, counts.open, views.due]).toEqual([more, more, more]);
      expect(counts.all.isExact).toBe(false);
      expect(views.all).toEqual({ cases: MAX_COUNTED + 1, isExact: true });
    },
  );
});
