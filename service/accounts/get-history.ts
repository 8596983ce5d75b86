import { and, count, desc, eq, inArray } from "drizzle-orm";
import { ENTRY_TYPES, type HistoryQuery } from "@/lib/contract/accounts";
import type { Call } from "@/service/context";
import { notFound } from "@/service/error";
import { BRL } from "@/service/ledger/asset";
import { ledgerAccount, ledgerEntry, ledgerMovement } from "@/service/ledger/schema";
import { inCivilPeriod, pagesOf } from "./civil-period";
import { bankAccount } from "./schema";
import { describeEntry } from "./statement-entry";

/** The ledger accounts whose entries the statement shows. 404 unless the account is the tenant's and the document's. */
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

/**
 * One page of an account's statement, newest first (interface: Statement entry). Holds and what they give back do not
 * show: they are no movement of the holder's money. `targetAccountId` may name any account of the tenant.
 */
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
    .select({ movement: ledgerMovement, amount: ledgerEntry.amount })
    .from(ledgerEntry)
    .innerJoin(ledgerMovement, ofMovement)
    .where(isShown)
    .orderBy(desc(ledgerEntry.occurredAt), desc(ledgerEntry.sequence), desc(ledgerEntry.movementId))
    .limit(limit)
    .offset((page - 1) * limit);
  const transactions = rows.map(({ movement, amount }) => describeEntry(movement, amount));
  return { transactions, page, totalPages: pagesOf(total?.rows ?? 0, limit) };
}
