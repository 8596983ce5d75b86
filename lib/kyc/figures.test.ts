import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { staff } from "@/lib/db/tables/staff";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { civilDay, civilDaysAgo } from "@/lib/text/time";
import { readFigures } from "./figures";
import { kycAway, kycEvent } from "@/lib/db/tables/kyc";
import { givenCase } from "@/test/support/kyc";

let db: Db;
let ana = "";
let bruna = "";

beforeEach(async () => {
  givenEnv();
  db = await givenStore();
  ana = await givenStaff(db, "compliance");
  bruna = await givenStaff(db, "compliance");
  await db.update(staff).set({ name: "Bruna Lima" }).where(eq(staff.id, bruna));
});

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
const figures = (days: 14 | 30 | 90 = 14) => readFigures(actorOf("auditor", ana, "kyc:read"), days);

async function givenDecision(by: string, decision: string, at = new Date()): Promise<void> {
  const detail = { decision, state: "DONE" };
  await db.insert(kycEvent).values({ tenant: "aurora", kycUUID: "one", kind: "decided", actor: by, at, detail });
}

describe("what is open", () => {
  it("counts open cases as waiting, due and late, with their age", async () => {
    await givenCase(db, { firstSeenAt: hoursAgo(1), dueAt: hoursAgo(-30) });
    await givenCase(db, { firstSeenAt: hoursAgo(5), dueAt: hoursAgo(-2) });
    await givenCase(db, { firstSeenAt: hoursAgo(30), dueAt: hoursAgo(6) });
    await givenCase(db, { firstSeenAt: hoursAgo(200), status: "PROCESSING", waitingSince: null, dueAt: null });
    await givenCase(db, { status: "APPROVED", decidedAt: new Date(), dueAt: hoursAgo(1) });
    await givenCase(db, { tenant: "boreal" });
    const { ages, medianAgeMs, ...counts } = await figures();
    expect(counts).toMatchObject({ open: 4, waiting: 3, due: 1, late: 1 });
    expect(ages.map(({ fromHours, open }) => [fromHours, open])).toEqual([
      [0, 1],
      [4, 1],
      [24, 1],
      [72, 0],
      [168, 1],
    ]);
    expect(Math.round((medianAgeMs ?? 0) / HOUR_MS)).toBe(18);
  });

  it("counts zero without cases, and gives no median", async () => {
    const empty = await figures();
    expect(empty).toMatchObject({ open: 0, waiting: 0, due: 0, late: 0, medianAgeMs: null, people: [] });
    expect(empty.decided).toEqual({ total: 0, inTime: 0, medianMs: null });
  });
});

describe("what was decided", () => {
  it("lists decisions by day and outcome for the whole period, today last", async () => {
    await givenDecision(ana, "APPROVED");
    await givenDecision(ana, "APPROVED");
    await givenDecision(bruna, "REPROVED", hoursAgo(3 * 24));
    await givenDecision(bruna, "REPROVED", hoursAgo(20 * 24));
    const { perDay } = await figures();
    expect(perDay).toHaveLength(14);
    expect(perDay.at(-1)).toEqual({ day: civilDay(new Date()), approved: 2, reproved: 0 });
    expect(perDay.at(-4)).toEqual({ day: civilDaysAgo(3), approved: 0, reproved: 1 });
    const inAMonth = (await figures(30)).perDay;
    expect(inAMonth.map(({ reproved }) => reproved).reduce((one, other) => one + other)).toBe(2);
  });

  it("shows how long decisions took and how many were in time", async () => {
    const decidedAt = new Date();
    const decided = { status: "APPROVED", decidedAt } as const;
    await givenCase(db, { ...decided, waitingSince: hoursAgo(2), dueAt: hoursAgo(-1) });
    await givenCase(db, { ...decided, waitingSince: hoursAgo(4), dueAt: hoursAgo(1) });
    await givenCase(db, { ...decided, waitingSince: hoursAgo(6), dueAt: hoursAgo(-1) });
    await givenCase(db, { ...decided, waitingSince: null, dueAt: null });
    await givenCase(db, { status: "REPROVED", decidedAt: hoursAgo(24 * 40) });
    const { decided: told } = await figures();
    expect(told).toMatchObject({ total: 3, inTime: 2 });
    expect(Math.round((told.medianMs ?? 0) / HOUR_MS)).toBe(4);
  });

  it("judges in time by the first decision since it waited, not by one over it", async () => {
    const late = { status: "REPROVED", decidedAt: new Date() } as const;
    const kycUUID = await givenCase(db, { ...late, waitingSince: hoursAgo(200), dueAt: hoursAgo(170) });
    const of = { tenant: "aurora", kycUUID, actor: ana };
    const decided = (decision: string, hours: number) => ({
      ...of,
      kind: "decided" as const,
      at: hoursAgo(hours),
      detail: { decision },
    });
    // The first one decided what waited before it was reopened.
    await db.insert(kycEvent).values([decided("REPROVED", 300), decided("APPROVED", 176), decided("REPROVED", 0)]);
    const { decided: told, perDay } = await figures(30);
    expect(told).toMatchObject({ total: 1, inTime: 1 });
    expect(Math.round((told.medianMs ?? 0) / HOUR_MS)).toBe(24);
    expect(perDay.at(-1)).toMatchObject({ approved: 0, reproved: 1 });
  });

  it("lists decisions by person, with open cases and absence", async () => {
    await givenDecision(bruna, "APPROVED");
    await givenDecision(bruna, "REPROVED");
    await givenCase(db, { assigneeId: ana });
    await givenCase(db, { assigneeId: ana, dueAt: hoursAgo(1) });
    const until = hoursAgo(-5);
    await db.insert(kycAway).values({ tenant: "aurora", staffId: ana, until });
    expect((await figures()).people).toEqual([
      { id: bruna, name: "Bruna Lima", approved: 1, reproved: 1, open: 0, late: 0, awayUntil: null },
      { id: ana, name: "Ana Prado", approved: 0, reproved: 0, open: 2, late: 1, awayUntil: until.toISOString() },
    ]);
  });
});
