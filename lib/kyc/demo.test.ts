import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { providerIntent } from "@/lib/db/tables/provider";
import { kycCase, kycDecision, kycEvent } from "@/lib/db/tables/kyc";
import type { Db } from "@/lib/db/connection";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { sweepOnce } from "@/lib/watch/watch";
import { ageDemo, recallDecisions, reopenOne } from "./demo";
import { readCaseQueue } from "./queue";
import { givenCase, startKyc } from "@/test/support/kyc";
import { kycWatch } from "./watch";
import { readWorkload } from "./workload";

const DAY_MS = 86_400_000;

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const numbers = async () => {
  const me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
  const late = await readCaseQueue(me, { due: "late" });
  const soon = await readCaseQueue(me, { due: "soon" });
  return [late.total.cases, soon.total.cases];
};

async function ageWithDecided(count: number): Promise<void> {
  for (let n = 0; n < 5; n += 1) await givenCase(db);
  const decided = { status: "APPROVED", waitingSince: null, dueAt: null, decidedAt: new Date() } as const;
  for (let n = 0; n < count; n += 1) {
    const kycUUID = await givenCase(db, decided);
    const detail = { status: "APPROVED", process: "kyc-backgroundcheck" };
    await db.insert(kycEvent).values({ tenant: "aurora", kycUUID, kind: "seen", actor: null, detail });
  }
  await ageDemo(db, "aurora");
}

describe("the demo's cases", () => {
  it("gives the demo a working desk: one case late, two due soon", async () => {
    for (let n = 0; n < 6; n += 1) {
      const kycUUID = await givenCase(db);
      const seen = { kind: "seen", actor: null, detail: {} } as const;
      await db.insert(kycEvent).values({ tenant: "aurora", kycUUID, ...seen });
    }
    const before = (await db.select().from(kycEvent).orderBy(asc(kycEvent.id))).map(({ at }) => at.getTime());
    await ageDemo(db, "aurora");
    expect(await numbers()).toEqual([1, 2]);
    const after = (await db.select().from(kycEvent).orderBy(asc(kycEvent.id))).map(({ at }) => at.getTime());
    expect(after.map((at, n) => ((before[n] ?? 0) - at) / 3_600_000)).toEqual([27, 21, 18, 11, 5, 0]);
  });

  it("includes one reopened demo case, marked in queue and timeline", async () => {
    await ageWithDecided(3);
    await reopenOne(db, "aurora");
    const me = actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read");
    const { rows } = await readCaseQueue(me, { status: "open" });
    const reopened = rows.filter((row) => row.reopened !== null);
    expect(reopened).toMatchObject([{ status: "PENDING", reopened: { from: "APPROVED" } }]);
    const isOfCase = eq(kycEvent.kycUUID, reopened[0]?.kycUUID ?? "");
    const events = await db.select().from(kycEvent).where(isOfCase).orderBy(asc(kycEvent.at));
    expect(events.map(({ detail }) => detail["to"] ?? "seen").slice(-2)).toEqual(["APPROVED", "PENDING"]);
  });

  it("spreads demo cases over two weeks, as their timelines show", async () => {
    await ageWithDecided(30);
    const { days } = await readWorkload(actorOf("compliance", await givenStaff(db, "compliance"), "kyc:read"));
    expect(days).toHaveLength(14);
    for (const { arrived, decided: ended } of days.slice(1, 13)) expect([arrived > 0, ended > 0]).toContain(true);
    const events = await db.select().from(kycEvent).where(eq(kycEvent.kind, "moved"));
    expect(events.map(({ detail }) => detail["to"])).toEqual(Array.from({ length: 30 }, () => "APPROVED"));
    const cases = await db.select().from(kycCase).where(eq(kycCase.status, "APPROVED"));
    expect(new Set(cases.map(({ decidedAt }) => decidedAt?.getTime()))).toEqual(
      new Set(events.map(({ at }) => at.getTime())),
    );
  });

  it("leaves real cases alone where fewer wait", async () => {
    for (let n = 0; n < 4; n += 1) await givenCase(db);
    await ageDemo(db, "aurora");
    expect(await numbers()).toEqual([0, 0]);
  });

  it.each([
    { provider: "with its demo data", hasDemoData: true, expected: [1, 2] },
    { provider: "without", hasDemoData: false, expected: [0, 0] },
  ])("backdates demo cases once, and only with demo data: $provider", async ({ hasDemoData, expected }) => {
    givenEnv({ isEmbedded: true, hasDemoData });
    const service = await givenService();
    const started: string[] = [];
    for (let n = 0; n < 6; n += 1) started.push(await startKyc(service));
    for (const id of started) await service.control("POST", `/sandbox/kyc/${id}`, { status: "PENDING" });
    await sweepOnce(kycWatch, "aurora");
    await sweepOnce(kycWatch, "aurora");
    expect(await numbers()).toEqual(expected);
  });
});

describe("the demo's past decisions", () => {
  it("covers two of three decided demo cases, at their times", async () => {
    await ageWithDecided(30);
    const decider = await givenStaff(db, "compliance");
    await recallDecisions(db, actorOf("compliance", decider, "kyc:decide"));
    const decisions = await db.select().from(kycDecision);
    expect(decisions.length).toBeGreaterThan(10);
    const events = await db.select().from(kycEvent).where(eq(kycEvent.kind, "decided"));
    expect(new Set(events.map(({ detail }) => detail["intentId"]))).toEqual(
      new Set(decisions.map(({ intentId }) => intentId)),
    );
    expect(events.every(({ actor, at }) => actor === decider && Date.now() - at.getTime() > DAY_MS)).toBe(true);
    expect(await db.$count(providerIntent, eq(providerIntent.state, "DONE"))).toBe(decisions.length);
    expect(await db.$count(kycEvent, eq(kycEvent.kind, "moved"))).toBe(30 - decisions.length);
  });

  it("leaves today's decisions alone", async () => {
    await givenCase(db, { status: "APPROVED", decidedAt: new Date() });
    await recallDecisions(db, actorOf("compliance", await givenStaff(db, "compliance"), "kyc:decide"));
    expect(await db.$count(kycDecision)).toBe(0);
  });
});
