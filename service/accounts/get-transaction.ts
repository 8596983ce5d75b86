import { and, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import { ENTRY_TYPES, type TransactionQuery } from "@/lib/contract/accounts";
import { maskDocument } from "@/lib/contract/document";
import type { TransferDetails } from "@/service/antifraud/details";
import { antifraudCase } from "@/service/antifraud/schema";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { BRL } from "@/service/ledger/asset";
import { ledgerAccount, ledgerEntry, ledgerMovement } from "@/service/ledger/schema";
import { externalTransfer } from "@/service/transfers/schema";
import { accountNumber, type BankAccount, type Onboarding } from "./onboarding";
import { bankAccount, onboarding } from "./schema";
import { describeEntry } from "./statement-entry";

type Holder = { account: BankAccount; onboarding: Onboarding };

function describeHolder({ account, onboarding: { holderName: name } }: Holder) {
  const documentNumber = maskDocument(account.documentNumber);
  return { name, documentNumber, accountId: account.id, branch: account.branch, account: accountNumber(account) };
}

/** What a TED's order said of its recipient, the document masked as on any receipt. */
function describeRecipient({ document, ...recipient }: Record<string, unknown>) {
  return { ...recipient, documentNumber: typeof document === "string" ? maskDocument(document) : null };
}

/** A movement that was made, as the account of that document sees it, or null. */
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
  const [external] = await db.select().from(externalTransfer).where(eq(externalTransfer.transactionId, transactionId));
  const recipient = external ? describeRecipient(external.recipient) : null;
  return {
    ...describeEntry(own.movement, own.amount),
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

/** A transfer that antifraud holds, or that came to nothing, as the account it was to leave sees it, or null. */
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

/**
 * The receipt of one transaction of the document's account: its statement entry, the account, the counterparty where it is
 * known, and a status. A transfer that antifraud did not let pass is found by its antifraudId: HELD, BLOCKED, REJECTED or
 * EXPIRED, and CONFIRMED once released. Our assumption, the interface does not show the answer. 404 when there is none, or
 * none in the direction that `cashIn` asks for.
 */
export async function getTransaction(call: Call, query: TransactionQuery) {
  const { transactionId, transactionUUID = transactionId, cashIn } = query;
  const isOne = transactionUUID === transactionId;
  const receipt = isOne ? ((await receiptOfMovement(call, query)) ?? (await receiptOfCase(call, query))) : null;
  const isWanted = receipt && (cashIn === undefined || cashIn === (receipt.direction === "CREDIT"));
  if (!isWanted) throw notFound("The transaction was not found");
  return receipt;
}
