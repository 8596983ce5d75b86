import { and, eq, sql } from "drizzle-orm";
import { addressBytes } from "@/lib/contract/address-bytes";
import { familyOf } from "@/lib/contract/addresses";
import { COINS, isCoin } from "@/lib/contract/coins";
import type { BalanceEntry, Network } from "@/lib/contract/crypto";
import { tokenKey } from "@/lib/contract/identity";
import type { Db, Tx } from "@/lib/db/connection";
import { staff } from "@/lib/db/tables/staff";
import { wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { type Held, heldIn } from "./held";
import type { CryptoOrder } from "./inputs";
import type { Ours, SendReview } from "./view";
import { tokenOf, withToken } from "./xrpl-token";

type BalanceQuery = { walletId: string; network: Network; /** Empty for the network's coin. */ token: string };

type LastRead = {
  held: (BalanceEntry & Held) | undefined;
  asOf: string | null;
};

async function readEntries(
  store: Db | Tx,
  tenant: string,
  { walletId, network }: Pick<BalanceQuery, "walletId" | "network">,
) {
  const isIt = and(eq(walletBalance.walletId, walletId), eq(walletBalance.network, network));
  const [row] = await store
    .select({ entries: walletBalance.entries, asOf: walletBalance.asOf })
    .from(walletBalance)
    .where(and(eq(walletBalance.tenant, tenant), isIt));
  const entries = (row?.entries ?? []).flatMap((entry) => ("shape" in entry ? [] : [entry]));
  return { entries, asOf: row?.asOf?.toISOString() ?? null };
}

/** The wallet's last known balance of the asset. */
export async function heldOf(
  store: Db | Tx,
  tenant: string,
  { walletId, network, token }: BalanceQuery,
): Promise<LastRead> {
  const { entries, asOf } = await readEntries(store, tenant, { walletId, network });
  const held = heldIn(tenant, network, entries)
    .map((one) => withToken(network, one))
    .find((one) =>
      token === "" ? isCoin(network, one) : tokenKey(network, one.tokenAddress) === tokenKey(network, token),
    );
  return { held, asOf };
}

export function overOf(amount: string, { held, asOf }: LastRead): SendReview["over"] {
  const balance = held?.balance ?? "";
  const isOver = isDecimal(balance) && unitsOf(amount) > unitsOf(balance);
  return isOver && asOf !== null ? { balance, asOf } : null;
}

type SentAsset = Pick<CryptoOrder, "walletId" | "network" | "tokenAddress" | "currency" | "issuer">;

/** The asset as the wallet's balance names it; an unnamed token is its address, never the chain's coin. */
export async function assetOf(store: Db | Tx, tenant: string, order: SentAsset): Promise<string> {
  const { network } = order;
  const token = tokenOf(order);
  if (token === null) return COINS[network];
  const { entries } = await readEntries(store, tenant, order);
  const entry = entries
    .map((one) => withToken(network, one))
    .find(({ tokenAddress }) => tokenKey(network, tokenAddress) === tokenKey(network, token));
  return entry === undefined || entry.asset === "" ? (order.currency ?? token) : entry.asset;
}

const RECENT_MS = 7 * 24 * 60 * 60_000;

const toldOf = ({ userId, isForwardPayment }: Pick<typeof wallet.$inferSelect, "userId" | "isForwardPayment">) => {
  if (userId !== null) return "customer";
  if (isForwardPayment === null) return "untold";
  return isForwardPayment ? "checkout" : "own";
};

type Destination = { network: Network; to: string; makerId: string };

/** The owner according to the provider alone: a label is only a person's word. */
export async function ownerOf(
  store: Db | Tx,
  tenant: string,
  { network, to, makerId }: Destination,
): Promise<Ours | null> {
  const family = familyOf(network);
  const isLike = sql`lower(${wallet.address}) = ${to.toLowerCase()}`;
  const found = await store
    .select({ row: wallet, named: walletLabel, byName: staff.name })
    .from(wallet)
    .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
    .leftJoin(staff, eq(staff.id, walletLabel.setBy))
    .where(and(eq(wallet.tenant, tenant), eq(wallet.family, family), isLike))
    .orderBy(wallet.createdAt);
  const bytes = addressBytes(family, to);
  const same = found.filter(({ row }) => addressBytes(family, row.address) === bytes);
  const owner = same.find(({ row }) => row.userId !== null) ?? same[0];
  if (owner === undefined) return null;
  const { row, named, byName } = owner;
  const label = named?.label ?? null;
  const told = { walletId: row.id, told: toldOf(row), label } as const;
  if (named === null || label === null) return { ...told, labelled: null };
  const { setBy, setAt } = named;
  const isRecent = Date.now() - setAt.getTime() < RECENT_MS;
  const labelled = { byName: byName ?? "", at: setAt.toISOString(), isOfMaker: setBy === makerId, isRecent };
  return { ...told, labelled };
}
