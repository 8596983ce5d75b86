import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { accessReview } from "@/lib/db/tables/access-review";
import { accountClosure } from "@/lib/db/tables/accounts";
import { approvalPolicy } from "@/lib/db/tables/approvals";
import { givenApproval } from "@/test/support/approvals";
import { ROLES } from "@/lib/permission/permission";
import { staffInvitation, staffMembership } from "@/lib/db/tables/auth";
import { writeCalls } from "@/lib/provider/call-log";
import { caseworkContent, caseworkFile, caseworkNote } from "@/lib/db/tables/notes";
import type { NotedObject } from "@/lib/db/enums/notes";
import { completeCpf, formatDocument } from "@/lib/contract/document";
import { STANDARD_CALENDAR } from "@/lib/calendar/view";
import { businessCalendar } from "@/lib/db/tables/calendar";
import { deposit } from "@/lib/db/tables/deposits";
import { dossier } from "@/lib/db/tables/dossiers";
import { healthIncident } from "@/lib/db/tables/health";
import { STANDARD_RULES } from "@/lib/kyc/standard-rules-view";
import { kycCase, kycCaseRules, kycDecision, kycEscalation, kycEvent, kycPutOff, kycStart } from "@/lib/db/tables/kyc";
import { payee, transfer, transferPayee } from "@/lib/db/tables/transfers";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { suspicion, suspicionStep } from "@/lib/db/tables/suspicions";
import { sealSubject } from "@/lib/db/started-case";
import { movementExport } from "@/lib/db/tables/movements";
import { onboardingRequest } from "@/lib/db/tables/onboarding";
import { reveal, revealAlarm } from "@/lib/db/tables/privacy";
import { sealDocument } from "@/lib/db/document";
import { tenantSetting } from "@/lib/db/tables/settings";
import { staff } from "@/lib/db/tables/staff";
import { account, onboarding } from "@/lib/db/tables/customers";
import { auditEvent } from "@/lib/db/tables/audit";
import {
  chainMovement,
  chainReading,
  cryptoOrder,
  wallet,
  walletBalance,
  walletLabel,
  walletRequest,
} from "@/lib/db/tables/wallets";
import {
  expectedEvent,
  webhookEvent,
  receiverDrill,
  webhookRefusal,
  webhookReplay,
  webhookReplayItem,
} from "@/lib/db/tables/webhooks";
import { lookupHash, seal, wrap } from "@/lib/db/seal";
import type { Db } from "@/lib/db/connection";
import { remember } from "@/lib/db/watch-state";
import { civilDaysAgo } from "@/lib/text/time";
import { FILE_OF_ACCOUNT, type Ids } from "./inputs";
import { givenClaim, givenIntentRows } from "@/test/support/claims";

export const MARK = "BOREAL-ONLY";
export const CPF = completeCpf("417205638");
/** The ids of Boreal's records. */
export const boreal: Ids = { uuid: randomUUID(), text: `${MARK}-7` };

export type Callable = (...given: readonly unknown[]) => Promise<unknown>;
export const isCallable = (value: unknown): value is Callable => typeof value === "function";
export const isRead = (value: unknown): value is Callable => isCallable(value) && "answer" in value;

/** The exports of all areas' files, one object deep: `kyc.getCase`. */
export async function exportsOf(file: "queries" | "actions", fits: (value: unknown) => value is Callable) {
  const found = new Map<string, Callable>();
  for (const area of readdirSync("lib").filter((name) => existsSync(`lib/${name}/${file}.ts`))) {
    const loaded: object = await import(`@/lib/${area}/${file}.ts`);
    for (const [name, value] of Object.entries(loaded)) {
      const inside: object = typeof value === "object" && value !== null ? value : {};
      for (const [key, one] of [[name, value], ...Object.entries(inside).map(([k, v]) => [`${name}.${k}`, v])]) {
        if (fits(one)) found.set(`${area}.${key}`, one);
      }
    }
  }
  return found;
}

const tenant = "boreal";
const { uuid: id, text: named } = boreal;

