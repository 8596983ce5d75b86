import { and, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { familyOf } from "@/lib/contract/addresses";
import { CHAIN_FAMILIES, FAMILY_NETWORKS, type Network, NETWORKS } from "@/lib/contract/crypto";
import { addressSpelling, addressSpellings, tokenKey } from "@/lib/contract/identity";
import type { Db, Tx } from "@/lib/db/connection";
import { lookupHash, lookupHashes, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import { approval } from "@/lib/db/tables/approvals";
import { providerIntent } from "@/lib/db/tables/provider";
import { chainMovement, cryptoOrder } from "@/lib/db/tables/wallets";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { movementState } from "./chain-state";
import { type CoinOrder, coinOrderIn, fingerprintOf, spelt } from "./fingerprint";
import { mayBeCoin, movementDirection, type LookAlike, type SentOrder } from "./view";
import { tokenOf } from "./xrpl-token";

const StoredOrder: z.ZodType<SentOrder> = z.strictObject({
  network: z.enum(NETWORKS),
  to: z.string(),
  amount: z.string(),
  /** As the wallet's balance named it then; an unnamed token by its address. */
  asset: z.string(),
});

type OrderKey = { tenant: string; intentId: string };
type Ordered = { walletId: string; order: CoinOrder; asset: string };

const target = ({ tenant, intentId }: OrderKey) =>
  ({ column: "crypto_order.order_sealed", row: [tenant, intentId] }) as const;

const fingerprintTarget = ({ tenant, intentId }: OrderKey) =>
  ({ column: "crypto_order.fingerprint_sealed", row: [tenant, intentId] }) as const;

const destinationTarget = ({ tenant, intentId }: OrderKey) =>
  ({ column: "crypto_order.destination_sealed", row: [tenant, intentId] }) as const;

type Listed = SentOrder & { token: string | null };

/** What lists filter and add up by. */
function listedOf(key: OrderKey, { network, to, amount, asset, token }: Listed) {
  const destination = spelt(network, to);
  return {
    network,
    asset,
    token,
    amount,
    destinationSealed: seal(destination, destinationTarget(key)),
    destinationHash: lookupHash(destination),
  };
}

/** Hashes of an address that somebody looks for, on whichever network it is one. */
export const destinationHashes = (address: string): string[] => [
  ...new Set(CHAIN_FAMILIES.flatMap((family) => lookupHashes(addressSpelling(family, address)))),
];

const UNREAD_BEFORE = {
  headHash: null,
  headAt: null,
  heldBefore: null,
  heldBeforeAt: null,
  assetBefore: null,
  assetBeforeAt: null,
  derivedFee: null,
};

/** With its proposal and with its intent; one that was refused may be ordered again, corrected. */
export async function storeSentOrder(tx: Tx, key: OrderKey, { walletId, order, asset }: Ordered): Promise<void> {
  const { network, to, amount } = order;
  const fingerprint = fingerprintOf(order);
  const row = {
    orderSealed: seal(JSON.stringify(StoredOrder.parse({ network, to, amount, asset })), target(key)),
    orderedAt: new Date(),
    fingerprintSealed: seal(fingerprint, fingerprintTarget(key)),
    fingerprintHash: lookupHash(fingerprint),
    isOpen: true,
    txHash: null,
    walletId,
    ...listedOf(key, { network, to, amount, asset, token: tokenOf(order) }),
    ...UNREAD_BEFORE,
  };
  // Asked for once, though it leaves after somebody authorised it.
  const askedAt = sql`case when ${cryptoOrder.isOpen} then ${cryptoOrder.orderedAt} else excluded.ordered_at end`;
  await tx
    .insert(cryptoOrder)
    .values({ ...key, ...row })
    .onConflictDoUpdate({ target: [cryptoOrder.tenant, cryptoOrder.intentId], set: { ...row, orderedAt: askedAt } });
}

const isOrder = ({ tenant, intentId }: OrderKey) =>
  and(eq(cryptoOrder.tenant, tenant), eq(cryptoOrder.intentId, intentId));

export async function noteOrderEnd(
  tx: Db | Tx,
  key: OrderKey,
  { isOpen, txHash }: { isOpen: boolean; txHash?: string | undefined },
): Promise<void> {
  await tx
    .update(cryptoOrder)
    .set({ isOpen, ...(txHash !== undefined && { txHash }) })
    .where(isOrder(key));
}

export const openedOrder = (key: OrderKey, orderSealed: string): SentOrder | null => {
  const opened = unsealedOrNull(() => unseal(orderSealed, target(key)));
  return opened === null ? null : StoredOrder.parse(JSON.parse(opened));
};

/** In the spelling used for comparison; null when it does not open, or was not stored. */
export async function readCoinOrder(store: Db | Tx, key: OrderKey): Promise<CoinOrder | null> {
  const [row] = await store.select({ sealed: cryptoOrder.fingerprintSealed }).from(cryptoOrder).where(isOrder(key));
  const sealed = row?.sealed ?? null;
  const opened = sealed === null ? null : unsealedOrNull(() => unseal(sealed, fingerprintTarget(key)));
  return opened === null ? null : coinOrderIn(opened);
}

/** Null when unknown here. */
export async function readSentOrder(store: Db | Tx, key: OrderKey): Promise<SentOrder | null> {
  const [row] = await store.select({ orderSealed: cryptoOrder.orderSealed }).from(cryptoOrder).where(isOrder(key));
  return row === undefined ? null : openedOrder(key, row.orderSealed);
}

const isSome = (amount: string) => /[1-9]/.test(amount);

/** Anybody can put a movement of zero, or of their own token, into a wallet's history as outgoing. */
async function networksLeftFor(store: Db | Tx, tenant: string, { network, to, ...asset }: Destined) {
  const { counterAddress, droppedAt } = chainMovement;
  const family = familyOf(network);
  const rows = await store
    .select()
    .from(chainMovement)
    .where(
      and(
        eq(chainMovement.tenant, tenant),
        inArray(chainMovement.network, [...FAMILY_NETWORKS[family]]),
        inArray(sql`lower(${counterAddress})`, addressSpellings(family, to)),
        isNull(droppedAt),
      ),
    );
  const token = tokenKey(network, tokenOf(asset) ?? "");
  const left = rows.filter((row) => {
    const isTheirs = mayBeCoin(row) || (row.network === network && tokenKey(network, row.tokenAddress) === token);
    const hasLeft = movementDirection(row.subtype) === "out" && movementState(row) === "confirmed";
    return hasLeft && isTheirs && isSome(row.amount) && spelt(network, row.counterAddress) === spelt(network, to);
  });
  return left.map((row) => row.network);
}

type Destined = Omit<CoinOrder, "fromAddress" | "amount">;

export type EarlierUse = { isFirstUse: boolean; elsewhere: Network[] };

/** Whether a transfer to this address was confirmed, by our orders and the stored chains. */
export async function earlierUse(
  store: Db | Tx,
  tenant: string,
  destined: Destined,
  alike: readonly LookAlike[],
): Promise<EarlierUse> {
  const { network, to } = destined;
  // Of addresses that are taken for one another the chain proves nothing: one of them may have been planted there.
  const onChain = alike.length === 0 ? await networksLeftFor(store, tenant, destined) : [];
  const rows = await store
    .select({ intentId: cryptoOrder.intentId, orderSealed: cryptoOrder.orderSealed })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .where(and(eq(cryptoOrder.tenant, tenant), eq(providerIntent.state, "DONE")))
    .orderBy(desc(cryptoOrder.orderedAt));
  const family = familyOf(network);
  const ordered = rows.flatMap(({ intentId, orderSealed }) => {
    const sent = openedOrder({ tenant, intentId }, orderSealed);
    const isThere =
      sent !== null && familyOf(sent.network) === family && spelt(network, sent.to) === spelt(network, to);
    return isThere ? [sent.network] : [];
  });
  const used = new Set([...onChain, ...ordered]);
  const elsewhere = FAMILY_NETWORKS[family].filter((one) => one !== network && used.has(one));
  return { isFirstUse: !used.has(network), elsewhere };
}

export async function ordersThatMayHaveLeft(store: Db | Tx, tenant: string): Promise<SentOrder[]> {
  const rows = await store
    .select({ intentId: cryptoOrder.intentId, orderSealed: cryptoOrder.orderSealed })
    .from(cryptoOrder)
    .innerJoin(providerIntent, ofIntent(cryptoOrder))
    .where(and(eq(cryptoOrder.tenant, tenant), ne(providerIntent.state, "REFUSED")));
  return rows.flatMap(({ intentId, orderSealed }) => openedOrder({ tenant, intentId }, orderSealed) ?? []);
}

const AT_ONCE = 200;

/** Those that were stored before lists filtered by them. One that does not open keeps its wallet alone. */
export async function listOlderOrders(store: Db, tenant: string): Promise<void> {
  const rows = await store
    .select({
      intentId: cryptoOrder.intentId,
      orderSealed: cryptoOrder.orderSealed,
      object: sql<string | null>`coalesce(${providerIntent.object}, ${approval.object})`,
    })
    .from(cryptoOrder)
    .leftJoin(providerIntent, ofIntent(cryptoOrder))
    .leftJoin(approval, and(eq(approval.tenant, cryptoOrder.tenant), eq(approval.intentId, cryptoOrder.intentId)))
    .where(and(eq(cryptoOrder.tenant, tenant), isNull(cryptoOrder.walletId)))
    .limit(AT_ONCE);
  for (const { intentId, orderSealed, object } of rows) {
    const key = { tenant, intentId };
    const sent = openedOrder(key, orderSealed);
    const order = await readCoinOrder(store, key);
    const listed = sent === null ? {} : listedOf(key, { ...sent, token: order === null ? null : tokenOf(order) });
    const walletId = (object ?? "").replace("wallet:", "");
    await store
      .update(cryptoOrder)
      .set({ walletId, ...listed })
      .where(isOrder(key));
  }
}
