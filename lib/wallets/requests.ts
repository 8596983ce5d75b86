import { and, eq, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { OutcomeKind } from "@/lib/provider/intents/outcome-kind";
import { staff } from "@/lib/db/tables/staff";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { type wallet, walletRequest } from "@/lib/db/tables/wallets";
import type { WalletRequestKind } from "@/lib/db/enums/wallets";
import type { UnconfirmedWallet, WalletOrigin } from "./view";

export type RequestRow = typeof walletRequest.$inferSelect;

export type Named = Pick<RequestRow, "tenant" | "intentId">;

export const NAMES = { wallet: "wallet.create", address: "wallet.address" } as const satisfies Record<
  WalletRequestKind,
  OutcomeKind["name"]
>;

export const objectOf = (intentId: string) => `wallet-request:${intentId}`;

export const named = ({ tenant, intentId }: Named) =>
  and(eq(walletRequest.tenant, tenant), eq(walletRequest.intentId, intentId));

export async function findRequest(tx: Db | Tx, request: Named): Promise<RequestRow | null> {
  const [row] = await tx.select().from(walletRequest).where(named(request));
  return row ?? null;
}

export type Wanted = Pick<RequestRow, "kind" | "family" | "isForward"> & {
  reference: string | null;
  customer: string | null;
};

const holderOf = (column: "reference" | "customer", { tenant, intentId }: Named) =>
  ({ column: `wallet_request.${column}_sealed`, row: [tenant, intentId] }) as const;

export const hasHash = (column: AnyPgColumn, clear: string | null): SQL =>
  clear === null ? isNull(column) : inArray(column, lookupHashes(clear));

type SealedNames = Pick<RequestRow, "referenceHash" | "referenceSealed" | "customerHash" | "customerSealed">;

export const sealNames = (
  request: Named,
  { reference, customer }: Pick<Wanted, "reference" | "customer">,
): SealedNames => ({
  referenceHash: reference === null ? null : lookupHash(reference),
  referenceSealed: reference === null ? null : seal(reference, holderOf("reference", request)),
  customerHash: customer === null ? null : lookupHash(customer),
  customerSealed: customer === null ? null : seal(customer, holderOf("customer", request)),
});

type OpenedLabels = Pick<UnconfirmedWallet, "reference" | "customer" | "isUnopened">;

const isClosed = (stored: string | null, clear: string | null) => stored !== null && clear === null;

export function labelsOf(row: RequestRow): OpenedLabels {
  const opened = (column: "reference" | "customer", stored: string | null) =>
    stored === null ? null : unsealedOrNull(() => unseal(stored, holderOf(column, row)));
  const reference = opened("reference", row.referenceSealed);
  const customer = opened("customer", row.customerSealed);
  const isUnopened = isClosed(row.referenceSealed, reference) || isClosed(row.customerSealed, customer);
  return { reference, customer, isUnopened };
}

/** Null for a wallet that was not made here. */
export async function findOrigin(
  store: Db,
  tenant: string,
  { id, address, family }: Pick<typeof wallet.$inferSelect, "id" | "address" | "family">,
): Promise<WalletOrigin | null> {
  const isOfAddress = sql`lower(${walletRequest.address}) = ${address.toLowerCase()} and ${walletRequest.family} = ${family}`;
  const [found] = await store
    .select({ request: walletRequest, byName: staff.name })
    .from(walletRequest)
    .innerJoin(staff, eq(staff.id, walletRequest.staffId))
    .where(and(eq(walletRequest.tenant, tenant), or(eq(walletRequest.walletId, id), isOfAddress)))
    .orderBy(walletRequest.createdAt)
    .limit(1);
  if (found === undefined) return null;
  const { request, byName } = found;
  return { ...labelsOf(request), byName, at: request.createdAt.toISOString() };
}
