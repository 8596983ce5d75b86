import { and, eq, isNotNull } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { lookUp } from "@/lib/accounts/look-up";
import { orderedBodyOf } from "@/lib/transfers/records";
import { bankIntent } from "@/lib/bank/schema";
import { ageDemo } from "@/lib/kyc/watch";
import { kycDecision, kycEvent } from "@/lib/kyc/schema";
import { account, auditEvent } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { transfer } from "@/lib/transfers/schema";
import { fillDemo } from "@/service/demo/demo";
import { bankAccount, ledgerMovement } from "@/service/store/schema";
import { actorOf, givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import type { Harness } from "@/test/support/service/harness";
import { givenCase } from "@/test/support/kyc";
import { recallDecisions, recallTransfers } from "./demo-past";

const DAY_MS = 86_400_000;
const ACCOUNTS = 12;

let db: Db;
beforeEach(async () => {
  givenEnv({ isEmbedded: true });
  db = await givenStore();
});

async function givenDemoAccounts(): Promise<Harness> {
  const service = await givenService();
  service.clock.set(Date.now());
  await fillDemo(service.call());
  const looker = actorOf("support", await givenStaff(db, "support"), "accounts:read");
  const isOpen = eq(bankAccount.status, "ACTIVE");
  const opened = await service.call().db.select().from(bankAccount).where(isOpen).limit(ACCOUNTS);
  for (const { onboardingId } of opened) await lookUp(looker, { query: onboardingId });
  await db.update(account).set({ standing: "OPEN" });
  return service;
}

async function recall(): Promise<string[]> {
  const [support, finance] = [await givenStaff(db, "support"), await givenStaff(db, "finance")];
  await recallTransfers(db, {
    looker: actorOf("support", support, "accounts:read"),
    makers: [actorOf("support", support, "transfers:create"), actorOf("finance", finance, "transfers:create")],
  });
  return [support, finance];
}

describe("the demo's past transfers", () => {
  it("are those of the statements, at their times, by both makers, and on the audit record", async () => {
    const service = await givenDemoAccounts();
    const makers = await recall();
    const sent = await db
      .select({ row: transfer, intent: bankIntent })
      .from(transfer)
      .innerJoin(bankIntent, and(eq(bankIntent.tenant, transfer.tenant), eq(bankIntent.id, transfer.intentId)));
    expect(sent.length).toBeGreaterThan(5);
    expect(new Set(sent.map(({ row }) => row.kind))).toEqual(new Set(["INTERNAL", "EXTERNAL"]));
    expect(new Set(sent.map(({ row }) => row.staffId))).toEqual(new Set(makers));
    const movements = await service.call().db.select().from(ledgerMovement);
    const booked = new Map(movements.map(({ id, occurredAt }) => [id, occurredAt.getTime()]));
    for (const { row, intent } of sent) {
      const bookedAt = booked.get(row.transactionId ?? "") ?? 0;
      expect(intent).toMatchObject({ state: "DONE", attempts: 1, finishedAt: new Date(bookedAt) });
      expect(bookedAt - row.createdAt.getTime()).toBe(2_000);
      expect(row.createdAt.getTime()).toBeLessThan(Date.now());
      expect(orderedBodyOf(row.kind, intent)?.amount).toBe(row.amount);
    }
    const days = sent.map(({ row }) => Math.floor((Date.now() - row.createdAt.getTime()) / DAY_MS));
    expect(Math.max(...days)).toBeGreaterThan(14);
    const entries = await db.select().from(auditEvent).where(isNotNull(auditEvent.intentId));
    for (const outcome of ["INTENT", "DONE"])
      expect(entries.filter((entry) => entry.outcome === outcome)).toHaveLength(sent.length);
  }, 60_000);
});

describe("the demo's past decisions", () => {
  it("are two of three that the list told as decided, at their times", async () => {
    for (let n = 0; n < 5; n += 1) await givenCase(db);
    const decided = { status: "APPROVED", waitingSince: null, dueAt: null, decidedAt: new Date() } as const;
    for (let n = 0; n < 30; n += 1) {
      const kycUUID = await givenCase(db, decided);
      const detail = { status: "APPROVED", process: "kyc-backgroundcheck" };
      await db.insert(kycEvent).values({ tenant: "aurora", kycUUID, kind: "seen", actor: null, detail });
    }
    await ageDemo(db, "aurora");
    const decider = await givenStaff(db, "compliance");
    await recallDecisions(db, actorOf("compliance", decider, "kyc:decide"));
    const decisions = await db.select().from(kycDecision);
    expect(decisions.length).toBeGreaterThan(10);
    const events = await db.select().from(kycEvent).where(eq(kycEvent.kind, "decided"));
    expect(new Set(events.map(({ detail }) => detail["intentId"]))).toEqual(
      new Set(decisions.map(({ intentId }) => intentId)),
    );
    expect(events.every(({ actor, at }) => actor === decider && Date.now() - at.getTime() > DAY_MS)).toBe(true);
    expect(await db.$count(bankIntent, eq(bankIntent.state, "DONE"))).toBe(decisions.length);
    expect(await db.$count(kycEvent, eq(kycEvent.kind, "moved"))).toBe(30 - decisions.length);
  });

  it("leave alone what was decided today", async () => {
    await givenCase(db, { status: "APPROVED", decidedAt: new Date() });
    await recallDecisions(db, actorOf("compliance", await givenStaff(db, "compliance"), "kyc:decide"));
    expect(await db.$count(kycDecision)).toBe(0);
  });
});
