import { randomUUID } from "node:crypto";
import { and, asc, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { entryPagesOf } from "@/lib/accounts/records";
import { StatementFilter } from "@/lib/accounts/rules";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import { endIntent, type Intent, type IntentKind, openIntent } from "@/lib/bank/intent-record";
import { bankIntent } from "@/lib/bank/schema";
import type { StatementEntry } from "@/lib/contract/accounts";
import { completeCnpj, completeCpf } from "@/lib/contract/document";
import { KYC_DECISIONS } from "@/lib/contract/kyc";
import { caseRulesOf, type CaseRules, checklistOf, reasonsOf } from "@/lib/kyc/case-rules";
import { decisionKind } from "@/lib/kyc/decision";
import { kycDecision, kycEvent } from "@/lib/kyc/schema";
import { storeNow } from "@/lib/store/clock";
import { accountDocument } from "@/lib/store/document";
import { account, kycCase, onboarding } from "@/lib/store/schema";
import { lookupHash, seal } from "@/lib/store/seal";
import type { Db, Tx } from "@/lib/store/store";
import { civilDay, civilDaysAgo } from "@/lib/text/time";
import { externalTransfer, internalTransfer, type Receipt, TRANSFER_CODES } from "@/lib/transfers/kinds";
import { type Essence, essenceOfExternal, essenceOfInternal, fingerprintOn } from "@/lib/transfers/rules";
import { transfer } from "@/lib/transfers/schema";

/** For an account whose user the provider does not tell. */
export const USER = "usr-1042";

const DAYS = 45;
const MAX_ACCOUNTS = 24;
const MAX_TRANSFERS = 40;
/** From here on a second person would have agreed. */
const ALONE_BELOW_REAIS = 5_000;
const ANSWERED_AFTER_MS = 2_000;

const PAYEES = [
  {
    document: completeCnpj("274518930001"),
    name: "Distribuidora Pedra Branca Ltda",
    institutionIspb: "60746948",
    institutionCode: 237,
    branchCode: "1184",
    accountCode: "20736-5",
    bankAccountType: "CACC",
  },
  {
    document: completeCpf("284617395"),
    name: "Caio Batista Nunes",
    institutionIspb: "00360305",
    institutionCode: 104,
    branchCode: "0411",
    accountCode: "88420-1",
    bankAccountType: "SVGS",
  },
  {
    document: completeCnpj("518203740001"),
    name: "Embalagens Serra Azul Ltda",
    institutionIspb: "60701190",
    institutionCode: 341,
    branchCode: "3320",
    accountCode: "15508-4",
    bankAccountType: "CACC",
  },
] as const;

type Holding = { row: typeof account.$inferSelect; onBoardingId: string };

/** Open ones of which the onboarding is known. */
export async function findOldestAccounts(store: Db, tenant: string, limit: number): Promise<Holding[]> {
  const isOfOnboarding = and(eq(onboarding.tenant, account.tenant), eq(onboarding.accountId, account.accountId));
  const rows = await store
    .select({ row: account, onBoardingId: onboarding.onBoardingId })
    .from(account)
    .innerJoin(onboarding, isOfOnboarding)
    .where(and(eq(account.tenant, tenant), eq(account.standing, "OPEN"), isNotNull(onboarding.onBoardingId)))
    .orderBy(asc(account.createdAt), asc(account.ref))
    .limit(limit);
  return rows.flatMap(({ row, onBoardingId }) => (onBoardingId === null ? [] : [{ row, onBoardingId }]));
}

type Line = { holding: Holding; entry: StatementEntry };

async function readLines(actor: Actor<"accounts:read">, holdings: readonly Holding[]): Promise<Line[]> {
  const filter = StatementFilter.parse({ from: civilDaysAgo(DAYS), to: civilDaysAgo(1) });
  const lines: Line[] = [];
  for (const holding of holdings) {
    const { accountId, ref } = holding.row;
    const asked = { accountId, documentNumber: accountDocument(holding.row) };
    for await (const entries of entryPagesOf(actor, { asked, object: `account:${ref}`, filter }))
      lines.push(...entries.map((entry) => ({ holding, entry })));
  }
  return lines;
}

type Sent<Body> = { kind: IntentKind<Body, Receipt>; body: Body; essence: Essence; line: Line };

type Done<Body> = {
  kind: Pick<IntentKind<Body, unknown>, "path" | "isKeyed" | "busyCode" | "bytesOf" | "tracedOf">;
  body: Body;
  id: string;
  object: string;
  stored: unknown;
  createdAt: Date;
  finishedAt: Date;
  opened: () => Promise<void>;
};

/** As the intents' code puts it on record, and dated back. */
async function writeDone<Body>(tx: Tx, { tenant, id: actor }: Actor, done: Done<Body>): Promise<Intent> {
  const { kind, body, id, object, stored, createdAt, finishedAt, opened } = done;
  const traced = kind.tracedOf(body);
  const { intent } = await openIntent(tx, {
    tenant,
    id,
    operation: kind.path,
    object,
    actor,
    bodyHash: lookupHash(traced),
    bytes: kind.isKeyed ? kind.bytesOf(body) : null,
    busyCode: kind.busyCode,
    traced,
    approvalId: null,
  });
  await opened();
  await endIntent(tx, intent, {
    state: "DONE",
    isConclusive: true,
    canTryAgain: false,
    stored: JSON.stringify(stored),
    requestId: null,
    answerHash: null,
    error: null,
  });
  const [ended] = await tx
    .update(bankIntent)
    .set({ createdAt, firstSentAt: createdAt, finishedAt, attempts: 1, mayHaveExecuted: true })
    .where(and(eq(bankIntent.tenant, tenant), eq(bankIntent.id, id)))
    .returning();
  if (ended === undefined) throw new Error(`intent ${id} is not on record`);
  return ended;
}

/** The audit record tells the time at which it is written, whenever it was. */
async function putOnRecord<Body>(store: Db, maker: Actor<"transfers:create">, sent: Sent<Body>): Promise<void> {
  const { kind, body, essence, line } = sent;
  const { tenant, id: staffId } = maker;
  const { transactionId, date } = line.entry;
  const { amount, accountId } = essence;
  const finishedAt = new Date(date);
  const createdAt = new Date(finishedAt.getTime() - ANSWERED_AFTER_MS);
  const [id, object] = [randomUUID(), `account:${line.holding.row.ref}`];
  const ordered = {
    kind: essence.kind,
    accountId,
    amount,
    fingerprint: lookupHash(fingerprintOn(essence, civilDay(createdAt))),
    payeeHash: lookupHash(essence.payee),
    isRepeat: false,
    staffId,
    createdAt,
    returnReadAt: new Date(),
  };
  await store.transaction(async (tx) => {
    const opened = async () => {
      await tx.insert(transfer).values({ tenant, intentId: id, ...ordered });
      const what = { code: TRANSFER_CODES[essence.kind], object, intentId: id } as const;
      await record(tx, { tenant, actor: staffId, outcome: "INTENT", ...what, detail: { amount, isRepeat: false } });
    };
    const stored = { transactionId };
    const ended = await writeDone(tx, maker, { kind, body, id, object, stored, createdAt, finishedAt, opened });
    await kind.ended(tx, ended, staffId);
  });
}

type Recording = (store: Db, maker: Actor<"transfers:create">) => Promise<void>;
type Past = { at: number; putOnRecord: Recording };

const past = <Body>(sent: Sent<Body>): Past => ({
  at: Date.parse(sent.line.entry.date),
  putOnRecord: (store, maker) => putOnRecord(store, maker, sent),
});

/** Between two of the accounts, as the statement of the other one shows. */
function pastInternal(line: Line, lines: readonly Line[]): Past[] {
  const { holding, entry } = line;
  const other = lines.find(
    (one) => one.entry.transactionId === entry.transactionId && one.holding.row.accountId !== holding.row.accountId,
  );
  if (other === undefined) return [];
  const { accountId: accountIdFrom, userId } = holding.row;
  const accounts = { accountIdFrom, accountIdTo: other.holding.row.accountId };
  const body = { userId: userId ?? USER, ...accounts, amount: entry.amount, description: entry.description };
  return [past({ kind: internalTransfer, body, essence: essenceOfInternal(body), line })];
}

/** The statement names no recipient: each account pays the same one. */
function pastExternal(line: Line, place: number): Past[] {
  const { holding, entry } = line;
  const payee = PAYEES[place % PAYEES.length];
  if (payee === undefined) return [];
  const { accountId: idAccount, userId } = holding.row;
  const paying = { userId: userId ?? USER, onBoardingId: holding.onBoardingId, idAccount };
  const body = { ...paying, ...payee, value: entry.amount };
  return [past({ kind: externalTransfer, body, essence: essenceOfExternal(body), line })];
}

type People = { looker: Actor<"accounts:read">; makers: readonly Actor<"transfers:create">[] };

/** What the statements of the last weeks show as sent is put on record as ordered here, by the makers in turn. */
export async function recallTransfers(store: Db, { looker, makers }: People): Promise<void> {
  const holdings = await findOldestAccounts(store, looker.tenant, MAX_ACCOUNTS);
  const lines = await readLines(looker, holdings);
  const found = lines.flatMap((line) => {
    const { direction, type, amount } = line.entry;
    if (direction !== "DEBIT" || Number(amount) >= ALONE_BELOW_REAIS) return [];
    if (type === "INTERNAL") return pastInternal(line, lines);
    return type === "TED" ? pastExternal(line, holdings.indexOf(line.holding)) : [];
  });
  const newest = found.toSorted((one, other) => other.at - one.at).slice(0, MAX_TRANSFERS);
  for (const [place, one] of newest.toReversed().entries()) {
    const maker = makers[place % makers.length];
    if (maker !== undefined) await one.putOnRecord(store, maker);
  }
}

const MAX_DECISIONS = 40;
const DECIDED_BEFORE_MS = 24 * 60 * 60_000;

type Decided = typeof kycCase.$inferSelect & { status: (typeof KYC_DECISIONS)[number]; decidedAt: Date };

const isDecided = (row: typeof kycCase.$inferSelect): row is Decided =>
  row.decidedAt !== null && KYC_DECISIONS.some((decision) => decision === row.status);

type Recalled = { row: Decided; rules: CaseRules; version: number };

/** What the list told as decided becomes a decision of the actor's own, on its time. */
async function recallDecision(tx: Tx, actor: Actor<"kyc:decide">, { row, rules, version }: Recalled): Promise<void> {
  const { tenant, id: staffId } = actor;
  const { kycUUID, kycType, process, status: decision, decidedAt: finishedAt } = row;
  const kind = { kycType, process };
  const reason = reasonsOf(rules.reasons, kind).find((offered) => offered.decision === decision);
  if (reason === undefined) return;
  const [intentId, object] = [randomUUID(), `kyc:${kycUUID}`];
  const createdAt = new Date(finishedAt.getTime() - ANSWERED_AFTER_MS);
  const what = { tenant, actor: staffId, code: "kyc.decide", object, intentId } as const;
  const items = decision === "APPROVED" ? checklistOf(rules, kind) : [];
  const opened = async () => {
    await tx.insert(kycDecision).values({
      tenant,
      intentId,
      kycUUID,
      decision,
      reason: seal(reason.text, { column: "kyc_decision.reason", row: [tenant, intentId] }),
      reasonCode: reason.code,
      rulesVersion: version,
      checklist: items.map(({ code, text }) => ({ code, text, isChecked: true })),
      staffId,
      createdAt,
    });
    await record(tx, { ...what, outcome: "INTENT", detail: { decision, from: "PENDING", reasonCode: reason.code } });
  };
  const body = { kycUUID, decision, reason: reason.text };
  const done = { kind: decisionKind, body, id: intentId, object, stored: { decision }, createdAt, finishedAt, opened };
  const { status, code } = await writeDone(tx, actor, done);
  const isOfCase = and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, kycUUID));
  await tx
    .update(kycEvent)
    .set({ kind: "decided", actor: staffId, detail: { intentId, decision, state: "DONE" } })
    .where(and(isOfCase, eq(kycEvent.kind, "moved"), eq(kycEvent.at, finishedAt)));
  await record(tx, { ...what, outcome: "DONE", detail: { decision, status, code } });
}

/** Two of three of the cases that the demo's list told as decided; the provider keeps the third. */
export async function recallDecisions(store: Db, actor: Actor<"kyc:decide">): Promise<void> {
  const { tenant } = actor;
  const before = new Date((await storeNow(store)).getTime() - DECIDED_BEFORE_MS);
  const rows = await store
    .select()
    .from(kycCase)
    .where(and(eq(kycCase.tenant, tenant), isNull(kycCase.assigneeId), lt(kycCase.decidedAt, before)))
    .orderBy(asc(kycCase.decidedAt))
    .limit(MAX_DECISIONS);
  const { version, rules } = await caseRulesOf(store, tenant);
  for (const [place, row] of rows.filter(isDecided).entries())
    if (place % 3 !== 2) await store.transaction((tx) => recallDecision(tx, actor, { row, rules, version }));
}
