import { and, desc, eq, inArray, or, type SQL } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { ExternalTransfer } from "@/lib/contract/accounts";
import { account } from "@/lib/db/tables/customers";
import { lookupHashes } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { providerIntent } from "@/lib/db/tables/provider";
import { transfer, transferPayee } from "@/lib/db/tables/transfers";
import { ofIntent, openBody } from "@/lib/provider/intents/intent-record";
import type { AccountRow } from "./standing";

/** The transfer that an entry belongs to, or returns. */
export type EntryTransfer = { id: string; isReturn: boolean };

export async function findTransferOfEntry({ tenant }: Actor, entryId: string): Promise<EntryTransfer | null> {
  const store = await db();
  const [found] = await store
    .select({ id: transfer.intentId, returnId: transfer.returnId })
    .from(transfer)
    .where(and(eq(transfer.tenant, tenant), or(eq(transfer.transactionId, entryId), eq(transfer.returnId, entryId))))
    .orderBy(desc(transfer.createdAt))
    .limit(1);
  return found === undefined ? null : { id: found.id, isReturn: found.returnId === entryId };
}

/** A TED as it was ordered from this account, by its debit; null for any other entry. */
export async function findOrderedTed(
  { tenant, accountId }: Pick<AccountRow, "tenant" | "accountId">,
  entryId: string,
): Promise<ExternalTransfer | null> {
  const store = await db();
  const isIt = and(
    eq(transfer.tenant, tenant),
    eq(transfer.kind, "EXTERNAL"),
    eq(transfer.accountId, accountId),
    eq(transfer.transactionId, entryId),
  );
  const [found] = await store
    .select({ intent: providerIntent })
    .from(transfer)
    .innerJoin(providerIntent, ofIntent(transfer))
    .where(isIt)
    .orderBy(desc(transfer.createdAt))
    .limit(1);
  return found === undefined ? null : (ExternalTransfer.safeParse(openBody(found.intent)).data ?? null);
}

/** Orders that pay a holder: by the document they name, or by an own account of it. */
export function paysHolder(store: Db, tenant: string, hashes: readonly string[]): SQL | undefined {
  const own = store
    .select({ accountId: account.accountId })
    .from(account)
    .where(and(eq(account.tenant, tenant), inArray(account.documentHash, [...hashes])));
  return or(inArray(transferPayee.documentHash, [...hashes]), inArray(transferPayee.accountId, own));
}

export async function newestPaying(store: Db, tenant: string, isIt: SQL | undefined): Promise<string | null> {
  const [row] = await store
    .select({ intentId: transferPayee.intentId })
    .from(transferPayee)
    .where(and(eq(transferPayee.tenant, tenant), isIt))
    .orderBy(desc(transferPayee.orderedAt))
    .limit(1);
  return row?.intentId ?? null;
}

export type EntryCounterparty = { document: string | null; accountId: string | null };

/** `payeeOf`: a transfer to the counterparty; `accountRef`: its own account here, one alone. Null: not known. */
export type CounterpartyTransfers = { payeeOf: string | null; accountRef: string | null };

export async function findCounterpartyTransfers(
  { tenant }: Actor,
  { document, accountId }: EntryCounterparty,
): Promise<CounterpartyTransfers> {
  const store = await db();
  const isItself = accountId === null ? undefined : eq(account.accountId, accountId);
  const hashes = document === null ? [] : lookupHashes(document);
  const isOfHolder = hashes.length === 0 ? undefined : inArray(account.documentHash, hashes);
  const isOwn = isItself ?? isOfHolder;
  if (isOwn === undefined) return { payeeOf: null, accountRef: null };
  const own = await store
    .select({ ref: account.ref })
    .from(account)
    .where(and(eq(account.tenant, tenant), isOwn))
    .limit(2);
  const isPaid = or(
    accountId === null ? undefined : eq(transferPayee.accountId, accountId),
    hashes.length === 0 ? undefined : paysHolder(store, tenant, hashes),
  );
  return {
    payeeOf: await newestPaying(store, tenant, isPaid),
    accountRef: own.length === 1 ? (own[0]?.ref ?? null) : null,
  };
}
