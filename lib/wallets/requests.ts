import { and, asc, eq, gte, inArray, isNull, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias, type AnyPgColumn } from "drizzle-orm/pg-core";
import type { OutcomeName } from "@/lib/permission/writes";
import { isNotRuledOut } from "@/lib/provider/intents/candidates";
import type { Intent } from "@/lib/provider/intents/intent-record";
import type { OutcomeSubject } from "@/lib/provider/intents/settling";
import { staff } from "@/lib/db/tables/staff";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import type { Db, Tx } from "@/lib/db/connection";
import { wallet, walletRequest } from "@/lib/db/tables/wallets";
import type { WalletRequestKind } from "@/lib/db/enums/wallets";
import type { UnconfirmedWallet, WalletCandidate, WalletOrigin } from "./view";

export type RequestRow = typeof walletRequest.$inferSelect;

export type RequestKey = Pick<RequestRow, "tenant" | "intentId">;

export const NAMES = { wallet: "wallet.create", address: "wallet.address" } as const satisfies Record<
  WalletRequestKind,
  OutcomeName
>;

export const walletRequestObject = (intentId: string) => `wallet-request:${intentId}`;

export const isRequest = ({ tenant, intentId }: RequestKey) =>
  and(eq(walletRequest.tenant, tenant), eq(walletRequest.intentId, intentId));

export async function findWalletRequest(tx: Db | Tx, request: RequestKey): Promise<RequestRow | null> {
  const [row] = await tx.select().from(walletRequest).where(isRequest(request));
  return row ?? null;
}

export type WalletWish = Pick<RequestRow, "kind" | "family" | "isForward"> & {
  reference: string | null;
  customer: string | null;
};

const holderOf = (column: "reference" | "customer", { tenant, intentId }: RequestKey) =>
  ({ column: `wallet_request.${column}_sealed`, row: [tenant, intentId] }) as const;

export const hasHash = (column: AnyPgColumn, clear: string | null): SQL =>
  clear === null ? isNull(column) : inArray(column, lookupHashes(clear));

type SealedNames = Pick<RequestRow, "referenceHash" | "referenceSealed" | "customerHash" | "customerSealed">;

export const sealNames = (
  request: RequestKey,
  { reference, customer }: Pick<WalletWish, "reference" | "customer">,
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

const MAX_CANDIDATES = 20;

/** First seen since sending, of the same family and use, and of no other request. */
export async function walletCandidates(
  store: Db | Tx,
  request: RequestRow,
  sentAt: Date | null,
): Promise<WalletCandidate[]> {
  if (sentAt === null || request.address !== null) return [];
  const { tenant, family, isForward } = request;
  const claimant = alias(walletRequest, "claimant");
  const isClaimed = or(
    eq(claimant.walletId, wallet.id),
    eq(sql`lower(${claimant.address})`, sql`lower(${wallet.address})`),
  );
  const claimed = store
    .select({ intentId: claimant.intentId })
    .from(claimant)
    .where(and(eq(claimant.tenant, wallet.tenant), isClaimed));
  const isOfUse = or(isNull(wallet.isForwardPayment), eq(wallet.isForwardPayment, isForward));
  const isNew = gte(wallet.firstSeenAt, sentAt);
  const rows = await store
    .select({ walletId: wallet.id, address: wallet.address, userId: wallet.userId, firstSeenAt: wallet.firstSeenAt })
    .from(wallet)
    .where(
      and(
        eq(wallet.tenant, tenant),
        eq(wallet.family, family),
        isOfUse,
        isNew,
        notExists(claimed),
        isNotRuledOut(store, request, wallet.id),
      ),
    )
    .orderBy(asc(wallet.firstSeenAt), wallet.id)
    .limit(MAX_CANDIDATES);
  const { customer } = labelsOf(request);
  const isOfAnother = (userId: string | null) =>
    request.kind === "wallet" && userId !== null && customer !== null && userId !== customer;
  return rows
    .filter(({ userId }) => !isOfAnother(userId))
    .map(({ walletId, address, firstSeenAt }) => ({
      walletId,
      address,
      firstSeenAt: (firstSeenAt ?? sentAt).toISOString(),
    }));
}

export async function walletCandidateIds(tx: Db | Tx, { tenant, id, firstSentAt }: Intent): Promise<string[]> {
  const request = await findWalletRequest(tx, { tenant, intentId: id });
  if (request === null) return [];
  return (await walletCandidates(tx, request, firstSentAt)).map(({ walletId }) => walletId);
}

export async function describeWalletRequest(tx: Db | Tx, { tenant, id: intentId }: Intent): Promise<OutcomeSubject> {
  const request = await findWalletRequest(tx, { tenant, intentId });
  const { reference, customer } = request === null ? { reference: null, customer: null } : labelsOf(request);
  return { subject: reference ?? customer ?? request?.family ?? null, amount: null, href: "/wallets/addresses" };
}
