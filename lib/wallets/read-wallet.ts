import { and, eq } from "drizzle-orm";
import type { Network } from "@/lib/contract/crypto";
import { isStorable } from "@/lib/contract/shared";
import type { Actor } from "@/lib/permission/grant";
import { wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import type { ShownBody } from "@/lib/text/shown-body";
import { db } from "@/lib/db/connection";
import { refreshBalance, readTroubleOf } from "./records";
import { findOrigin } from "./requests";
import { networksOf } from "./inputs";
import type { ReadTrouble, WalletOrigin } from "./view";
import {
  type AssetBalance,
  type WalletRow,
  unreadOf,
  toBalances,
  toHolding,
  walletRow,
  ofLabel,
  LABELLED,
} from "./holdings";

export type WalletNetworkView = {
  network: Network;
  balances: AssetBalance[] | null;
  unread: ShownBody[];
  asOf: string | null;
  trouble: ReadTrouble | null;
};
export type WalletView = WalletRow & { networks: WalletNetworkView[]; origin: WalletOrigin | null };

/** All viewers reread on a change: the first reading serves the others. */
const JUST_READ_MS = 3_000;

type BalanceRow = typeof walletBalance.$inferSelect;

function isJustRead(stored: BalanceRow | undefined): boolean {
  const ageMs = Date.now() - (stored?.asOf?.getTime() ?? 0);
  return ageMs >= 0 && ageMs < JUST_READ_MS;
}

/** Balances read now; null without this id. */
export async function readWallet(actor: Actor<"wallets:read">, id: string): Promise<WalletView | null> {
  if (!isStorable(id)) return null;
  const store = await db();
  const isIt = and(eq(wallet.tenant, actor.tenant), eq(wallet.id, id));
  const [found] = await store.select(LABELLED).from(wallet).leftJoin(walletLabel, ofLabel).where(isIt);
  if (found === undefined) return null;
  const { row } = found;
  const networks = networksOf(row.family);
  const readStored = () =>
    store
      .select()
      .from(walletBalance)
      .where(and(eq(walletBalance.tenant, actor.tenant), eq(walletBalance.walletId, id)));
  const before = await readStored();
  const reads = await Promise.allSettled(
    networks.map(async (network) => {
      if (isJustRead(before.find((one) => one.network === network))) return;
      await refreshBalance(actor, { walletId: id, address: row.address, network });
    }),
  );
  const stored = await readStored();
  const views = networks.map((network, index): WalletNetworkView => {
    const one = stored.find((balance) => balance.network === network);
    const asOf = one?.asOf?.toISOString() ?? null;
    const balances = one === undefined || asOf === null ? null : toBalances(actor.tenant, network, one.entries);
    return {
      network,
      balances,
      unread: unreadOf(one?.entries ?? []),
      asOf,
      trouble: readTroubleOf(reads[index]),
    };
  });
  const told = stored.map(({ asOf, ...one }) => ({ ...one, asOfMs: asOf?.getTime() ?? null }));
  return {
    ...walletRow(found, toHolding(actor.tenant, row.family, told)),
    networks: views,
    origin: await findOrigin(store, actor.tenant, row),
  };
}
