import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, it, vi } from "vitest";
import { givenApproval } from "@/test/support/approvals";
import { readTestDatabaseUrl } from "@/lib/settings/env";
import { kycCase } from "@/lib/db/tables/kyc";
import { auditEvent } from "@/lib/db/tables/audit";
import type { Db } from "@/lib/db/connection";
import { endSweep, failSweep, remember } from "@/lib/db/watch-state";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import { claimNext } from "./claim-next";
import { gate } from "@/test/support/gate";
import { givenCase } from "@/test/support/kyc";
import { kycWatch } from "./watch";

const server = readTestDatabaseUrl() ?? "";

let db: Db;
let ana = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
});

const HOUR_MS = 3_600_000;
const dueIn = (hours: number) => ({ dueAt: new Date(Date.now() + hours * HOUR_MS) });
const next = (staffId = ana, attemptId: string = randomUUID()) =>
  claimNext(actorOf("compliance", staffId, "kyc:assign"), { attemptId });

it("takes overdue cases first, then by deadline, then by arrival", async () => {
  const second = await givenCase(db, dueIn(5));
  const sameTime = dueIn(6);
  const third = await givenCase(db, sameTime);
  const fourth = await givenCase(db, sameTime);
  const first = await givenCase(db, dueIn(-30));
  const taken = [await next(), await next(), await next(), await next()];
  expect(taken).toEqual([first, second, third, fourth].map((kycUUID) => ({ kycUUID })));
});

it("skips cases that are assigned, not waiting for us, or awaiting approval", async () => {
  const bruna = await givenStaff(db, "compliance");
  await givenCase(db, { assigneeId: bruna });
  await givenCase(db, { status: "PROCESSING", waitingSince: null, dueAt: null });
  await givenCase(db, { status: "APPROVED", decidedAt: new Date() });
  await givenCase(db, { tenant: "boreal" });
  const proposed = await givenCase(db);
  await givenApproval(db, { tenant: "aurora", id: proposed, makerId: bruna, headline: "um caso" });
  expect(await next()).toEqual({ kycUUID: null, ownWaiting: 0, isListRead: false });
  expect(await next(bruna)).toEqual({ kycUUID: null, ownWaiting: 1, isListRead: false });
});

it.skipIf(server === "")("waits for a case that is just being written instead of passing it over", async () => {
  const urgent = await givenCase(db, dueIn(1));
  await givenCase(db, dueIn(2));
  const held = gate();
  const released = gate();
  const holding = db.transaction(async (tx) => {
    await tx.update(kycCase).set({ seenAt: new Date() }).where(eq(kycCase.kycUUID, urgent));
    held.open();
    await released.opened;
  });
  await held.opened;
  const asked = next();
  // Waits for the blocked query; otherwise the next case would be chosen before this one is free.
  const isWaiting = sql`datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitUntil(async () => (await db.$count(sql`pg_stat_activity`, isWaiting)) > 0, { timeout: 20_000 });
  released.open();
  await holding;
  expect(await asked).toEqual({ kycUUID: urgent });
});

it("never gives two concurrent people the same case", async () => {
  for (const n of Array.from({ length: 12 }).keys()) await givenCase(db, dueIn(n));
  const people = await Promise.all([1, 2, 3, 4].map(() => givenStaff(db, "compliance")));
  const taken = await Promise.all([1, 2, 3].flatMap(() => people.map((id) => next(id))));
  expect(new Set(taken.map(({ kycUUID }) => kycUUID)).size).toBe(12);
  const rows = await db.select().from(kycCase);
  expect(rows.filter(({ assigneeId }) => assigneeId === null)).toEqual([]);
});

it("claims one case for a button press that arrives twice", async () => {
  await givenCase(db, dueIn(1));
  await givenCase(db, dueIn(2));
  const attemptId = randomUUID();
  const [one, other] = await Promise.all([next(ana, attemptId), next(ana, attemptId)]);
  expect(one).toEqual(other);
  expect(await next(ana, attemptId)).toEqual(one);
  expect(await db.select({ code: auditEvent.code }).from(auditEvent)).toEqual([{ code: "kyc.claim" }]);
});

it("does not show one person's claim to another who sends the same id", async () => {
  await givenCase(db, dueIn(1));
  const attemptId = randomUUID();
  await next(ana, attemptId);
  expect(await next(await givenStaff(db, "compliance"), attemptId)).toEqual({
    kycUUID: null,
    ownWaiting: 0,
    isListRead: false,
  });
});

it("says that nothing waits only after a complete, current read", async () => {
  await givenService();
  expect(await next()).toMatchObject({ kycUUID: null, isListRead: false });
  await sweepOnce(kycWatch, "aurora");
  expect(await next()).toMatchObject({ kycUUID: null, isListRead: true });
  const key = { tenant: "aurora", name: "kyc" };
  await db.transaction((tx) => failSweep(tx, key, { kind: "restricted", code: "ACCOUNT_SUSPENDED" }));
  expect(await next()).toMatchObject({ kycUUID: null, isListRead: false });
  await db.transaction((tx) => endSweep(tx, key, new Date()));
  await remember(db, key, {});
  expect(await next()).toMatchObject({ kycUUID: null, isListRead: false });
});

it("finds the next case by an index, however many there are", async () => {
  await db.execute(sql`insert into kyc_case (tenant, kyc_uuid, vat_number, kyc_type, process, status, first_seen_at, changed_at, seen_at, due_at)
    select 'aurora', gen_random_uuid(), '***.456.789-**', 'PF', 'kyc-backgroundcheck', case n % 5 when 0 then 'PENDING' else 'APPROVED' end,
      now(), now(), now(), now() + n * interval '1 second' from generate_series(1, 5000) n`);
  await db.execute(sql`analyze kyc_case`);
  const plan = await db.execute(sql`explain select kyc_uuid from kyc_case
    where tenant = 'aurora' and status = 'PENDING' and assignee_id is null order by due_at, seq limit 1`);
  expect(JSON.stringify(plan)).toContain("kyc_case_next");
});
