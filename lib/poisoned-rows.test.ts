import { sendTransfer } from "@/lib/transfers/transfer";
import { randomUUID } from "node:crypto";
import { and, asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { watchActor } from "@/lib/permission/grant";
import { providerIntent } from "@/lib/db/tables/provider";
import { reconcileTenant } from "@/lib/boot/boot";
import { kycDecision, kycStart } from "@/lib/db/tables/kyc";
import { openStarts, reconcileStarts } from "@/lib/kyc/start-reconcile";
import { sealSubject } from "@/lib/db/started-case";
import { log } from "@/lib/log/log";
import { onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { seal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenService, givenStaff, givenStore } from "@/test/support/console";
import { internalOrder, openAccount } from "@/test/support/transfers";
import { areaWatch } from "@/lib/boot/area-watches";
import { onboardingWatch } from "@/lib/boot/onboarding-watch";
import { givenOnboarding } from "@/test/support/privacy";
import type { Harness } from "@/test/support/service/harness";
import { givenIntentRows } from "@/test/support/claims";

let db: Db;
let service: Harness;
let staffId = "";
beforeEach(async () => {
  vi.spyOn(log, "error").mockImplementation(() => undefined);
  const [aurora] = givenEnv().tenants;
  givenEnv({ tenants: [aurora, { ...aurora, clientId: "boreal", name: "Boreal" }] });
  db = await givenStore();
  service = await givenService();
  staffId = await givenStaff(db, "compliance", "finance");
});

type Row = typeof providerIntent.$inferInsert;

/** A write whose sender died. */
async function givenSending(operation: string, changes: Partial<Row> = {}): Promise<string> {
  const { id = randomUUID() } = changes;
  const tenant = "aurora";
  const at = new Date();
  const order = { operation, object: `kyc:${id}`, isExclusive: true, actor: staffId, bodyHash: "x", key: randomUUID() };
  const sent = { state: "SENDING", attempts: 1, mayHaveExecuted: false, owner: randomUUID() } as const;
  const times = { sendingUntil: at, createdAt: at, firstSentAt: at };
  await givenIntentRows(db, { tenant, id, ...order, ...sent, ...times, ...changes });
  return id;
}

async function givenDecision(tenant = "aurora"): Promise<string> {
  const intentId = await givenSending("/v1/kyc/manual-decision", { tenant });
  const reason = seal("confere", { column: "kyc_decision.reason", row: [tenant, intentId] });
  const decided = { kycUUID: intentId, decision: "APPROVED", reason, staffId, createdAt: new Date() } as const;
  await db.insert(kycDecision).values({ tenant, intentId, ...decided });
  return intentId;
}

const stateOf = async (id: string) => {
  const [row] = await db.select().from(providerIntent).where(eq(providerIntent.id, id));
  return [row?.state, row?.code, row?.nextTryAt === null];
};

/** The recorded incidents in order: the write and the cause. */
async function incidents(tenant = "aurora") {
  const isIt = and(eq(auditEvent.tenant, tenant), eq(auditEvent.code, "records.unreadable"));
  const rows = await db.select().from(auditEvent).where(isIt).orderBy(asc(auditEvent.seq));
  return rows.map(({ intentId, object, detail }) => [intentId ?? object, detail["why"]]);
}

const trailOf = async (intentId: string) => {
  const rows = await db.select().from(auditEvent).where(eq(auditEvent.intentId, intentId)).orderBy(asc(auditEvent.seq));
  return rows.map(({ code, outcome }) => `${code} ${outcome}`);
};

describe("a row that nothing can be done with", () => {
  it("opens one incident for a missing decision; other rows and tenants settle", async () => {
    const before = await givenDecision();
    const poisoned = await givenDecision();
    const after = await givenDecision();
    const elsewhere = await givenDecision("boreal");
    await db.delete(kycDecision).where(eq(kycDecision.intentId, poisoned));
    await reconcileTenant(db, "aurora");
    await reconcileTenant(db, "boreal");
    for (const sound of [before, after, elsewhere]) expect(await trailOf(sound)).toEqual(["kyc.decide UNKNOWN"]);
    expect(await stateOf(poisoned)).toEqual(["UNKNOWN", "sender-gone", true]);
    expect(await incidents()).toEqual([[poisoned, "row-broken"]]);
    expect(await incidents("boreal")).toEqual([]);
  });

  it("opens one incident for unreadable bytes, and the next one is checked", async () => {
    const parties = [await openAccount(service, 100), await openAccount(service)] as const;
    const send = async (bodySealed?: string) => {
      const { intentId: id, isRepeat: _repeat, seen: _seen, ...body } = internalOrder([...parties]);
      const sealed = seal(sendTransfer.intent.bytesOf(body), {
        column: "bank_intent.body_sealed",
        row: ["aurora", id],
      });
      const due = { state: "UNKNOWN", nextTryAt: new Date(0), bodySealed: bodySealed ?? sealed } as const;
      return givenSending(sendTransfer.claimedAs, { id, ...due, isExclusive: false, object: "account:7" });
    };
    const poisoned = await send("v2.00000000.AAAA");
    const sound = await send();
    await areaWatch("transfers:read").sweep("aurora");
    await areaWatch("transfers:read").sweep("aurora");
    expect(await stateOf(sound)).toEqual(["DONE", null, true]);
    expect(await stateOf(poisoned)).toEqual(["UNKNOWN", null, true]);
    expect(await incidents()).toEqual([[poisoned, "unopened"]]);
  });

  it("opens one incident for an unreadable start, and its person sees it", async () => {
    const start = async () => {
      const at = new Date();
      const intentId = await givenSending("/v1/kyc/person", { state: "UNKNOWN" });
      const subject = { vatNumber: "52998224725", name: "Maria Lima", birthDate: "07-09-1984", motherName: "Josefa" };
      const sealed = sealSubject({ table: "kyc_start", row: ["aurora", intentId] }, subject);
      const check = { kycType: "PF", model: "BASIC", documentscopy: false, isRepeat: false } as const;
      await db.insert(kycStart).values({ tenant: "aurora", intentId, ...check, ...sealed, staffId, createdAt: at });
      return intentId;
    };
    const poisoned = await start();
    const sound = await start();
    await db.update(kycStart).set({ documentSealed: "v1.AAAA" }).where(eq(kycStart.intentId, poisoned));
    const actor = watchActor("kyc", "aurora", "kyc:read");
    await reconcileStarts(db, actor);
    await reconcileStarts(db, actor);
    const open = await openStarts(db, "aurora");
    expect(open.map(({ start: { intentId }, document }) => [intentId, document])).toEqual([
      [poisoned, null],
      [sound, "52998224725"],
    ]);
    expect(await incidents()).toEqual([[poisoned, "unopened"]]);
  });

  it("opens one incident for an unreadable document; the next one is checked", async () => {
    const poisoned = await givenOnboarding(db, "52998224725");
    const sound = await givenOnboarding(db, "11144477735");
    await db.update(onboarding).set({ onBoardingId: null, nextCheckAt: new Date(0) });
    await db.update(onboarding).set({ documentSealed: "v1.AAAA" }).where(eq(onboarding.id, poisoned));
    await onboardingWatch.sweep("aurora");
    expect(await incidents()).toEqual([[`onboarding:${poisoned}`, "unopened"]]);
    const [checked] = await db.select().from(onboarding).where(eq(onboarding.id, sound));
    expect(checked?.nextCheckAt?.getTime()).toBeGreaterThan(0);
  });

  it("opens one incident for an unknown operation, and changes nothing of it", async () => {
    const unknown = await givenSending("/v9/of-a-later-version");
    const sound = await givenDecision();
    await reconcileTenant(db, "aurora");
    await reconcileTenant(db, "aurora");
    expect(await incidents()).toEqual([[unknown, "kind-unknown"]]);
    expect(await stateOf(unknown)).toEqual(["SENDING", null, true]);
    expect(await trailOf(sound)).toEqual(["kyc.decide UNKNOWN"]);
  });
});
