import { watchId } from "@/lib/permission/watches";
import { and, asc, eq, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import { isBooked, readBalance } from "@/lib/accounts/records";
import { entryDirection } from "@/lib/accounts/inputs";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { isOutage } from "@/lib/errors/result";
import { provider } from "@/lib/provider/client";
import { endHeld, findIntent, ofIntent } from "@/lib/provider/intents/intent-record";
import { getTransaction } from "@/lib/provider/operations";
import { providerIntent } from "@/lib/db/tables/provider";
import type { StatementEntry } from "@/lib/contract/accounts";
import { findIn, isOfAnswer, plainName } from "@/lib/contract/open-answer";
import { isExpiry, saysRefused, isRelease } from "@/lib/contract/told-state";
import { publish } from "@/lib/db/publish";
import { recordAccess } from "@/lib/audit/access-log";
import { log } from "@/lib/log/log";
import { triggerWatch } from "@/lib/watch/watch";
import { accountDocument } from "@/lib/db/document";
import { account } from "@/lib/db/tables/customers";
import { unsealedOrNull } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { providerWord } from "@/lib/text/provider-word";
import { instantOf } from "@/lib/text/read-time";
import { readReais } from "@/lib/text/typed-amount";
import type { Receipt } from "./receipt";
import { transfer } from "@/lib/db/tables/transfers";
import { createStatements, type Statements } from "./statements";
import { sendTed } from "./ted";
import { sendTransfer } from "./transfer";

const MAX_PAGES = 4;
const MAX_ACCOUNTS = 5;
const MAX_HOLDS = 20;
const MAX_CANDIDATES = 3;
const BY = watchId("transfers");
const KINDS = { INTERNAL: sendTransfer.intent, EXTERNAL: sendTed.intent } as const;
const KIND_PATHS = Object.values(KINDS).map(({ path }) => path);

type Verdict =
  | { isReleased: true; receipt: NonNullable<Receipt>; at: Date | null }
  | { isReleased: false; code: "hold-rejected" | "hold-expired"; at: Date | null; said?: string };

function receiptOf(told: unknown, asked: string): NonNullable<Receipt> {
  const endToEndId = findIn(told, "endToEndId")?.text;
  const transactionId = findIn(told, "transactionId")?.text ?? asked;
  return { transactionId, ...(endToEndId !== undefined && { endToEndId }) };
}

type Hold = Pick<
  typeof transfer.$inferSelect,
  "intentId" | "kind" | "accountId" | "amount" | "createdAt" | "approvalId" | "candidateId" | "returnReadAt"
> & { antifraudId: string | null };

/** A release's own date; an earlier one is the order's. */
function releasedAt(told: unknown, { createdAt }: Hold): Date | null {
  const decided = instantOf(findIn(told, "decidedAt")?.text ?? "");
  const dated = instantOf(findIn(told, "date")?.text ?? "");
  return decided ?? (dated !== null && dated.getTime() > createdAt.getTime() + 60_000 ? dated : null);
}

const released = (told: unknown, hold: Hold, asked: string): Verdict => ({
  isReleased: true,
  receipt: receiptOf(told, asked),
  at: releasedAt(told, hold),
});

/** Null while it is held, and for an unknown word. */
function verdictOf(answer: unknown, hold: Hold, asked: string): Verdict | null {
  const status = findIn(answer, "status")?.text ?? "";
  if (plainName(status) === "" || isOfAnswer(status)) return null;
  if (isBooked({ status }) || isRelease(status)) return released(answer, hold, asked);
  const at = instantOf(findIn(answer, "decidedAt")?.text ?? "");
  const said = findIn(answer, "message")?.text;
  const refused = { isReleased: false, at, ...(said !== undefined && said !== "" && { said }) } as const;
  if (isExpiry(status)) return { ...refused, code: "hold-expired" };
  return saysRefused(status) ? { ...refused, code: "hold-rejected" } : null;
}

const HOLD_COLUMNS = {
  intentId: transfer.intentId,
  kind: transfer.kind,
  accountId: transfer.accountId,
  amount: transfer.amount,
  createdAt: transfer.createdAt,
  approvalId: transfer.approvalId,
  candidateId: transfer.candidateId,
  antifraudId: providerIntent.antifraudId,
  returnReadAt: transfer.returnReadAt,
};

function heldTransfers(store: Db, tenant: string, which: SQL | undefined): Promise<Hold[]> {
  return store
    .select(HOLD_COLUMNS)
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(and(eq(transfer.tenant, tenant), eq(providerIntent.state, "HELD"), which))
    .orderBy(sql`coalesce(${transfer.returnReadAt}, ${transfer.createdAt})`, asc(transfer.createdAt))
    .limit(MAX_HOLDS);
}

const lastReadBefore = (age: SQL) =>
  or(isNull(transfer.returnReadAt), sql`${transfer.returnReadAt} < clock_timestamp() - ${age}`);

/** A fiftieth of its age later, between half a minute and ten: people wait for the end of a hold. */
const isDue = lastReadBefore(sql`greatest(interval '30 seconds',
  least(interval '10 minutes', (clock_timestamp() - ${transfer.createdAt}) / 50))`);

type Payer = { actor: Actor; store: Db; statements: Statements; ref: string; documentNumber: string };

async function settle({ store, actor: { tenant } }: Payer, hold: Hold, verdict: Verdict): Promise<void> {
  const { intentId: id, kind } = hold;
  const end = verdict.isReleased
    ? { stored: JSON.stringify(verdict.receipt), code: null }
    : { stored: null, code: verdict.code, said: verdict.said ?? null };
  await store.transaction(async (tx) => {
    const isIt = and(eq(transfer.tenant, tenant), eq(transfer.intentId, id));
    const ended = await endHeld(tx, { intent: { tenant, id }, kind: KINDS[kind], by: BY, ...end });
    if (ended === null) return;
    await tx.update(transfer).set({ decidedAt: verdict.at, candidateId: null, returnReadAt: null }).where(isIt);
  });
  if (hold.approvalId !== null) await triggerWatch(tenant, "approvals");
}

const MEANS_UNKNOWN = ["not-found", "invalid", "conflict", "forbidden"];

async function askTransaction({ actor, ref, documentNumber }: Payer, transactionId: string): Promise<unknown> {
  const asking = { query: { transactionId, documentNumber }, object: `account:${ref}`, isFresh: true };
  try {
    return (await provider.get(actor, getTransaction, asking)).answer;
  } catch (error) {
    if (error instanceof AppError && MEANS_UNKNOWN.includes(error.kind)) return null;
    throw error;
  }
}

async function askAntifraud(payer: Payer, hold: Hold): Promise<Verdict | null> {
  const { antifraudId } = hold;
  return antifraudId === null ? null : verdictOf(await askTransaction(payer, antifraudId), hold, antifraudId);
}

/** Some statements show a hold as a separate entry. */
const HOLDING = /hold|held|block|bloque|reten|retid|reserv/;

/** The direction of booked money; null when none moved, or it is unknown. */
function wayOf({ direction, ...entry }: StatementEntry): "CREDIT" | "DEBIT" | null {
  const word = providerWord(direction);
  const isBookedMove =
    isBooked({ status: findIn(entry, "status")?.text ?? "" }) && !HOLDING.test(plainName(providerWord(entry.type)));
  if (!isBookedMove) return null;
  return word === "" && entry.amount.startsWith("-") ? "DEBIT" : entryDirection(word);
}

const entryIdOf = (entry: StatementEntry) => findIn(entry, "transactionId")?.text ?? entry.transactionId;

const names = (entry: unknown, { antifraudId }: Hold) =>
  antifraudId !== null &&
  ["antifraudId" as const, "transactionId" as const].some((id) => findIn(entry, id)?.text === antifraudId);

const CLOCKS_DIFFER_MS = 5 * 60_000;

function isAlike(entry: StatementEntry, { amount, createdAt }: Hold): boolean {
  const at = instantOf(entry.date);
  const isLater = at === null || at.getTime() > createdAt.getTime() - CLOCKS_DIFFER_MS;
  return isLater && readReais(entry.amount.replace(/^-/, "")) === amount;
}

async function movesSince({ statements, ref, documentNumber }: Payer, { accountId, createdAt }: Hold) {
  const moves = { CREDIT: Array.of<StatementEntry>(), DEBIT: Array.of<StatementEntry>() };
  let read = 0;
  for await (const entries of statements({ accountId, documentNumber, ref }, createdAt)) {
    for (const entry of entries) {
      const way = wayOf(entry);
      if (way !== null) moves[way].push(entry);
    }
    read += 1;
    if (read === MAX_PAGES) break;
  }
  return moves;
}

type Moves = Awaited<ReturnType<typeof movesSince>>;

async function unclaimed({ store, actor: { tenant } }: Payer, debits: readonly StatementEntry[]) {
  const ids = debits.map(entryIdOf).filter((id) => id !== "");
  if (ids.length === 0) return [];
  const claimed = await store
    .select({ id: transfer.transactionId })
    .from(transfer)
    .where(and(eq(transfer.tenant, tenant), inArray(transfer.transactionId, ids)));
  return ids.filter((one) => claimed.every(({ id }) => id !== one));
}

/** By its id or the antifraud's, in the statement or the entry's own record; else a merely similar entry is stored. */
async function seekInStatement(payer: Payer, hold: Hold, moves: Moves): Promise<Verdict | null> {
  const [named, givenBack] = [moves.DEBIT, moves.CREDIT].map((entries) => entries.find((entry) => names(entry, hold)));
  if (givenBack !== undefined) return { isReleased: false, code: "hold-rejected", at: instantOf(givenBack.date) };
  if (named !== undefined) return released(named, hold, entryIdOf(named));
  const alike = moves.DEBIT.filter((entry) => isAlike(entry, hold));
  const candidates = (await unclaimed(payer, alike)).slice(0, MAX_CANDIDATES);
  for (const id of candidates) {
    const told = await askTransaction(payer, id);
    if (names(told, hold)) return released(told, hold, id);
  }
  const [candidateId = null] = candidates;
  if (candidateId !== hold.candidateId) await storeCandidate(payer, hold, candidateId);
  return null;
}

async function storeCandidate(
  { store, actor: { tenant }, ref }: Payer,
  { intentId }: Hold,
  candidateId: string | null,
) {
  await store.transaction(async (tx) => {
    await tx
      .update(transfer)
      .set({ candidateId })
      .where(and(eq(transfer.tenant, tenant), eq(transfer.intentId, intentId)));
    await publish(tx, { tenant, topic: "transfers", object: `account:${ref}` });
  });
}

type Asker = Pick<Payer, "actor" | "store" | "statements">;

/** Throws as reads of the provider do. */
async function askAbout(asker: Asker, holds: readonly Hold[]): Promise<void> {
  const { actor, store } = asker;
  const { tenant } = actor;
  const [oldest] = holds;
  if (oldest === undefined) return;
  const { accountId } = oldest;
  const [row] = await store
    .select()
    .from(account)
    .where(and(eq(account.tenant, tenant), eq(account.accountId, accountId)));
  const documentNumber = row === undefined ? null : unsealedOrNull(() => accountDocument(row));
  if (row === undefined || documentNumber === null) return;
  const payer = { ...asker, ref: row.ref, documentNumber };
  const left: Hold[] = [];
  for (const hold of holds) {
    const verdict = await askAntifraud(payer, hold);
    if (verdict === null) left.push(hold);
    else await settle(payer, hold, verdict);
  }
  const [first] = left.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  if (first === undefined) return;
  const moves = await movesSince(payer, first);
  for (const hold of left) {
    const verdict = await seekInStatement(payer, hold, moves);
    if (verdict !== null) await settle(payer, hold, verdict);
  }
  await readBalance(actor, { accountId, documentNumber }, row.ref);
}

const setAsked = ({ store, actor: { tenant } }: Asker, ids: readonly string[], returnReadAt: Date | SQL | null) =>
  store
    .update(transfer)
    .set({ returnReadAt })
    .where(and(eq(transfer.tenant, tenant), inArray(transfer.intentId, [...ids])));

/** People read when the provider was last asked: what kept us from asking leaves that as it was. */
async function settleOf(asker: Asker, holds: readonly Hold[]): Promise<void> {
  const ids = holds.map(({ intentId }) => intentId);
  // First, so that an unreadable account does not delay the others.
  await setAsked(asker, ids, sql`clock_timestamp()`);
  try {
    await askAbout(asker, holds);
  } catch (error) {
    if (error instanceof AppError && isOutage(error.details.code))
      for (const { intentId, returnReadAt } of holds) await setAsked(asker, [intentId], returnReadAt);
    throw error;
  }
}

async function settleAll(asker: Asker, holds: readonly Hold[]): Promise<void> {
  const accounts = [...new Set(holds.map(({ accountId }) => accountId))].slice(0, MAX_ACCOUNTS);
  for (const accountId of accounts) {
    try {
      const own = holds.filter((hold) => hold.accountId === accountId);
      await settleOf(asker, own);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn({ tenant: asker.actor.tenant, kind: error.kind }, "held transfers could not be asked about");
    }
  }
}

/** For a watch: settles transfers held by antifraud, as far as the provider says. */
export async function settleDueHolds(actor: Actor, statements: Statements): Promise<void> {
  const store = await db();
  await settleAll({ actor, store, statements }, await heldTransfers(store, actor.tenant, isDue));
}

export async function settleHoldsOf(actor: Actor, ref: string): Promise<void> {
  const store = await db();
  const isOfAccount = eq(providerIntent.object, `account:${ref}`);
  const holds = await heldTransfers(store, actor.tenant, and(isOfAccount, lastReadBefore(sql`interval '10 seconds'`)));
  await settleAll({ actor, store, statements: createStatements(actor) }, holds);
}

export async function checkHold(actor: Actor, { intentId }: { intentId: string }): Promise<{ isHeld: boolean }> {
  const store = await db();
  const isIt = eq(transfer.intentId, intentId);
  const intent = await findIntent(store, { tenant: actor.tenant, id: intentId });
  if (intent === null || !KIND_PATHS.includes(intent.operation)) throw new AppError("not-found");
  await recordAccess(actor, `account:${intent.object.replace("account:", "")}`);
  const asker = { actor, store, statements: createStatements(actor) };
  await settleOf(asker, await heldTransfers(store, actor.tenant, isIt));
  return { isHeld: (await heldTransfers(store, actor.tenant, isIt)).length > 0 };
}