async function givenCustomer(db: Db, at: Date): Promise<void> {
  const clear = `CPF ${formatDocument(CPF)} e CPF${CPF}`;
  await db.insert(account).values({
    ref: id,
    tenant,
    accountId: `${MARK}-account`,
    branch: "0001",
    number: MARK,
    userId: named,
    firstSeenAt: at,
    ...sealDocument({ table: "account", id }, CPF),
  });
  await db.insert(onboarding).values({
    id,
    tenant,
    onBoardingId: named,
    status: "PROCESSING",
    messages: [{ id: "m", date: at.toISOString(), message: clear, status: "sent", actionRequired: false }],
    accountId: `${MARK}-account`,
    firstSeenAt: at,
    changedAt: at,
    checkedAt: at,
    ...sealDocument({ table: "onboarding", id }, CPF),
  });
  const coin = { address: MARK, family: "EVM", coin: "ETH", status: "ACTIVE", isForwardPayment: false };
  await db.insert(wallet).values({ tenant, id: named, ...coin, userId: named, createdAt: at, seenAt: at });
  await db.insert(walletBalance).values({ tenant, walletId: named, network: "ETHEREUM", entries: [], asOf: at });
  const ofWallet = { tenant, walletId: named, network: "ETHEREUM" as const };
  await db.insert(walletLabel).values({ tenant, walletId: named, label: MARK, use: "own", setBy: id, setAt: at });
  await db.insert(chainReading).values({ ...ofWallet, asOf: at, triedAt: new Date(), isWhole: true });
  const moved = { key: MARK, ordinal: 0, hash: MARK, subtype: "incoming", counterAddress: MARK, amount: "1.5", at };
  await db.insert(chainMovement).values({ ...ofWallet, ...moved });
}

async function givenDeposit(db: Db, at: Date): Promise<void> {
  const place = { address: MARK, addressKey: named, network: "ETHEREUM", txHash: named, amount: "417" } as const;
  const arrived = { kind: "arrival", standing: "unattributed", stage: "told", at, seenAt: at } as const;
  await db.insert(deposit).values({ tenant, id, ...arrived, ...place, asset: MARK, ownerId: id });
}

/** A past day, and a sum of today for the line. */
async function givenPosition(db: Db, at: Date): Promise<void> {
  const day = "2024-07-01";
  await db.insert(positionRound).values({ tenant, day, startedAt: at, total: 1, tried: 1, failed: 0 });
  const place = { network: "ETHEREUM", kind: "untold" } as const;
  const of = { asset: named, token: "", part: "available", amount: "417" } as const;
  const reading = { subject: `wallet:${named}`, figures: [of], readAt: at, attempts: 1, triedAt: at };
  await db.insert(positionReading).values({ tenant, day, ...place, ...reading });
  const sum = { tenant, ...place, ...of, readings: 1, unread: 0, oldestAt: at };
  await db.insert(positionSum).values([
    { ...sum, day },
    { ...sum, day: civilDaysAgo(0) },
  ]);
}

async function givenPeople(db: Db): Promise<void> {
  await db.insert(staff).values({ id, email: `${MARK}@boreal.example`, name: MARK, passwordHash: "none" });
  await db.insert(staffMembership).values({ staffId: id, tenant, roles: ["support", "compliance"] });
  const invited = { email: "eva@boreal.example", name: MARK, roles: [...ROLES], tokenHash: "x", invitedBy: id };
  const noteSealed = seal(MARK, { column: "access_review.note_sealed", row: [tenant, id] });
  const review = { people: 1, noteSealed, nextOn: civilDaysAgo(-90), createdAt: new Date() };
  await db.insert(accessReview).values({ tenant, id, staffId: id, ...review });
  const alarm = { cause: "hour", reveals: 21, bound: 20, openedAt: new Date() } as const;
  await db.insert(revealAlarm).values({ tenant, id, actor: id, ...alarm });
  const list = {
    name: "allowed-addresses",
    version: 1,
    value: ["198.51.100.7"],
    actor: id,
    createdAt: new Date(),
  } as const;
  await db.insert(tenantSetting).values({ tenant, ...list });
  await givenClaim(db, [{ tenant, id }]);
  await db.insert(staffInvitation).values({ id, tenant, ...invited, expiresAt: new Date(Date.now() + 60_000) });
}

