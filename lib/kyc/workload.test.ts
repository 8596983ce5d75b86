import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import type { Db } from "@/lib/db/connection";
import { civilDaysAgo, civilInstant } from "@/lib/text/time";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { givenCase } from "@/test/support/kyc";
import { readCaseQueue } from "./queue";
import { kycEvent } from "@/lib/db/tables/kyc";
import { DEADLINES } from "./view";
import { readFigures } from "./figures";
import { readWorkload } from "./workload";

let db: Db;
let ana = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
});

const me = () => actorOf("compliance", ana, "kyc:read");
const workload = () => readWorkload(me());
const at = (daysAgo: number, time: string) => civilInstant(`${civilDaysAgo(daysAgo)}T${time}`);

const givenListReadSince = (daysAgo: number, tenant = "aurora") =>
  db
    .insert(kycEvent)
    .values({ tenant, kycUUID: "first", kind: "seen", actor: null, at: at(daysAgo, "12:00:00"), detail: {} });

type Move = { from: string; to: string; at: Date };

/** What the history of a case says: the status in which it was first seen, then each move. */
async function givenHistory(seen: { status: string; at: Date; tenant?: string }, ...moves: readonly Move[]) {
  const { status, at: seenAt, tenant = "aurora" } = seen;
  const of = { tenant, kycUUID: randomUUID(), actor: null };
  await db
    .insert(kycEvent)
    .values([
      { ...of, kind: "seen", at: seenAt, detail: { status } },
      ...moves.map(({ at: movedAt, ...detail }) => ({ ...of, kind: "moved" as const, at: movedAt, detail })),
    ]);
}

const busyDays = async () => (await workload()).days.filter(({ arrived, decided }) => arrived + decided > 0);

it("counts arrivals and decisions by São Paulo days", async () => {
  await givenListReadSince(30);
  const decided = (to: string, daysAgo: number, time: string) => ({ from: "PENDING", to, at: at(daysAgo, time) });
  await givenHistory({ status: "PENDING", at: at(3, "00:00:00") });
  await givenHistory({ status: "PENDING", at: at(3, "23:59:59") }, decided("APPROVED", 1, "00:30:00"));
  await givenHistory({ status: "PENDING", at: at(20, "12:00:00") }, decided("REPROVED", 1, "23:30:00"));
  await givenHistory({ status: "PENDING", at: at(20, "12:00:00") }, decided("APPROVED", 19, "12:00:00"));
  const { days } = await workload();
  expect(days).toHaveLength(14);
  expect(await busyDays()).toEqual([
    { day: civilDaysAgo(3), arrived: 2, decided: 0 },
    { day: civilDaysAgo(1), arrived: 0, decided: 2 },
  ]);
  expect([days[0]?.day, days.at(-1)?.day]).toEqual([civilDaysAgo(13), civilDaysAgo(0)]);
});

it("keeps arrival and decision of a reopened case, and counts it once more", async () => {
  await givenListReadSince(30);
  await givenHistory(
    { status: "PROCESSING", at: at(6, "12:00:00") },
    { from: "PROCESSING", to: "PENDING", at: at(5, "12:00:00") },
    { from: "PENDING", to: "APPROVED", at: at(4, "12:00:00") },
    { from: "APPROVED", to: "PENDING", at: at(3, "12:00:00") },
    { from: "PENDING", to: "REPROVED", at: at(2, "12:00:00") },
    { from: "REPROVED", to: "APPROVED", at: at(1, "12:00:00") },
  );
  expect(await busyDays()).toEqual([
    { day: civilDaysAgo(5), arrived: 1, decided: 0 },
    { day: civilDaysAgo(4), arrived: 0, decided: 1 },
    { day: civilDaysAgo(3), arrived: 1, decided: 0 },
    { day: civilDaysAgo(2), arrived: 0, decided: 1 },
    { day: civilDaysAgo(1), arrived: 0, decided: 1 },
  ]);
});

