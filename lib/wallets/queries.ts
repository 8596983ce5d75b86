import { and, count, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { BalanceEntry, ChainFamily, Network } from "@/lib/contract/crypto";
import { isStorable } from "@/lib/contract/shared";
import { type Fresh, type Page, PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { query } from "@/lib/query";
import { type StoredEntry, wallet, walletBalance } from "./schema";
import type { ShownBody } from "@/lib/text/shown-body";
import { db } from "@/lib/store/store";
import { watchStanding } from "@/lib/store/watch-state";
import { type Held, heldIn } from "./held";
import { refreshBalance } from "./records";
import { isFamily, networksOf, WALLETS_WATCH, WalletFilter, WalletWalk } from "./rules";

/** `balance`: a decimal string in units of the asset. */
export type AssetBalance = Held & { network: Network; asset: string; tokenAddress: string | null };

export type WalletRow = {
  id: string;
  address: string;
  network: string;
  coin: string;
  status: string;
  isForwardPayment: boolean | null;
  createdAt: string;
  balances: AssetBalance[];
  unreadBalances: number;
  /** The oldest of its networks' readings; null while one was never read. */
  balancesAsOf: string | null;
};

export type WalletList = Page<WalletRow> & {
  counts: Record<ChainFamily | "all", number>;
  /** `partial`: never read to its end; `repeated`: the provider began again, and there may be more. */
  extent: "whole" | "partial" | "repeated";
  /** Whatever the filter: their family is unknown. */
  unread: ShownBody[];
};

type Walked = Pick<WalletList, "extent" | "unread" | keyof Fresh>;

async function readWalk(tenant: string): Promise<Walked> {
  const { fresh, memory } = await watchStanding(tenant, WALLETS_WATCH);
  const { end, unread } = WalletWalk.parse(memory);
  const extent = end === null ? "partial" : end === "empty" ? "whole" : "repeated";
  return { extent, unread: unread.map(({ shape }) => shape), ...fresh };
}

type BalanceRow = typeof walletBalance.$inferSelect;

const isEmpty = (balance: string) => !/[1-9]/.test(balance);

const isRead = (entry: StoredEntry): entry is BalanceEntry => !("shape" in entry);

const unreadOf = (entries: readonly StoredEntry[]): ShownBody[] =>
  entries.flatMap((entry) => (isRead(entry) ? [] : [entry.shape]));

function toBalances(network: Network, entries: readonly StoredEntry[]): AssetBalance[] {
  return heldIn(network, entries.filter(isRead)).map(({ asset, balance, decimals, other, tokenAddress }) => ({
    network,
    asset,
    balance,
    decimals,
    other,
    tokenAddress: tokenAddress ?? null,
  }));
}

function toRow(row: typeof wallet.$inferSelect, stored: readonly BalanceRow[]): WalletRow {
  const { id, address, family, coin, status, isForwardPayment } = row;
  const networks = networksOf(family);
  const read = networks.map((network) => stored.find((one) => one.walletId === id && one.network === network));
  const oldest = read.map((one) => one?.asOf?.toISOString() ?? "").toSorted()[0];
  const balances = read
    .flatMap((one) => (one === undefined ? [] : toBalances(one.network, one.entries)))
    .filter(({ balance }) => !isEmpty(balance));
  return {
    id,
    address,
    network: family,
    coin,
    status,
    isForwardPayment,
    createdAt: row.createdAt.toISOString(),
    balances,
    unreadBalances: read.flatMap((one) => unreadOf(one?.entries ?? [])).length,
    balancesAsOf: oldest === undefined || oldest === "" ? null : oldest,
  };
}

/** Addresses are sought as people copy them: some families write capital and small letters as they like. */
const matching = (tenant: string, sought: string | undefined) =>
  and(
    eq(wallet.tenant, tenant),
    sought === undefined
      ? undefined
      : or(eq(wallet.id, sought), sql`strpos(lower(${wallet.address}), ${sought.toLowerCase()}) > 0`),
  );

async function countFamilies(tenant: string, sought: string | undefined): Promise<WalletList["counts"]> {
  const rows = await (
    await db()
  )
    .select({ family: wallet.family, n: count() })
    .from(wallet)
    .where(matching(tenant, sought))
    .groupBy(wallet.family);
  const counts = { EVM: 0, BTC: 0, TRON: 0, SOLANA: 0, XRPL: 0, all: 0 };
  for (const { family, n } of rows) {
    counts.all += n;
    if (isFamily(family)) counts[family] += n;
  }
  return counts;
}

/** Newest first, with balances as the watch last read them. */
export const listWallets = query(
  "wallets:read",
  async (actor, given: Partial<WalletFilter> = {}): Promise<WalletList> => {
    const filter = WalletFilter.parse(given);
    const store = await db();
    const [counts, walk] = await Promise.all([countFamilies(actor.tenant, filter.sought), readWalk(actor.tenant)]);
    const total = counts[filter.network ?? "all"];
    const { page, totalPages, offset } = pageWindow(filter.page, total);
    const ofFamily = filter.network === undefined ? undefined : eq(wallet.family, filter.network);
    const rows = await store
      .select()
      .from(wallet)
      .where(and(matching(actor.tenant, filter.sought), ofFamily))
      .orderBy(desc(wallet.createdAt), wallet.id)
      .limit(PAGE_SIZE)
      .offset(offset);
    const ids = rows.map(({ id }) => id);
    const stored =
      ids.length === 0
        ? []
        : await store
            .select()
            .from(walletBalance)
            .where(and(eq(walletBalance.tenant, actor.tenant), inArray(walletBalance.walletId, ids)));
    return { rows: rows.map((row) => toRow(row, stored)), page, totalPages, total, counts, ...walk };
  },
);

const MOST_OF_USER = 20;

/** The newest of a user's, without their balances. */
export const listWalletsOf = query(
  "wallets:read",
  async ({ tenant }, userId: string): Promise<Pick<WalletRow, "id" | "address" | "network" | "status">[]> =>
    (await db())
      .select({ id: wallet.id, address: wallet.address, network: wallet.family, status: wallet.status })
      .from(wallet)
      .where(and(eq(wallet.tenant, tenant), eq(wallet.userId, userId)))
      .orderBy(desc(wallet.createdAt), wallet.id)
      .limit(MOST_OF_USER),
);

export type WalletNetworkView = {
  network: Network;
  balances: AssetBalance[] | null;
  unread: ShownBody[];
  asOf: string | null;
  hasFailed: boolean;
};
export type WalletView = WalletRow & { networks: WalletNetworkView[] };

/** All viewers read again on a change: the first reading serves the others. */
const JUST_READ_MS = 3_000;

function isJustRead(stored: BalanceRow | undefined): boolean {
  const ageMs = Date.now() - (stored?.asOf?.getTime() ?? 0);
  return ageMs >= 0 && ageMs < JUST_READ_MS;
}

/** Balances read now; null without this id. */
export const getWallet = query("wallets:read", async (actor, id: string): Promise<WalletView | null> => {
  if (!isStorable(id)) return null;
  const store = await db();
  const [row] = await store
    .select()
    .from(wallet)
    .where(and(eq(wallet.tenant, actor.tenant), eq(wallet.id, id)));
  if (row === undefined) return null;
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
    const balances = one === undefined || asOf === null ? null : toBalances(network, one.entries);
    return {
      network,
      balances,
      unread: unreadOf(one?.entries ?? []),
      asOf,
      hasFailed: reads[index]?.status === "rejected",
    };
  });
  return { ...toRow(row, stored), networks: views };
});