async function givenDecisions(db: Db, staffId: string, at: Date): Promise<void> {
  const process = { kycType: "PF", process: "kyc-documentscopy", status: "PENDING" } as const;
  const seen = { firstSeenAt: at, changedAt: at, seenAt: at };
  await db.insert(kycCase).values({
    tenant,
    kycUUID: named,
    vatNumber: `${MARK} ${CPF}`,
    ...process,
    ...seen,
    assigneeId: id,
    assignedAt: at,
  });
  await givenIntentRows(db, {
    tenant,
    id,
    operation: "/v1/kyc/manual-decision",
    object: `kyc:${named}`,
    isExclusive: true,
    actor: staffId,
    bodyHash: "x",
    key: randomUUID(),
    state: "UNKNOWN",
    attempts: 1,
    mayHaveExecuted: true,
    owner: randomUUID(),
    sendingUntil: at,
    createdAt: at,
  });
  const moved = { kind: "INTERNAL", accountId: `${MARK}-account`, amount: "417.00", isRepeat: false } as const;
  await db
    .insert(transfer)
    .values({ tenant, intentId: id, ...moved, fingerprint: lookupHash(MARK), staffId: id, createdAt: at });
  const byDocument = { column: "transfer_payee.document_sealed", row: [tenant, id] } as const;
  const byName = { column: "transfer_payee.name_sealed", row: [tenant, id] } as const;
  await db.insert(transferPayee).values({
    tenant,
    intentId: id,
    amount: "417.00",
    documentSealed: seal(CPF, byDocument),
    documentHash: lookupHash(CPF),
    nameSealed: seal(MARK, byName),
    nameHash: lookupHash(MARK),
    orderedAt: at,
  });
  const coins = JSON.stringify({ network: "ETHEREUM", to: MARK, amount: "417", asset: MARK });
  const orderSealed = seal(coins, { column: "crypto_order.order_sealed", row: [tenant, id] });
  await db.insert(cryptoOrder).values({ tenant, intentId: id, orderSealed, orderedAt: at });
  const destinationSealed = seal(MARK, { column: "payee.destination_sealed", row: [tenant, id] });
  const detailsSealed = seal("{}", { column: "payee.details_sealed", row: [tenant, id] });
  const paid = { kind: "INTERNAL", destinationSealed, destinationHash: lookupHash(MARK), detailsSealed } as const;
  await db.insert(payee).values({ tenant, id, ...paid, savedAt: at });
  const period = { format: "csv", fromDay: "2026-03-01", toDay: "2026-03-31", scope: "all", locale: "pt-BR" } as const;
  const planned = { plannedCalls: 417, plannedMinutes: 1, state: "RUNNING" } as const;
  await db.insert(movementExport).values({ tenant, id, staffId: id, ...period, ...planned });
  await givenApproval(db, { tenant, id, makerId: id, headline: MARK });
  const policy = { kind: "account.close", version: 1, rule: "never", amount: null } as const;
  await db.insert(approvalPolicy).values({ tenant, ...policy, expiresAfterHours: 417, staffId: id, createdAt: at });
  const rules = { ...STANDARD_RULES, stoppedWords: [MARK] };
  await db.insert(kycCaseRules).values({ tenant, version: 1, rules, staffId: id, createdAt: at });
  const calendar = { ...STANDARD_CALENDAR, holidays: [{ day: "2026-07-09", name: MARK, stopsTed: false }] };
  await db.insert(businessCalendar).values({ tenant, version: 1, calendar, staffId: id, createdAt: at });
  const decided = {
    decision: "APPROVED",
    reason: seal(MARK, { column: "kyc_decision.reason", row: [tenant, id] }),
    staffId,
    createdAt: at,
  } as const;
  await db.insert(kycDecision).values({ tenant, intentId: id, kycUUID: named, ...decided });
  const fileSealed = seal(MARK, { column: "dossier.file_sealed", row: [tenant, id] });
  const sealed = {
    fileSealed,
    sealedAt: at,
    endState: "DONE",
    frozenHash: MARK,
    sha256: MARK,
    signedBy: MARK,
  } as const;
  const frozen = { object: `kyc:${named}`, intentId: id, opening: id, staffId, createdAt: at };
  await db.insert(dossier).values({ tenant, id, ...frozen, ...sealed });
}

