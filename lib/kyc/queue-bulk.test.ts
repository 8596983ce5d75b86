import { randomUUID } from "node:crypto";
import { and, asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "@/lib/permission/grant";
import { liveEvent } from "@/lib/db/tables/live";
import { kycAway, kycCase, kycEvent } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { assignMany, tagMany } from "./queue-bulk";
import { AssigningMany, TaggingMany } from "./inputs";
import { givenCase } from "@/test/support/kyc";

let db: Db;
let me: Actor<"kyc:assign">;
let colleague: string;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:assign");
  colleague = await givenStaff(db, "compliance");
});

const assigning = (selection: unknown, to: string | null = colleague) =>
  AssigningMany.parse({ bulkId: randomUUID(), selection, slice: null, to });
const tagging = (selection: unknown, tag: string, isRemoved = false) =>
  TaggingMany.parse({ bulkId: randomUUID(), selection, slice: null, tag, isRemoved });

const owners = async () =>
  (await db.select({ owner: kycCase.assigneeId }).from(kycCase).orderBy(asc(kycCase.seq))).map(({ owner }) => owner);
const events = async () =>
  (await db.select().from(kycEvent).orderBy(asc(kycEvent.id))).map(({ kind, actor, detail }) => ({
    kind,
    actor,
    detail,
  }));

/** Many cases, of which every fourth is decided. */
const givenMany = (count: number) =>
  db.execute(sql`insert into kyc_case (tenant, kyc_uuid, vat_number, kyc_type, process, status, first_seen_at, changed_at, seen_at)
    select 'aurora', gen_random_uuid()::text, '***.456.789-**', 'PF', 'kyc-backgroundcheck',
      case when n % 4 = 0 then 'APPROVED' else 'PENDING' end, now(), now(), now()
    from generate_series(1, ${count}::int) n`);

describe("many cases assigned at once", () => {
  it("assigns every match of the filter on any page, and no other", async () => {
    for (let n = 0; n < 30; n += 1) await givenCase(db, { kycType: n % 10 === 0 ? "PJ" : "PF" });
    expect(await assignMany(me, assigning({ search: "type=PF" }))).toEqual({ matched: 27, changed: 27, rest: null });
    expect((await owners()).filter((owner) => owner === colleague)).toHaveLength(27);
  });

  it("skips decided cases and those already assigned to that person", async () => {
    const open = await givenCase(db, { assigneeId: me.id });
    const decided = await givenCase(db, { status: "REPROVED", decidedAt: new Date() });
    const theirs = await givenCase(db, { assigneeId: colleague });
    expect(await assignMany(me, assigning({ ids: [open, decided, theirs] }))).toEqual({
      matched: 3,
      changed: 1,
      rest: null,
    });
    expect(await owners()).toEqual([colleague, null, colleague]);
  });

  it("returns many cases to the queue", async () => {
    await givenCase(db, { assigneeId: colleague, assignedAt: new Date() });
    await assignMany(me, assigning({ search: "" }, null));
    const [row] = await db.select().from(kycCase);
    expect([row?.assigneeId, row?.assignedAt]).toEqual([null, null]);
    expect(await events()).toEqual([{ kind: "released", actor: me.id, detail: {} }]);
  });

  it("updates timelines and open screens with one audit row", async () => {
    await givenCase(db);
    await givenCase(db);
    const bulk = assigning({ search: "view=unassigned" });
    await assignMany(me, bulk);
    const assigned = { kind: "assigned", actor: me.id, detail: { to: colleague } };
    expect(await events()).toEqual([assigned, assigned]);
    expect(await db.$count(liveEvent, eq(liveEvent.topic, "kyc"))).toBe(1);
    const [entry, ...others] = await db.select().from(auditEvent).where(eq(auditEvent.code, "kyc.assign-many"));
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: me.id,
      outcome: "DONE",
      intentId: bulk.bulkId,
      detail: { to: colleague, filter: "?view=unassigned", matched: 2, rows: 2 },
    });
  });

  it("refuses an assignee who is away or may not decide", async () => {
    const support = await givenStaff(db, "support");
    await givenCase(db);
    await db.insert(kycAway).values({ tenant: me.tenant, staffId: colleague, until: new Date(Date.now() + 3_600_000) });
    await expect(assignMany(me, assigning({ search: "" }))).rejects.toMatchObject({ details: { code: "person-away" } });
    await expect(assignMany(me, assigning({ search: "" }, support))).rejects.toMatchObject({
      details: { code: "not-a-decider" },
    });
    expect(await owners()).toEqual([null]);
  });

  it("assigns cases in batches and leaves later arrivals alone", async () => {
    await givenMany(1_200);
    const bulk = assigning({ search: "status=all" });
    const first = await assignMany(me, bulk);
    expect(first).toMatchObject({ matched: 500, changed: 375 });
    await givenMany(8);
    const second = await assignMany(me, { ...bulk, slice: first.rest });
    const third = await assignMany(me, { ...bulk, slice: second.rest });
    expect([second.matched, third]).toEqual([500, { matched: 200, changed: 150, rest: null }]);
    const assigned = and(eq(kycCase.assigneeId, colleague), eq(kycCase.status, "PENDING"));
    expect(await db.$count(kycCase, assigned)).toBe(900);
    expect(await db.$count(auditEvent, eq(auditEvent.intentId, bulk.bulkId))).toBe(3);
  });

  it("never assigns another tenant's cases", async () => {
    const theirs = await givenCase(db, { tenant: "boreal" });
    await expect(assignMany(me, assigning({ ids: [theirs] }))).rejects.toMatchObject({ kind: "not-found" });
    await assignMany(me, assigning({ search: "status=all" }));
    expect(await owners()).toEqual([null]);
  });
});

describe("tags", () => {
  it("adds and removes tags once, and announces them as stored", async () => {
    const one = await givenCase(db, { tags: ["pep"] });
    const other = await givenCase(db);
    expect(await tagMany(me, tagging({ ids: [one, other] }, " PEP "))).toMatchObject({ matched: 2, changed: 1 });
    expect(await events()).toEqual([{ kind: "tagged", actor: me.id, detail: { tag: "pep" } }]);
    await tagMany(me, tagging({ search: "tags=pep" }, "pep", true));
    const tags = await db.select({ tags: kycCase.tags }).from(kycCase);
    expect(tags.map((row) => row.tags)).toEqual([[], []]);
  });

  it("limits a case to ten tags", async () => {
    const tags = Array.from({ length: 10 }, (_, n) => `tag ${n}`);
    const full = await givenCase(db, { tags });
    expect(await tagMany(me, tagging({ ids: [full] }, "another"))).toMatchObject({ matched: 1, changed: 0 });
  });

  it.each(["52998224725", "529.982.247-25", "12.ABC.345/01DE-35", "<b>", "", "a,b", "x".repeat(31)])(
    "refuses a tag that is a document or malformed: %s",
    (tag) => {
      expect(TaggingMany.safeParse({ ...tagging({ search: "" }, "pep"), selection: { search: "" }, tag }).success).toBe(
        false,
      );
    },
  );
});

it.each(["view=mien", "statsu=PENDING", "status=open", "status=PENDING&after=~4", "search=52998224725"])(
  "refuses an inexact filter: %s",
  (search) => {
    expect(AssigningMany.safeParse({ ...assigning({ search: "" }), selection: { search } }).success).toBe(false);
  },
);
