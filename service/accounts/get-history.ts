import { and, type Column, count, desc, eq, inArray, or, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { ENTRY_TYPES, type HistoryQuery, type TransactionQuery } from "@/lib/contract/accounts";
import { maskDocument } from "@/lib/contract/document";
import { losslessNumber } from "@/lib/contract/json";
import {
  antifraudCase,
  bankAccount,
  externalTransfer,
  ledgerAccount,
  ledgerEntry,
  ledgerMovement,
  onboarding,
  type TransferDetails,
} from "@/service/store/schema";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { BRL, centsToReais, type Movement } from "@/service/ledger/account";

import { accountNumber, type BankAccount, type Onboarding } from "./onboarding";

type Described = Omit<Movement, "lines">;

/** interface: Resources › Statement entry. Our assumption: the return of a TED names the one it returns. */
function describeEntry({ id, type, description, occurredAt }: Described, cents: bigint, returned?: string | null) {
  return {
    transactionId: id,
    type,
    amount: losslessNumber(centsToReais(cents < 0n ? -cents : cents)),
    date: occurredAt.toISOString(),
    description,
    direction: cents < 0n ? "DEBIT" : "CREDIT",
    ...(returned !== undefined && returned !== null && { originalTransactionId: returned }),
  };
}

type CivilPeriod = { initialDate: string; endDate: string };

/** PostgreSQL's calendar has no year 0. */
const inCalendar = (civilDate: string) => (civilDate.startsWith("0000") ? "0001-01-01" : civilDate);

/** `yyyy-MM-dd` in America/Sao_Paulo, both ends included. */
export function inCivilPeriod(moment: Column, { initialDate, endDate }: CivilPeriod): SQL {
  return sql`${moment} >= ${inCalendar(initialDate)}::timestamp at time zone 'America/Sao_Paulo'
    and ${moment} < (${inCalendar(endDate)}::timestamp + interval '1 day') at time zone 'America/Sao_Paulo'`;
}

export function pagesOf(rows: number, limit: number): number {
  return Math.max(1, Math.ceil(rows / limit));
}

type Holder = { account: BankAccount; onboarding: Onboarding };

function describeHolder({ account, onboarding: { holderName: name } }: Holder) {
  const documentNumber = maskDocument(account.documentNumber);
  return { name, documentNumber, accountId: account.id, branch: account.branch, account: accountNumber(account) };
}

function describeRecipient({ document, ...recipient }: Record<string, unknown>) {
  return { ...recipient, documentNumber: typeof document === "string" ? maskDocument(document) : null };
}

async function receiptOfMovement({ db, tenant }: Call, { transactionId, documentNumber }: TransactionQuery) {
  const sides = await db
    .select({ movement: ledgerMovement, amount: ledgerEntry.amount, account: bankAccount, onboarding })
    .from(ledgerEntry)
    .innerJoin(ledgerMovement, eq(ledgerMovement.id, ledgerEntry.movementId))
    .innerJoin(ledgerAccount, and(eq(ledgerAccount.id, ledgerEntry.accountId), eq(ledgerAccount.assetId, BRL)))
    .innerJoin(bankAccount, eq(bankAccount.id, ledgerAccount.holder))
    .innerJoin(onboarding, eq(onboarding.id, bankAccount.onboardingId))
    .where(
      and(
        eq(ledgerEntry.movementId, transactionId),
        inArray(ledgerMovement.type, [...ENTRY_TYPES]),
        eq(bankAccount.clientId, tenant.clientId),
      ),
    );
  const own = sides.find(({ account }) => account.documentNumber === documentNumber);
  if (!own) return null;
  const other = sides.find((side) => side !== own);
  const isPart = or(eq(externalTransfer.transactionId, transactionId), eq(externalTransfer.returnId, transactionId));
  const [external] = await db.select().from(externalTransfer).where(isPart);
  const recipient = external ? describeRecipient(external.recipient) : null;
  const returned = external?.returnId === transactionId ? external.transactionId : null;
  return {
    ...describeEntry(own.movement, own.amount, returned),
    accountId: own.account.id,
    status: "CONFIRMED",
    counterparty: other ? describeHolder(other) : recipient,
  };
}

async function holderOf({ db, tenant }: Call, accountId: string): Promise<Holder | null> {
  const [found] = await db
    .select({ account: bankAccount, onboarding })
    .from(bankAccount)
    .innerJoin(onboarding, eq(onboarding.id, bankAccount.onboardingId))
    .where(and(eq(bankAccount.id, accountId), eq(bankAccount.clientId, tenant.clientId)));
  return found ?? null;
}

async function counterpartyOf(call: Call, { toAccountId, recipient = {} }: TransferDetails) {
  if (toAccountId === null) return describeRecipient(recipient);
  const holder = await holderOf(call, toAccountId);
  return holder && describeHolder(holder);
}

async function receiptOfCase(call: Call, { transactionId, documentNumber }: TransactionQuery) {
  const { db, tenant } = call;
  const isNamed = and(eq(antifraudCase.id, transactionId), eq(antifraudCase.clientId, tenant.clientId));
  const [found] = z.uuid().safeParse(transactionId).success ? await db.select().from(antifraudCase).where(isNamed) : [];
  if (found?.details.kind !== "transfer") return null;
  const { id, details, status, createdAt: occurredAt, expiresAt, decidedAt } = found;
  const from = await holderOf(call, details.fromAccountId);
  if (from?.account.documentNumber !== documentNumber) return null;
  return {
    ...describeEntry({ id, ...details, occurredAt }, -BigInt(details.cents)),
    accountId: details.fromAccountId,
    status,
    counterparty: await counterpartyOf(call, details),
    pendingExpiresAt: expiresAt?.toISOString() ?? null,
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

/** Our assumption: the interface does not show the answer. 404 when there is none in the direction of `cashIn`. */
export async function getTransaction(call: Call, query: TransactionQuery) {
  const { transactionId, transactionUUID = transactionId, cashIn } = query;
  const isOne = transactionUUID === transactionId;
  const receipt = isOne ? ((await receiptOfMovement(call, query)) ?? (await receiptOfCase(call, query))) : null;
  const isWanted = receipt && (cashIn === undefined || cashIn === (receipt.direction === "CREDIT"));
  if (!isWanted) throw notFound("The transaction was not found");
  return receipt;
}

/** 404 unless the account is the tenant's and the document's. */
async function ledgerAccountsOf({ db, tenant }: Call, query: HistoryQuery): Promise<number[]> {
  const { accountId, documentNumber, targetAccountId } = query;
  const isShown = and(eq(ledgerAccount.holder, targetAccountId ?? accountId), eq(ledgerAccount.assetId, BRL));
  const ofTenant = eq(bankAccount.clientId, tenant.clientId);
  const [owned] = await db
    .select({ id: bankAccount.id })
    .from(bankAccount)
    .where(and(ofTenant, eq(bankAccount.id, accountId), eq(bankAccount.documentNumber, documentNumber)));
  const shown = await db
    .select({ id: ledgerAccount.id })
    .from(ledgerAccount)
    .innerJoin(bankAccount, eq(bankAccount.id, ledgerAccount.holder))
    .where(and(isShown, ofTenant));
  if (!owned || shown.length === 0) throw notFound("The banking account was not found");
  return shown.map(({ id }) => id);
}

/** interface: Statement entry. Newest first; without holds, because those move no money. */
export async function getHistory(call: Call, query: HistoryQuery) {
  const { limit, page, onlyPixEntries } = query;
  const types = onlyPixEntries ? (["PIX"] as const) : ENTRY_TYPES;
  const isShown = and(
    inArray(ledgerEntry.accountId, await ledgerAccountsOf(call, query)),
    inCivilPeriod(ledgerEntry.occurredAt, query),
    inArray(ledgerMovement.type, [...types]),
  );
  const ofMovement = eq(ledgerMovement.id, ledgerEntry.movementId);
  const [total] = await call.db
    .select({ rows: count() })
    .from(ledgerEntry)
    .innerJoin(ledgerMovement, ofMovement)
    .where(isShown);
  const rows = await call.db
    .select({ movement: ledgerMovement, amount: ledgerEntry.amount, returned: externalTransfer.transactionId })
    .from(ledgerEntry)
    .innerJoin(ledgerMovement, ofMovement)
    .leftJoin(externalTransfer, eq(externalTransfer.returnId, ledgerMovement.id))
    .where(isShown)
    .orderBy(desc(ledgerEntry.occurredAt), desc(ledgerEntry.sequence), desc(ledgerEntry.movementId))
    .limit(limit)
    .offset((page - 1) * limit);
  const transactions = rows.map(({ movement, amount, returned }) => describeEntry(movement, amount, returned));
  return { transactions, page, totalPages: pagesOf(total?.rows ?? 0, limit) };
}
