import { and, eq, sql } from "drizzle-orm";
import { canonicalAddress, familyOf } from "@/lib/contract/addresses";
import type { BalanceEntry, Network } from "@/lib/contract/crypto";
import type { Db, Tx } from "@/lib/db/connection";
import { wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { type Held, heldIn } from "./held";
import { isCoin, type SendReview } from "./view";
import { withToken } from "./xrpl-token";

type Asked = { walletId: string; network: Network; /** Empty for the network's coin. */ token: string };

type LastRead = {
  held: (BalanceEntry & Held) | undefined;
  asOf: string | null;
};

/** What the wallet was last known to hold of it. */
export async function heldOf(store: Db | Tx, tenant: string, { walletId, network, token }: Asked): Promise<LastRead> {
  const isIt = and(eq(walletBalance.walletId, walletId), eq(walletBalance.network, network));
  const [row] = await store
    .select({ entries: walletBalance.entries, asOf: walletBalance.asOf })
    .from(walletBalance)
    .where(and(eq(walletBalance.tenant, tenant), isIt));
  const entries = (row?.entries ?? []).flatMap((entry) => ("shape" in entry ? [] : [entry]));
  const held = heldIn(network, entries)
    .map((one) => withToken(network, one))
    .find((one) => (token === "" ? isCoin(network, one) : one.tokenAddress === token));
  return { held, asOf: row?.asOf?.toISOString() ?? null };
}

export function overOf(amount: string, { held, asOf }: LastRead): SendReview["over"] {
  const balance = held?.balance ?? "";
  const isOver = isDecimal(balance) && unitsOf(amount) > unitsOf(balance);
  return isOver && asOf !== null ? { balance, asOf } : null;
}

type Destination = { network: Network; to: string };

export async function ownerOf(
  store: Db | Tx,
  tenant: string,
  { network, to }: Destination,
): Promise<SendReview["ours"]> {
  const family = familyOf(network);
  const ofLabel = and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id));
  const isLike = sql`lower(${wallet.address}) = ${to.toLowerCase()}`;
  const found = await store
    .select({ walletId: wallet.id, address: wallet.address, label: walletLabel.label })
    .from(wallet)
    .leftJoin(walletLabel, ofLabel)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.family, family), isLike));
  const owner = found.find(({ address }) => canonicalAddress(family, address) === to);
  return owner === undefined ? null : { walletId: owner.walletId, label: owner.label };
}
