import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { auditEvent } from "@/lib/db/tables/audit";
import { staffSession } from "@/lib/db/tables/auth";
import { kycAway, kycCase, kycCaseRules, kycEvent } from "@/lib/db/tables/kyc";
import { sweepOnce } from "@/lib/watch/watch";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase } from "@/test/support/kyc";
import { caseRulesOf } from "./case-rules";
import { claimNext } from "./claim-next";
import { dealOut, shareCases } from "./share";
import { STANDARD_RULES } from "./standard-rules-view";
import { deskWatch } from "./watch";

const tenant = "aurora";
const watch = { tenant, id: "watch:kyc-desk" };
let db: Db;
let version = 0;

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  version = 0;
});

async function setMax(openCasesMax: number | null): Promise<void> {
  version += 1;
  const rules = { ...STANDARD_RULES, openCasesMax };
  const staffId = await givenStaff(db, "admin");
  await db.insert(kycCaseRules).values({ tenant, version, rules, staffId, createdAt: new Date() });
}

const minutesAgo = (minutes: number) => sql`clock_timestamp() - ${minutes} * interval '1 minute'`;

async function givenPresent(minutes = 0, at = tenant): Promise<string> {
  const staffId = await givenStaff(db, "compliance");
  const expiresAt = sql`clock_timestamp() + interval '1 hour'`;
  await db
    .insert(staffSession)
    .values({ idHash: randomUUID(), staffId, tenant: at, expiresAt, seenAt: minutesAgo(minutes) });
  return staffId;
}

const openOf = (assigneeId: string) => db.$count(kycCase, eq(kycCase.assigneeId, assigneeId));
const press = (id: string) => claimNext(actorOf("compliance", id, "kyc:assign"), { attemptId: randomUUID() });
const dealt = () => db.$count(kycCase, isNotNull(kycCase.assigneeId));

it("assigns nothing until a rule says so, nor under rules that are older than it", async () => {
  await givenPresent();
  await givenCase(db);
  expect(await shareCases(db, watch)).toBe(0);
  const { openCasesMax: _, ...earlier } = STANDARD_RULES;
  const staffId = await givenStaff(db, "admin");
  await db.insert(kycCaseRules).values({ tenant, version: 1, rules: earlier, staffId, createdAt: new Date() });
  expect((await caseRulesOf(db, tenant)).rules.openCasesMax).toBeNull();
  expect(await shareCases(db, watch)).toBe(0);
});

it("assigns only to deciders who are here and not away, and puts it on record", async () => {
  await setMax(10);
  const here = await givenPresent(1);
  await givenPresent(16);
  await givenPresent(0, "boreal");
  await givenStaff(db, "compliance");
  const away = await givenPresent();
  await db.insert(kycAway).values({ tenant, staffId: away, until: new Date(Date.now() + 3_600_000) });
  const ids = [await givenCase(db), await givenCase(db)];
  await givenCase(db, { status: "PROCESSING" });
  await givenCase(db, { putOffUntil: new Date(Date.now() + 3_600_000) });
  await sweepOnce(deskWatch, tenant);
  expect(await openOf(here)).toBe(2);
  expect(await dealt()).toBe(2);
  const events = await db.select().from(kycEvent).where(eq(kycEvent.kind, "shared"));
  expect(events.map(({ kycUUID, actor, detail }) => [kycUUID, actor, detail])).toEqual(
    ids.map((kycUUID) => [kycUUID, null, { to: here }]),
  );
  const rows = await db.select().from(auditEvent).where(eq(auditEvent.code, "kyc.share"));
  expect(rows.map(({ actor, object, detail }) => [actor, object, detail])).toEqual(
    ids.map((kycUUID) => ["watch:kyc-desk", `kyc:${kycUUID}`, { to: here }]),
  );
});

it("goes on in turn after whoever was served last", async () => {
  await setMax(10);
  const people = [await givenPresent(), await givenPresent(), await givenPresent()];
  for (let round = 0; round < 6; round += 1) {
    await givenCase(db);
    await shareCases(db, watch);
  }
  expect(await Promise.all(people.map(openOf))).toEqual([2, 2, 2]);
});

it("passes over who is full, and counts what people took themselves", () => {
  const people = [
    { id: "a", open: 2 },
    { id: "b", open: 0 },
    { id: "c", open: 1 },
  ];
  const served = dealOut([1, 2, 3, 4], people, { after: "b", max: 2 }).map(({ to }) => to);
  expect(served).toEqual(["c", "b", "b"]);
  expect(dealOut([1], people, { after: "c", max: 3 })).toEqual([{ to: "a", dealt: 1 }]);
  expect(dealOut([1], [], { after: null, max: 3 })).toEqual([]);
});

it("assigns 1,000 cases among ten people at once: none twice, none lost, none over", async () => {
  await db.execute(sql`insert into kyc_case (tenant, kyc_uuid, vat_number, kyc_type, process, status, first_seen_at, changed_at, seen_at, due_at)
    select ${tenant}, gen_random_uuid(), '***.456.789-**', 'PF', 'kyc-backgroundcheck', 'PENDING', now(), now(), now(), now() + n * interval '1 minute'
    from generate_series(1, 1000) n`);
  await setMax(80);
  const people: string[] = [];
  for (let made = 0; made < 10; made += 1) people.push(await givenPresent());
  const others = [await givenStaff(db, "compliance"), await givenStaff(db, "compliance")];
  const [taken, rounds] = await Promise.all([
    Promise.all(others.map(press)),
    Promise.all(Array.from({ length: 10 }, () => shareCases(db, watch))),
  ]);
  // A round leaves out a case that a claim is just writing.
  const shared = rounds.reduce((sum, cases) => sum + cases, await shareCases(db, watch));
  const events = await db.select().from(kycEvent).where(eq(kycEvent.kind, "shared"));
  const ids = [...events, ...taken].map(({ kycUUID }) => kycUUID);
  expect([shared, ids.length, new Set(ids).size]).toEqual([800, 802, 802]);
  expect(await Promise.all(people.map(openOf))).toEqual(people.map(() => 80));
  expect(await db.$count(kycCase)).toBe(1_000);
  expect(await db.$count(auditEvent, eq(auditEvent.code, "kyc.share"))).toBe(800);
  await setMax(100);
  await Promise.all(Array.from({ length: 5 }, () => shareCases(db, watch)));
  await shareCases(db, watch);
  expect(await dealt()).toBe(1_000);
  expect(Math.max(...(await Promise.all(people.map(openOf))))).toBe(100);
  const wrong = and(isNotNull(kycCase.assigneeId), sql`${kycCase.assignedAt} is null`);
  expect(await db.$count(kycCase, wrong)).toBe(0);
});
