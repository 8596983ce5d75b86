import { and, eq } from "drizzle-orm";
import type { BalanceEntry, Network } from "@/lib/contract/crypto";
import { type StoredEntry, wallet, walletLabel } from "@/lib/db/tables/wallets";
import type { ShownBody } from "@/lib/text/shown-body";
import type { WalletUse } from "@/lib/db/enums/wallets";
import { type Held, heldIn } from "./held";
import { networksOf } from "./inputs";
import { useOf } from "./view";
import { withToken } from "./xrpl-token";

/** `balance`: a decimal string in units of the asset, or the provider's text. */
export type AssetBalance = Held & { network: Network; asset: string; tokenAddress: string | null };

export type WalletRow = {
  id: string;
  address: string;
  network: string;
  coin: string;
  status: string;
  userId: string | null;
  /** As finance set them; null when unset. */
  label: string | null;
  setUse: WalletUse | null;
  use: WalletUse | null;
  isForwardPayment: boolean | null;
  createdAt: string;
  balances: AssetBalance[];
  unreadBalances: number;
  /** The oldest of its networks' readings; null while one was never read. */
  balancesAsOf: string | null;
};

const isEmpty = (balance: string) => !/[1-9]/.test(balance);

const isRead = (entry: StoredEntry): entry is BalanceEntry => !("shape" in entry);

export const unreadOf = (entries: readonly StoredEntry[]): ShownBody[] =>
  entries.flatMap((entry) => (isRead(entry) ? [] : [entry.shape]));

export function toBalances(tenant: string, network: Network, entries: readonly StoredEntry[]): AssetBalance[] {
  return heldIn(tenant, network, entries.filter(isRead))
    .map((one) => withToken(network, one))
    .map(({ asset, balance, decimals, doubt, tokenAddress }) => ({
      network,
      asset,
      balance,
      decimals,
      doubt,
      tokenAddress: tokenAddress ?? null,
    }));
}

export type ToldBalance = { network: string; asOfMs: number | null; entries: readonly StoredEntry[] };

/** `readAt` is null before the first reading; `unread`: balances of that network that were not understood. */
type HoldingReading = { network: Network; readAt: string | null; unread: number };

/** A wallet's balances on all its networks. */
export type Holdings = {
  balances: AssetBalance[];
  unread: number;
  asOfMs: number | null;
  readings: HoldingReading[];
};

const holdsNothing = (entries: readonly StoredEntry[]) => entries.every((one) => isRead(one) && isEmpty(one.balance));

export function toHolding(tenant: string, family: string, stored: readonly ToldBalance[]): Holdings {
  const read = networksOf(family).map((network) => ({ network, told: stored.find((one) => one.network === network) }));
  const times = read.map(({ told }) => told?.asOfMs ?? null);
  const balances = read
    .flatMap(({ network, told }) =>
      told === undefined || holdsNothing(told.entries) ? [] : toBalances(tenant, network, told.entries),
    )
    .filter(({ balance }) => !isEmpty(balance));
  const readings = read.map(({ network, told }) => {
    const asOfMs = told?.asOfMs ?? null;
    const readAt = asOfMs === null ? null : new Date(asOfMs).toISOString();
    return { network, readAt, unread: unreadOf(told?.entries ?? []).length };
  });
  const unread = readings.reduce((sum, one) => sum + one.unread, 0);
  const isWhole = times.length > 0 && !times.includes(null);
  return { balances, unread, asOfMs: isWhole ? Math.min(...times.map(Number)) : null, readings };
}

type LabelledWallet = { row: typeof wallet.$inferSelect; label: string | null; setUse: WalletUse | null };

export function walletRow(
  { row, label, setUse }: LabelledWallet,
  { balances, unread, asOfMs }: Omit<Holdings, "readings">,
): WalletRow {
  const { id, address, family, coin, status, userId, isForwardPayment } = row;
  return {
    id,
    address,
    network: family,
    coin,
    status,
    userId,
    label,
    setUse,
    use: useOf({ use: setUse, isForwardPayment, userId }),
    isForwardPayment,
    createdAt: row.createdAt.toISOString(),
    balances,
    unreadBalances: unread,
    balancesAsOf: asOfMs === null ? null : new Date(asOfMs).toISOString(),
  };
}

export const ofLabel = and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id));
export const LABELLED = { row: wallet, label: walletLabel.label, setUse: walletLabel.use };