/** A sent one with an unknown outcome. */
async function givenStart(db: Db, staffId: string, at: Date): Promise<void> {
  const subject = { vatNumber: CPF, name: MARK, birthDate: "07-09-1984", motherName: MARK };
  const sealed = sealSubject({ table: "kyc_start", row: [tenant, id] }, subject);
  const check = { kycType: "PF", model: "BASIC", documentscopy: false, isRepeat: false } as const;
  await db.insert(kycStart).values({ tenant, intentId: id, ...check, ...sealed, staffId, createdAt: at });
}

async function givenRequest(db: Db, staffId: string, at: Date): Promise<void> {
  const row = [tenant, id];
  const sealed = {
    documentHash: lookupHash(CPF),
    documentSealed: seal(CPF, { column: "onboarding_request.document_sealed", row }),
    formSealed: seal(JSON.stringify({ email: MARK }), { column: "onboarding_request.form_sealed", row }),
  };
  const asked = { tenant, intentId: id, kind: "PF", isRepeat: false, staffId, createdAt: at } as const;
  await db.insert(onboardingRequest).values({ ...asked, ...sealed, onboardingId: id });
}

/** Sent, with an unknown outcome. */
async function givenClosure(db: Db, at: Date): Promise<void> {
  const reasonSealed = seal(MARK, { column: "account_closure.reason_sealed", row: [tenant, id] });
  await db
    .insert(accountClosure)
    .values({ tenant, intentId: id, accountRef: id, reasonSealed, staffId: id, createdAt: at });
}

async function givenWalletRequest(db: Db, staffId: string, at: Date): Promise<void> {
  const row = [tenant, id];
  const sealed = {
    referenceHash: lookupHash(MARK),
    referenceSealed: seal(MARK, { column: "wallet_request.reference_sealed", row }),
    customerHash: lookupHash(MARK),
    customerSealed: seal(MARK, { column: "wallet_request.customer_sealed", row }),
  };
  const asked = {
    tenant,
    intentId: id,
    kind: "address",
    family: "EVM",
    isForward: true,
    staffId,
    createdAt: at,
  } as const;
  await db.insert(walletRequest).values({ ...asked, ...sealed, address: MARK });
}

type Put = { staffId: string; object: NotedObject; putId: string };

async function givenCasework(db: Db, { staffId, object, putId }: Put): Promise<void> {
  const mine = { tenant, id: putId, object, staffId };
  const row = [tenant, putId];
  const textSealed = seal(MARK, { column: "casework_note.text_sealed", row });
  await db.insert(caseworkNote).values({ ...mine, textSealed });
  const clear = Buffer.from(`%PDF-${MARK}`);
  const nameSealed = seal(`${MARK}.pdf`, { column: "casework_file.name_sealed", row });
  const sha256 = createHash("sha256").update(clear).digest("hex");
  const kind = { mediaType: "application/pdf", sizeBytes: clear.length, sha256 };
  await db.insert(caseworkFile).values({ ...mine, nameSealed, ...kind });
  const wrapped = wrap(clear, { column: "casework_content.key_sealed", row });
  await db.insert(caseworkContent).values({ tenant, fileId: putId, ...wrapped });
}

async function givenEvents(db: Db, staffId: string): Promise<void> {
  await db.insert(kycPutOff).values({ tenant, id, kycUUID: named, staffId, until: new Date() });
  await db.insert(kycEscalation).values({ tenant, id, kycUUID: named, staffId });
  const suspected = { tenant, id, state: "suspected", staffId } as const;
  const found = { kycUUID: named, document: MARK, occurredOn: "2024-07-01", enteredOn: "2024-07-02" };
  await db.insert(suspicion).values({ ...suspected, ...found });
  const textSealed = seal(MARK, { column: "suspicion_step.text_sealed", row: [tenant, id] });
  await db.insert(suspicionStep).values({ ...suspected, suspicionId: id, textSealed });
  await db.insert(kycEvent).values({ tenant, kycUUID: named, kind: "tagged", actor: staffId, detail: { tag: MARK } });
}