it("counts the team's decisions as the figures do, an overruling too", async () => {
  await givenListReadSince(30);
  const of = { tenant: "aurora", actor: ana };
  const own = (kycUUID: string, decision: string, daysAgo: number) => ({
    ...of,
    kycUUID,
    kind: "decided" as const,
    at: at(daysAgo, "12:00:00"),
    detail: { decision },
  });
  const seen = { ...of, kind: "seen" as const, at: at(20, "12:00:00") };
  await db
    .insert(kycEvent)
    .values([
      { ...seen, kycUUID: "overruled", detail: { status: "PENDING" } },
      own("overruled", "APPROVED", 4),
      own("overruled", "REPROVED", 1),
      { ...seen, kycUUID: "checked", detail: { status: "PROCESSING" } },
      own("checked", "APPROVED", 1),
    ]);
  const { perDay } = await readFigures(me(), 14);
  const busy = perDay.filter(({ approved, reproved }) => approved + reproved > 0);
  expect(busy.map(({ day, approved, reproved }) => [day, approved + reproved])).toEqual([
    [civilDaysAgo(4), 1],
    [civilDaysAgo(1), 2],
  ]);
  expect((await busyDays()).map(({ day, decided }) => [day, decided])).toEqual([
    [civilDaysAgo(4), 1],
    [civilDaysAgo(1), 2],
  ]);
});

it("counts a decision of our own once, also where its answer was lost", async () => {
  await givenListReadSince(30);
  const of = { tenant: "aurora", actor: null };
  const own = (kycUUID: string, daysAgo: number) => ({
    ...of,
    kycUUID,
    kind: "decided" as const,
    at: at(daysAgo, "12:00:00"),
    detail: { decision: "APPROVED" },
  });
  const seen = (kycUUID: string) => ({
    ...of,
    kycUUID,
    kind: "seen" as const,
    at: at(20, "12:00:00"),
    detail: { status: "PENDING" },
  });
  const moved = { ...of, kind: "moved" as const, at: at(3, "11:59:00"), detail: { from: "PENDING", to: "APPROVED" } };
  await db.insert(kycEvent).values([
    seen("ours"),
    own("ours", 4),
    // It says again what was decided.
    own("ours", 2),
    seen("lost"),
    { ...moved, kycUUID: "lost" },
    own("lost", 3),
  ]);
  expect(await busyDays()).toEqual([
    { day: civilDaysAgo(4), arrived: 0, decided: 1 },
    { day: civilDaysAgo(3), arrived: 0, decided: 1 },
  ]);
});

it("ignores cases decided without waiting for us, and other tenants' cases", async () => {
  await givenListReadSince(30);
  const noon = at(1, "12:00:00");
  await givenHistory({ status: "APPROVED", at: noon });
  await givenHistory({ status: "PROCESSING", at: noon }, { from: "PROCESSING", to: "APPROVED", at: noon });
  await givenHistory({ status: "PENDING", at: noon, tenant: "boreal" });
  expect(await busyDays()).toEqual([]);
  expect((await workload()).deadlines).toEqual({ late: 0, today: 0, tomorrow: 0, "after-tomorrow": 0 });
});

it("starts the day after the list was first read, as that day holds the backlog", async () => {
  expect((await workload()).days).toEqual([]);
  await givenListReadSince(30, "boreal");
  await givenListReadSince(0);
  expect((await workload()).days).toEqual([]);
  await givenListReadSince(3);
  expect((await workload()).days.map(({ day }) => day)).toEqual([2, 1, 0].map((days) => civilDaysAgo(days)));
});

it("counts under each deadline what the linked queue lists", async () => {
  await givenCase(db, { dueAt: at(1, "12:00:00") });
  await givenCase(db, { dueAt: at(0, "23:59:59") });
  await givenCase(db, { dueAt: at(-1, "00:00:00") });
  await givenCase(db, { dueAt: at(-1, "23:59:59") });
  await givenCase(db, { dueAt: at(-2, "00:00:00") });
  await givenCase(db, { dueAt: at(-9, "12:00:00") });
  await givenCase(db, { status: "PROCESSING", waitingSince: null, dueAt: null });
  await givenCase(db, { status: "APPROVED", decidedAt: new Date(), dueAt: at(-1, "12:00:00") });
  const { deadlines } = await workload();
  expect(deadlines).toEqual({ late: 1, today: 1, tomorrow: 2, "after-tomorrow": 2 });
  for (const due of DEADLINES) {
    const { total, rows } = await readCaseQueue(me(), { due });
    expect([due, total.cases, rows.length]).toEqual([due, deadlines[due], deadlines[due]]);
  }
});
