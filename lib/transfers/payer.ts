import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { ClosingState } from "@/lib/accounts/view";
import { accountOf, readBalance, readClosingStates } from "@/lib/accounts/records";
import { readArriving, readWaiting, type WaitingSum } from "@/lib/approvals/waiting";
import { recordAccess } from "@/lib/audit/access-log";
import { type Db, db } from "@/lib/db/connection";
import { accountDocument } from "@/lib/db/document";
import { UnsealError } from "@/lib/db/seal";
import type { account } from "@/lib/db/tables/customers";
import { providerIntent } from "@/lib/db/tables/provider";
import { transfer, transferPayee } from "@/lib/db/tables/transfers";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isUuid } from "@/lib/text/decode";
import { findTransfer } from "./records";

type Reader = Actor<"transfers:read"> | Actor<"accounts:read">;
type AccountRow = typeof account.$inferSelect;

type Sum = Pick<WaitingSum, "sum" | "count">;

const NOTHING: Sum = { sum: "0.00", count: 0 };

export type PartyClosing = { party: "from" | "to"; state: ClosingState };

export type Payer = {
  ref: string;
  /** Decimal strings in reais; null: never read, or not an amount. */
  balance: string | null;
  blocked: string | null;
  at: string | null;
  isEarlier: boolean;
  isBefore: boolean;
  left: Sum;
  /** `balance` minus `left`. */
  rest: string | null;
  waiting: Sum;
  /** Of an account to close: what waits to be sent to it. */
  arriving: Sum;
  /** The parties of a transfer that are closed or being closed. */
  closing: PartyClosing[];
  isShort: boolean;
  isShortTogether: boolean;
};

const ofAccount = ({ tenant, accountId }: AccountRow) =>
  and(
    eq(transfer.tenant, tenant),
    eq(transfer.accountId, accountId),
    ne(providerIntent.state, "REFUSED"),
    isNull(transfer.returnedAt),
  );

async function leftSince(store: Db, row: AccountRow): Promise<Sum> {
  if (row.balanceAt === null) return NOTHING;
  const [left] = await store
    .select({
      sum: sql<string>`coalesce(sum(${transfer.amount}::numeric), 0)::numeric(20, 2)::text`,
      count: sql<number>`count(*)::int`,
    })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(and(ofAccount(row), gt(transfer.createdAt, row.balanceAt)));
  return left ?? NOTHING;
}

/** A transfer in flight during the reading may be missing from the balance. */
async function hasMovedSince(store: Db, row: AccountRow): Promise<boolean> {
  const movedAt = sql`greatest(${transfer.createdAt}, ${providerIntent.finishedAt})`;
  const moved = await store
    .select({ intentId: transfer.intentId })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(and(ofAccount(row), sql`${movedAt} > ${row.balanceAt?.toISOString() ?? null}`))
    .limit(1);
  return moved.length > 0;
}

export async function readWaitingReais(store: Db, tenant: string, ref: string, exceptIntent: string | null) {
  const found = await readWaiting(store, { tenant, object: `account:${ref}`, exceptIntent });
  const { sum, count } = found.find(({ asset }) => asset === null) ?? NOTHING;
  return { sum, count };
}

const FRESH_MS = 10_000;

const isFresh = ({ balanceAt }: AccountRow) => balanceAt !== null && Date.now() - balanceAt.getTime() < FRESH_MS;

async function reread(reader: Reader, row: AccountRow): Promise<boolean> {
  const { accountId, ref } = row;
  try {
    await readBalance(reader, { accountId, documentNumber: accountDocument(row) }, ref);
    return true;
  } catch (error) {
    if (error instanceof AppError || error instanceof UnsealError) return false;
    throw error;
  }
}

type Parties = { from: string; to: string | null };

/** `to` is null where the payee is at another bank. */
export async function readPartiesClosing(store: Db, tenant: string, { from, to }: Parties): Promise<PartyClosing[]> {
  const states = await readClosingStates(store, tenant, to === null ? [from] : [from, to]);
  return [{ party: "from" as const, id: from }, ...(to === null ? [] : [{ party: "to" as const, id: to }])].flatMap(
    ({ party, id }) => {
      const state = states.get(id);
      return state === undefined ? [] : [{ party, state }];
    },
  );
}

async function paidAccount(store: Db, tenant: string, intentId: string): Promise<string | null> {
  const isIt = and(eq(transferPayee.tenant, tenant), eq(transferPayee.intentId, intentId));
  const [payee] = await store.select({ accountId: transferPayee.accountId }).from(transferPayee).where(isIt);
  return payee?.accountId ?? null;
}

/**
 * The payment to decide: `amount` is null once it left, or when it moves nothing; `intentId` is null where an account
 * is to be closed.
 */
type Payment = { intentId: string | null; amount: string | null; leftAt: Date | null };

async function readHeld(reader: Reader, ref: string, { intentId, amount, leftAt }: Payment): Promise<Payer> {
  const store = await db();
  const { tenant } = reader;
  await recordAccess(reader, `account:${ref}`);
  const known = await accountOf(store, tenant, ref);
  const wasRead = isFresh(known) && !(await hasMovedSince(store, known));
  const isRead = wasRead || (await reread(reader, known));
  const row = await accountOf(store, tenant, ref);
  const left = await leftSince(store, row);
  const waiting = await readWaitingReais(store, tenant, ref, intentId);
  const to = intentId === null ? null : await paidAccount(store, tenant, intentId);
  const rest = row.balance === null ? null : unitsOf(row.balance) - unitsOf(left.sum);
  const over = rest === null || amount === null ? null : unitsOf(amount) - rest;
  return {
    ref,
    balance: row.balance,
    blocked: row.blockedBalance,
    at: row.balanceAt?.toISOString() ?? null,
    isEarlier: !isRead,
    isBefore: leftAt !== null && row.balanceAt !== null && row.balanceAt < leftAt,
    left,
    rest: rest === null ? null : decimalOf(rest),
    waiting,
    arriving: intentId === null ? await readArriving(store, tenant, row.accountId) : NOTHING,
    closing: amount === null ? [] : await readPartiesClosing(store, tenant, { from: row.accountId, to }),
    isShort: over !== null && over > 0n,
    isShortTogether: over !== null && over + unitsOf(waiting.sum) > 0n,
  };
}

/** The paying account's balance, read now unless fresh; null for an unknown account. */
export async function readPayer(reader: Actor<"transfers:read">, intentId: string): Promise<Payer | null> {
  const found = isUuid(intentId) ? await findTransfer(await db(), reader, intentId) : null;
  const ref = found?.row.from.ref ?? null;
  if (found === null || ref === null) return null;
  const { row, sent } = found;
  if (sent === undefined || sent.intent.state === "REFUSED")
    return readHeld(reader, ref, { intentId, amount: row.amount ?? "0", leftAt: null });
  const leftAt = sent.intent.finishedAt ?? sent.transfer.createdAt;
  return readHeld(reader, ref, { intentId, amount: null, leftAt });
}

export const readClosingHoldings = (reader: Actor<"accounts:read">, ref: string): Promise<Payer> =>
  readHeld(reader, ref, { intentId: null, amount: null, leftAt: null });