/** As the provider delivered it. */
async function givenEvent(db: Db, staffId: string): Promise<void> {
  const body = JSON.stringify({ message: MARK });
  const bodySealed = seal(body, { column: "webhook_event.body_sealed", row: [tenant, id] });
  const said = { event: MARK, eventId: named, bodyHash: lookupHash(body), bodySealed, sizeBytes: body.length };
  const looked = { state: "DONE", object: `onboarding:${id}`, isByPreviousSecret: false } as const;
  await db.insert(webhookEvent).values({ tenant, id, ...said, ...looked, headers: { "user-agent": MARK } });
  const refused = {
    why: "signature",
    form: "length",
    event: MARK,
    eventId: named,
    headers: { "user-agent": MARK },
  } as const;
  await db.insert(webhookRefusal).values({ tenant, id, at: new Date(), ...refused });
  const planned = { filter: `?search=${named}`, deliveries: 1, plannedCalls: 417, plannedMinutes: 1 };
  const at = new Date();
  await db.insert(webhookReplay).values({ tenant, id, staffId, createdAt: at, ...planned });
  await db.insert(receiverDrill).values({ tenant, id, staffId, beganAt: at, untilAt: at });
  const item = {
    tenant,
    replayId: id,
    deliveryId: id,
    hintKey: MARK,
    state: "DONE",
    askedAt: at,
    nextTryAt: at,
  } as const;
  await db.insert(webhookReplayItem).values(item);
  const missed = { event: "onboarding-create", change: "accepted", state: "NEVER", seenAt: new Date() } as const;
  await db.insert(expectedEvent).values({ tenant, key: MARK, object: `onboarding:${id}`, mark: MARK, ...missed });
}

async function givenTraces(db: Db, staffId: string, at: Date): Promise<void> {
  const looked = { tenant, actor: staffId, code: "accounts.look-up", outcome: "DONE", detail: {} } as const;
  await db.insert(auditEvent).values({ ...looked, object: `account:${id}`, intentId: id, detail: { mark: MARK } });
  await db.insert(auditEvent).values({ ...looked, object: `kyc:${named}`, intentId: id });
  await givenEvent(db, staffId);
  const noteSealed = seal(MARK, { column: "reveal.note_sealed", row: [id] });
  const shown = { id, tenant, actor: staffId, object: `account:${id}`, reason: "service", noteSealed } as const;
  await db.insert(reveal).values({ ...shown, createdAt: at });
  const entry = { fields: [{ path: "status", value: MARK, isMasked: false }], more: 0 };
  for (const name of ["onboarding", "kyc"])
    await remember(db, { tenant, name }, { unread: [{ hash: id, shape: entry }] });
  const called = { tenant, method: "GET", path: "/v1/kyc/list", status: 200, kind: "ok", code: MARK } as const;
  const took = { durationMs: 1, waitedMs: 0, lane: "people", attempt: 1, providerRequestId: null, at } as const;
  const objects = [`kyc:${named}`, `wallet:${named}`, `account:${id}`, `onboarding:${id}`];
  await writeCalls(
    db,
    objects.map((object) => ({ ...called, ...took, id: randomUUID(), actor: staffId, object })),
  );
}

/** One of each of Boreal's records, marked; the provider put the customer's document wherever it could. */
export async function givenBoreal(db: Db, staffId: string): Promise<void> {
  const at = new Date();
  await givenCustomer(db, at);
  await givenDeposit(db, at);
  await givenPosition(db, at);
  await givenPeople(db);
  await givenDecisions(db, staffId, at);
  await givenStart(db, staffId, at);
  await givenRequest(db, staffId, at);
  await givenClosure(db, at);
  await givenWalletRequest(db, staffId, at);
  await givenCasework(db, { staffId, object: `kyc:${named}`, putId: id });
  await givenCasework(db, { staffId, object: `account:${id}`, putId: FILE_OF_ACCOUNT });
  await givenEvents(db, staffId);
  await givenTraces(db, staffId, at);
  await db.insert(healthIncident).values({ tenant, kind: "watch-stalled", subject: MARK, openedAt: at });
}
