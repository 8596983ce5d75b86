import { randomUUID } from "node:crypto";
import { isNotNull, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { accountClosure } from "@/lib/db/tables/accounts";
import { providerIntent } from "@/lib/db/tables/provider";
import { caseworkFile, caseworkNote } from "@/lib/db/tables/notes";
import { maskDocument } from "@/lib/contract/document";
import { dossier } from "@/lib/db/tables/dossiers";
import { kycCase, kycDecision, kycEvent, kycStart } from "@/lib/db/tables/kyc";
import { givenCase, givenStarted } from "@/test/support/kyc";
import { noteOnboardingEvents } from "@/lib/onboarding/records";
import { onboardingEvent, onboardingLink, onboardingReading } from "@/lib/db/tables/onboarding";
import { RETENTION_CLASS_NAMES } from "./view";
import { staffSession } from "@/lib/db/tables/auth";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import { lookupHash, seal } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { givenEnv, givenStaff, givenStore } from "@/test/support/console";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { payee } from "@/lib/db/tables/transfers";
import { chainMovement, cryptoOrder, wallet, walletRequest } from "@/lib/db/tables/wallets";
import { signedInBeside } from "@/test/support/slices";
import { readRetention, RETENTION_CLASSES, runRetention } from "./retention";
import { customerAccess } from "@/lib/db/tables/privacy";
import { givenAccount, givenOnboarding } from "@/test/support/privacy";
import { givenIntentRows, givenClaim } from "@/test/support/claims";

const DAY_MS = 24 * 60 * 60_000;
const CPF = "52998224725";
const tenant = "aurora";
const daysAgo = (days: number) => sql`clock_timestamp() - ${days} * interval '1 day'`;

let db: Db;
beforeEach(async () => {
  givenEnv();
  db = await givenStore();
});

const due = async (at = tenant) =>
  Object.fromEntries(
    (await readRetention(db, at)).filter((one) => one.due > 0).map(({ name, due: rows }) => [name, rows]),
  );
const run = (isDaily = false) => runRetention(db, { tenant, by: "command", isDaily });
const trail = () => db.select().from(auditEvent).orderBy(auditEvent.seq);

async function givenSession(endedDaysAgo: number, at = tenant): Promise<void> {
  const staffId = await givenStaff(db, "support");
  const endedAt = daysAgo(endedDaysAgo);
  await db.insert(staffSession).values({ idHash: randomUUID(), staffId, tenant: at, expiresAt: endedAt, endedAt });
}

async function givenOrder(state: "DONE" | "UNKNOWN", finishedDaysAgo: number): Promise<string> {
  const id = randomUUID();
  await givenIntentRows(db, {
    tenant,
    id,
    operation: "/v1/transfers",
    object: "account:7",
    isExclusive: false,
    actor: "ana",
    bodyHash: lookupHash("{}"),
    bodySealed: seal("{}", { column: "bank_intent.body_sealed", row: [tenant, id] }),
    key: id,
    state,
    attempts: 1,
    mayHaveExecuted: true,
    owner: id,
    sendingUntil: daysAgo(finishedDaysAgo),
    createdAt: daysAgo(finishedDaysAgo),
    finishedAt: daysAgo(finishedDaysAgo),
  });
  return id;
}

async function givenEndedOnboarding(days: number, accountId: string | null = null): Promise<string> {
  const id = await givenOnboarding(db, CPF);
  const ended = { status: "ERROR" as const, accountId, changedAt: daysAgo(days) };
  await db
    .update(onboarding)
    .set(ended)
    .where(sql`${onboarding.id} = ${id}`);
  return id;
}

describe("what is kept for a while", () => {
  it("lists each retention class once, with a name", () => {
    expect(RETENTION_CLASSES.map(({ name }) => name)).toEqual([...RETENTION_CLASS_NAMES]);
  });

  it("covers every table with sealed data or a person's traces, or says why not", async () => {
    const Tables = z.object({ rows: z.array(z.object({ name: z.string() })) });
    const found = await db.execute(sql`select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and (column_name like '%\_sealed' or column_name in ('actor', 'staff_id'))`);
    const covered = [
      "account_entry",
      "bank_call",
      "customer_look",
      "staff_session",
      "bank_intent",
      "crypto_order",
      "deposit",
      "transfer_payee",
      "casework_content",
      "casework_file",
      "casework_note",
      "onboarding",
      // Deleted with their onboarding.
      "onboarding_event",
      "onboarding_reading",
      "onboarding_request",
      "kyc_decision",
      "kyc_event",
      // Deleted with their case; what people wrote are notes.
      "kyc_escalation",
      "kyc_put_off",
      "suspicion",
      "suspicion_step",
      "kyc_start",
      "kyc_start_member",
      "dossier",
      "draft",
      // Deleted once it is sent or given up.
      "mail_notice",
      // A piece is deleted with its file.
      "movement_chunk",
      "movement_export",
      "payee",
      "receiver_drill",
      "reveal",
      "reveal_alarm",
      "wallet",
      "wallet_request",
      "webhook_event",
      "webhook_refusal",
      "webhook_replay",
    ];
    // Accounts and people stay as long as the relationship; evidence of who did what stays for good.
    const stored = [
      "account",
      "access_review",
      "account_closure",
      "approval",
      "approval_comment",
      "outcome_conclusion",
      "outcome_exclusion",
      "position_rate",
      "approval_policy",
      "audit_event",
      "intent_claim",
      "kyc_away",
      "kyc_case_count",
      "business_calendar",
      "kyc_case_rules",
      "saved_view",
      "tenant_setting",
      "transfer",
    ];
    const ofStaff = /^(staff|sign_in|invitation|password_link|mail_settings)/;
    const names = Tables.parse(found).rows.map(({ name }) => name);
    expect(names.filter((name) => !ofStaff.test(name) && !covered.includes(name) && !stored.includes(name))).toEqual(
      [],
    );
  });

  it("counts data before deletion, without changing anything", async () => {
    await givenSession(91);
    await givenSession(89);
    await givenOrder("DONE", 3_700);
    await givenEndedOnboarding(3_700);
    expect(await due()).toEqual({ sessions: 1, "order-bodies": 1, onboardings: 1 });
    expect(await due("boreal")).toEqual({});
    expect(await db.$count(staffSession)).toBe(2);
    expect(await trail()).toEqual([]);
  });

  it("deletes data, and audits class and count", async () => {
    await givenSession(91);
    await givenSession(91, "boreal");
    await givenSession(89);
    await run();
    expect(await db.$count(staffSession)).toBe(2);
    expect(await due()).toEqual({});
    expect(await due("boreal")).toEqual({ sessions: 1 });
    expect(await trail()).toMatchObject([
      { code: "retention.run", tenant, actor: "command", detail: { class: "sessions", days: 90, rows: 1 } },
    ]);
  });

  it("deletes data in independent batches", async () => {
    const accesses = Array.from({ length: 2_300 }, (_, n) => ({
      tenant,
      actor: "ana",
      object: `account:${n}` as const,
      recordedAt: daysAgo(2),
      seenAt: daysAgo(2),
    }));
    await db.insert(customerAccess).values(accesses);
    await run();
    expect(await db.$count(customerAccess)).toBe(0);
    expect((await trail()).map(({ detail }) => detail["rows"])).toEqual([1_000, 1_000, 300]);
  });

  it("holds the audit record's lock no longer than one batch of deletions", async () => {
    const accesses = Array.from({ length: 1_001 }, (_, n) => ({
      tenant,
      actor: "ana",
      object: `account:${n}` as const,
    }));
    await db
      .insert(customerAccess)
      .values(accesses.map((one) => ({ ...one, recordedAt: daysAgo(2), seenAt: daysAgo(2) })));
    const codes = await signedInBeside(db, run);
    expect(codes).toHaveLength(3);
    expect(codes.at(-1)).toBe("retention.run");
  });

  it("drops a payee that nobody paid for 180 days", async () => {
    const row = {
      tenant,
      kind: "EXTERNAL",
      destinationSealed: "x",
      detailsSealed: null,
      savedAt: daysAgo(400),
    } as const;
    await db.insert(payee).values([
      { ...row, id: randomUUID(), destinationHash: "a", paidAt: daysAgo(181) },
      { ...row, id: randomUUID(), destinationHash: "b", paidAt: daysAgo(10) },
      { ...row, id: randomUUID(), destinationHash: "c", paidAt: null },
    ]);
    await run();
    expect(await db.select({ hash: payee.destinationHash }).from(payee)).toEqual([{ hash: "b" }]);
  });

  it("drops a deposit address's customer years after its last movement", async () => {
    const staffId = await givenStaff(db, "finance");
    const seen = {
      tenant,
      family: "EVM",
      coin: "ETH",
      status: "ACTIVE",
      createdAt: daysAgo(9_999),
      seenAt: daysAgo(1),
    };
    for (const [id, movedDaysAgo] of Object.entries({ still: 3_700, living: 10 })) {
      const intentId = await givenOrder("DONE", 3);
      const request = { tenant, intentId, kind: "address", family: "EVM", isForward: true, staffId } as const;
      const sealed = { referenceHash: "a", referenceSealed: "x", customerHash: null, customerSealed: null };
      await db
        .insert(walletRequest)
        .values({ ...request, ...sealed, createdAt: daysAgo(4_000), address: id.toUpperCase() });
      await db.insert(wallet).values({ ...seen, id, address: id, referenceHash: "b", referenceSealed: "y" });
      const moved = {
        tenant,
        walletId: id,
        network: "BSC",
        key: "k",
        ordinal: 0,
        hash: "h",
        subtype: "incoming",
      } as const;
      await db.insert(chainMovement).values({ ...moved, counterAddress: "x", amount: "1", at: daysAgo(movedDaysAgo) });
    }
    expect(await due()).toEqual({ "wallet-references": 2 });
    await run();
    const told = await db.select().from(wallet).where(isNotNull(wallet.referenceSealed));
    expect(told.map(({ id }) => id)).toEqual(["living"]);
    const rows = await db.select().from(walletRequest);
    expect(rows.filter(({ referenceSealed }) => referenceSealed === null)).toMatchObject([
      { address: "STILL", referenceHash: null },
    ]);
    expect(rows).toHaveLength(2);
  });

  it("drops a position's parts after a year and keeps its sums", async () => {
    const place = { tenant, network: "", kind: "account" } as const;
    const keep = async (day: string, days: number) => {
      const at = daysAgo(days);
      await db.insert(positionRound).values({ tenant, day, startedAt: at, total: 1, tried: 1, failed: 0 });
      const reading = { ...place, day, subject: "account:7", figures: [], attempts: 1 };
      await db.insert(positionReading).values({ ...reading, readAt: at, triedAt: at });
      const sum = { ...place, day, asset: "BRL", token: "", part: "available", amount: "1" } as const;
      await db.insert(positionSum).values({ ...sum, readings: 1, unread: 0, oldestAt: at });
    };
    await keep("2024-07-01", 367);
    await keep("2024-07-02", 365);
    await run(true);
    expect(await db.select({ day: positionReading.day }).from(positionReading)).toEqual([{ day: "2024-07-02" }]);
    expect(await db.$count(positionSum)).toBe(2);
  });

  it("erases an order's payee after the bookkeeping years, but keeps the order", async () => {
    await givenOrder("DONE", 3_700);
    await givenOrder("UNKNOWN", 3_700);
    await givenOrder("DONE", 399);
    await run();
    const rows = await db.select().from(providerIntent);
    expect(rows.filter(({ bodySealed }) => bodySealed === null)).toMatchObject([{ state: "DONE" }]);
    expect(rows).toHaveLength(3);
  });

  it("keeps the destinations of coins for the bookkeeping years", async () => {
    const orders = [399, 3_700].map((days) => ({ intentId: randomUUID(), orderedAt: daysAgo(days) }));
    await givenClaim(
      db,
      orders.map(({ intentId: id }) => ({ tenant, id })),
    );
    await db.insert(cryptoOrder).values(orders.map((order) => ({ ...order, tenant, orderSealed: "sealed" })));
    expect(await due()).toEqual({ "order-bodies": 1 });
    await run();
    expect(await db.$count(cryptoOrder)).toBe(1);
  });

  describe("of a case", () => {
    const kycUUID = "k-1";
    const everything = { kyc: 5, casework: 2 };
    let staffId = "";
    beforeEach(async () => {
      staffId = await givenStaff(db, "compliance");
    });

    /** All rows of a decided case of that age; `document`: the holder's, when our own people started it. */
    async function givenDecidedCase(days: number, document: string | null = null): Promise<void> {
      const at = new Date(Date.now() - days * DAY_MS);
      const object = `kyc:${kycUUID}` as const;
      const dates = { firstSeenAt: at, changedAt: at, decidedAt: at, seenAt: at };
      await givenCase(db, { kycUUID, vatNumber: maskDocument(CPF), status: "APPROVED", ...dates });
      await givenStarted(db, staffId, { kycUUID, document: document ?? "39053344705" });
      await db.update(kycStart).set({ createdAt: at });
      const [start] = await db.select().from(kycStart);
      const intentId = start?.intentId ?? "";
      const by = { tenant, staffId, createdAt: at };
      await db
        .insert(kycDecision)
        .values({ ...by, intentId, kycUUID, decision: "APPROVED", reason: "sealed", checklist: [] });
      await db.insert(kycEvent).values({ tenant, kycUUID, at, kind: "seen", actor: null, detail: {} });
      await db
        .insert(dossier)
        .values({ ...by, id: randomUUID(), object, intentId, opening: intentId, frozenHash: "x" });
      await db.insert(caseworkNote).values({ ...by, id: randomUUID(), object });
      const file = { nameSealed: "sealed", mediaType: "application/pdf", sizeBytes: 1, sha256: "x" };
      await db.insert(caseworkFile).values({ ...by, id: randomUUID(), object, ...file });
    }

    async function closeAccount(accountRef: string, daysBefore: number): Promise<void> {
      const closed = await givenOrder("DONE", daysBefore);
      const createdAt = daysAgo(daysBefore);
      await db
        .insert(accountClosure)
        .values({ tenant, intentId: closed, accountRef, reasonSealed: "sealed", staffId, createdAt });
      await db.update(providerIntent).set({ bodySealed: null }).where(eq(providerIntent.id, closed));
    }

    it("keeps a case from its decision on when no account of its holder is known", async () => {
      await givenDecidedCase(3_700);
      await givenAccount(db, "11144477735");
      expect(await due()).toEqual(everything);
      await run();
      for (const table of [kycDecision, kycEvent, kycStart, kycCase, dossier, caseworkNote, caseworkFile])
        expect(await db.$count(table)).toBe(0);
    });

    it.each([
      ["by the mask of its document", null],
      ["by the document that it was started with", CPF],
    ])("keeps a case while its holder's account, known %s, is open, and as long after", async (_how, document) => {
      await givenDecidedCase(9_999, document);
      // As an earlier release stored it, without a mask.
      const ref = await givenAccount(db, CPF);
      if (document !== null) await db.update(account).set({ documentMask: null });
      expect(await due()).toEqual({});
      await closeAccount(ref, 3_600);
      expect(await due()).toEqual({});
      await run();
      expect(await db.$count(caseworkFile)).toBe(1);
      await db.update(providerIntent).set({ finishedAt: daysAgo(3_700) });
      expect(await due()).toEqual(everything);
    });

    it("keeps a case from its holder's last closed account on", async () => {
      await givenDecidedCase(9_999);
      const first = await givenAccount(db, CPF);
      const second = await givenAccount(db, CPF);
      await closeAccount(first, 9_000);
      expect(await due()).toEqual({});
      await closeAccount(second, 3_700);
      expect(await due()).toEqual(everything);
      await db.update(providerIntent).set({ contradictedAt: daysAgo(1) });
      expect(await due()).toEqual({});
    });

    it("keeps a case whose holder's onboarding led to an account not looked up", async () => {
      await givenDecidedCase(9_999);
      await givenEndedOnboarding(9_999, "account-7");
      expect(await due()).toEqual({});
    });

    it("ignores accounts of other tenants in a case's retention", async () => {
      await givenDecidedCase(3_700);
      await givenAccount(db, CPF, "boreal");
      expect(await due()).toEqual(everything);
    });
  });

  it("keeps an onboarding's notes and files while its account is open", async () => {
    const staffId = await givenStaff(db, "support");
    const onboardingId = await givenEndedOnboarding(9_999, "account-7");
    const object = `onboarding:${onboardingId}` as const;
    await db.insert(caseworkNote).values({ tenant, id: randomUUID(), object, staffId, createdAt: daysAgo(9_999) });
    expect(await due()).toEqual({});
    await db.update(onboarding).set({ accountId: null });
    expect(await due()).toEqual({ onboardings: 1, casework: 1 });
  });

  it("keeps an account's notes and files while its holder has one open", async () => {
    const staffId = await givenStaff(db, "support");
    const object = `account:${await givenAccount(db, CPF)}` as const;
    await db.insert(caseworkNote).values({ tenant, id: randomUUID(), object, staffId, createdAt: daysAgo(9_999) });
    expect(await due()).toEqual({});
    await db.delete(account);
    expect(await due()).toEqual({ casework: 1 });
  });

  it("keeps accounts, and their onboardings, whatever their age", async () => {
    await givenAccount(db, CPF);
    const withAccount = await givenEndedOnboarding(9_999, "account-7");
    await givenEndedOnboarding(9_999);
    await run();
    expect((await db.select().from(onboarding)).map(({ id }) => id)).toEqual([withAccount]);
  });

  it("removes an onboarding's history and access log with it", async () => {
    const onboardingId = await givenEndedOnboarding(9_999);
    const staffId = await givenStaff(db, "support");
    await noteOnboardingEvents(db, [{ tenant, onboardingId, kind: "link-shown", actor: staffId }]);
    await db.insert(onboardingReading).values({ tenant, onboardingId, staffId, seenAt: daysAgo(9_999) });
    await db.insert(onboardingLink).values({
      id: randomUUID(),
      tenant,
      onboardingId,
      host: "biometria.example",
      appearedAt: daysAgo(9_999),
    });
    const later = await givenOnboarding(db, CPF);
    await db
      .update(onboarding)
      .set({ previousId: onboardingId })
      .where(sql`${onboarding.id} = ${later}`);
    await run();
    for (const table of [onboardingEvent, onboardingReading, onboardingLink]) expect(await db.$count(table)).toBe(0);
    expect(await db.select().from(onboarding)).toMatchObject([{ id: later, previousId: null }]);
  });

  it("keeps relationship data for the configured years", async () => {
    await givenEndedOnboarding(6 * 366);
    expect(await due()).toEqual({});
    givenEnv({ retentionYears: 5 });
    expect(await due()).toEqual({ onboardings: 1 });
  });

  it("deletes automatically only data kept for days, not years", async () => {
    await givenSession(91);
    await givenEndedOnboarding(9_999);
    await run(true);
    expect(await due()).toEqual({ onboardings: 1 });
  });

  it("never deletes the audit record", async () => {
    await givenSession(91);
    await run();
    await run();
    expect(await trail()).toHaveLength(1);
    expect((await readRetention(db, tenant)).filter(({ days }) => days === null).map(({ name }) => name)).toEqual([
      "approvals",
      "audit",
    ]);
  });
});
