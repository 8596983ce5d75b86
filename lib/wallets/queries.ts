import { and, desc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { BalanceEntry, ChainFamily, Network } from "@/lib/contract/crypto";
import { isStorable } from "@/lib/contract/shared";
import { type Fresh, type Page, PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { query } from "@/lib/query";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isUuid } from "@/lib/text/decode";
import { isDecimal } from "@/lib/text/format";
import { folded } from "@/lib/text/typed";
import { type StoredEntry, wallet, walletBalance, walletLabel, walletRequest } from "@/lib/db/tables/wallets";
import type { ShownBody } from "@/lib/text/shown-body";
import { staff } from "@/lib/db/tables/staff";
import { lookupHashes } from "@/lib/db/seal";
import { type Db, db } from "@/lib/db/connection";
import { watchStanding } from "@/lib/db/watch-state";
import { type Held, heldIn } from "./held";
import { exportHistoryOf, readWalletHistory } from "./history-list";
import { readOpenSends } from "./open-sends";
import { refreshBalance } from "./records";
import { findOrigin, labelsOf, openRequests } from "./requests";
import { AddressFilter, isFamily, networksOf, WALLETS_WATCH, WalletFilter, WalletWalk } from "./inputs";
import {
  type DepositAddress,
  type Holding as HoldingWord,
  listedUse,
  type OpenSend,
  sameAsset,
  useOf,
  type WalletOrigin,
} from "./view";
import type { WalletUse } from "@/lib/db/enums/wallets";

/** `balance`: a decimal string in units of the asset. */
export type AssetBalance = Held & { network: Network; asset: string; tokenAddress: string | null };

export type WalletRow = {
  id: string;
  address: string;
  network: string;
  coin: string;
  status: string;
  userId: string | null;
  /** As finance set them; null where it says nothing. */
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

/** `sum`: an exact decimal. */
type HeldSum = { network: Network; asset: string; tokenAddress: string | null; sum: string };

/** Of all that is filtered. Whole only where nothing is `unread` or `unsure`, and the list itself is whole. */
type HeldSums = {
  rows: HeldSum[];
  /** The oldest reading in it. */
  oldest: string | null;
  /** Wallets with a network that was never read, or a balance that is not understood; also those that may match. */
  unread: number;
  /** Balances that may mean two things; the sum takes them as the list shows them. */
  unsure: number;
};

type FamilyCounts = Record<ChainFamily | "all", number>;

export type WalletList = Page<WalletRow> & {
  counts: FamilyCounts;
  /** Not listed, though what was not read of them may match. */
  hidden: FamilyCounts;
  sums: HeldSums;
  /** What the filter may choose from. */
  assets: string[];
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

type ToldBalance = { network: string; asOfMs: number | null; entries: readonly StoredEntry[] };

/** What a wallet holds on all its networks. */
type Holding = { balances: AssetBalance[]; unread: number; asOfMs: number | null };

const holdsNothing = (entries: readonly StoredEntry[]) => entries.every((one) => isRead(one) && isEmpty(one.balance));

function toHolding(family: string, stored: readonly ToldBalance[]): Holding {
  const read = networksOf(family).map((network) => ({ network, told: stored.find((one) => one.network === network) }));
  const times = read.map(({ told }) => told?.asOfMs ?? null);
  const balances = read
    .flatMap(({ network, told }) =>
      told === undefined || holdsNothing(told.entries) ? [] : toBalances(network, told.entries),
    )
    .filter(({ balance }) => !isEmpty(balance));
  const unread = read.flatMap(({ told }) => unreadOf(told?.entries ?? [])).length;
  const isWhole = times.length > 0 && !times.includes(null);
  return { balances, unread, asOfMs: isWhole ? Math.min(...times.map(Number)) : null };
}

type LabelledWallet = { row: typeof wallet.$inferSelect; label: string | null; setUse: WalletUse | null };

function toRow({ row, label, setUse }: LabelledWallet, { balances, unread, asOfMs }: Holding): WalletRow {
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

// A database may know small letters of ASCII alone.
const ACCENTED = "áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ";
const PLAIN = folded(ACCENTED);

/** Addresses are sought as people copy them: some families write capital and small letters as they like. */
const matching = (tenant: string, { sought, user }: Pick<WalletFilter, "sought" | "user">) =>
  and(
    eq(wallet.tenant, tenant),
    user === undefined ? undefined : eq(wallet.userId, user),
    sought === undefined
      ? undefined
      : or(
          eq(wallet.id, sought),
          eq(wallet.userId, sought),
          sql`strpos(lower(${wallet.address}), ${sought.toLowerCase()}) > 0`,
          sql`strpos(translate(lower(coalesce(${walletLabel.label}, '')), ${ACCENTED}, ${PLAIN}), ${folded(sought)}) > 0`,
        ),
  );

const ofLabel = and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id));
const LABELLED = { row: wallet, label: walletLabel.label, setUse: walletLabel.use };

/** Above it, all balances of the tenant are read at once. */
const MAX_NAMED = 500;

type Holder = Holding & { id: string; family: string; use: WalletUse | null };

type ToldWallet = [
  id: string,
  family: string,
  userId: string | null,
  isForward: boolean | null,
  setUse: WalletUse | null,
];
type ToldOfWallet = [walletId: string, network: string, asOfMs: number | null, entries: StoredEntry[]];

/** As one value: rows by the thousand cost more to part than to read. */
async function readBalances(store: Db, tenant: string, ids: readonly string[]): Promise<Map<string, ToldBalance[]>> {
  const { walletId, network, asOf, entries } = walletBalance;
  const one = sql`json_build_array(${walletId}, ${network}, extract(epoch from ${asOf}) * 1000, ${entries})`;
  const named = ids.length > MAX_NAMED ? undefined : inArray(walletId, [...ids]);
  const [all] = await store
    .select({ told: sql<ToldOfWallet[]>`coalesce(json_agg(${one}), '[]')` })
    .from(walletBalance)
    .where(and(eq(walletBalance.tenant, tenant), named));
  const byWallet = new Map<string, ToldBalance[]>();
  for (const [id, on, asOfMs, told] of all?.told ?? []) {
    const balance = { network: on, asOfMs, entries: told };
    const others = byWallet.get(id);
    if (others === undefined) byWallet.set(id, [balance]);
    else others.push(balance);
  }
  return byWallet;
}

/** Newest first, whatever their family. */
async function readMatching(store: Db, tenant: string, filter: WalletFilter): Promise<Holder[]> {
  const { id, family, userId, isForwardPayment, createdAt } = wallet;
  const one = sql`json_build_array(${id}, ${family}, ${userId}, ${isForwardPayment}, ${walletLabel.use})`;
  const [all] = await store
    .select({ told: sql<ToldWallet[]>`coalesce(json_agg(${one} order by ${createdAt} desc, ${id}), '[]')` })
    .from(wallet)
    .leftJoin(walletLabel, ofLabel)
    .where(matching(tenant, filter));
  const found = all?.told ?? [];
  if (found.length === 0) return [];
  const stored = await readBalances(
    store,
    tenant,
    found.map(([walletId]) => walletId),
  );
  return found.map(([walletId, name, user, isForward, setUse]): Holder => {
    const use = useOf({ use: setUse, isForwardPayment: isForward, userId: user });
    return { id: walletId, family: name, use, ...toHolding(name, stored.get(walletId) ?? []) };
  });
}

async function readRows(store: Db, tenant: string, holders: readonly Holder[]): Promise<WalletRow[]> {
  const ids = holders.map(({ id }) => id);
  if (ids.length === 0) return [];
  const isShown = and(eq(wallet.tenant, tenant), inArray(wallet.id, ids));
  const found = await store.select(LABELLED).from(wallet).leftJoin(walletLabel, ofLabel).where(isShown);
  const rows = new Map(found.map((one) => [one.row.id, one]));
  return holders.flatMap((one) => {
    const row = rows.get(one.id);
    return row === undefined ? [] : [toRow(row, one)];
  });
}

const isDust = ({ balance, other }: AssetBalance) => other === null && /^0*(?:\.0{4}\d*)?$/.test(balance);

function heldBy({ balances, asOfMs, unread }: Holding): HoldingWord {
  if (balances.length > 0) return balances.every(isDust) ? "dust" : "some";
  return asOfMs === null || unread > 0 ? "unread" : "zero";
}

type HeldFilter = Pick<WalletFilter, "asset" | "holding">;

const isHeldBy = (row: Holder, { asset, holding }: HeldFilter): boolean =>
  (holding === undefined || heldBy(row) === holding) &&
  (asset === undefined || row.balances.some((held) => sameAsset(held.asset, asset)));

const isPartial = ({ asOfMs, unread }: Holding): boolean => asOfMs === null || unread > 0;

const AT_LEAST: Readonly<Record<HoldingWord, number>> = { unread: 0, zero: 0, dust: 1, some: 2 };

/** What was not read can add to a wallet, and takes nothing away. */
const mayBeHeldBy = (row: Holder, { holding }: HeldFilter): boolean =>
  isPartial(row) && (holding === undefined || AT_LEAST[heldBy(row)] <= AT_LEAST[holding]);

function countFamilies(rows: readonly Holder[]): FamilyCounts {
  const counts = { EVM: 0, BTC: 0, TRON: 0, SOLANA: 0, XRPL: 0, all: rows.length };
  for (const { family } of rows) if (isFamily(family)) counts[family] += 1;
  return counts;
}

function sumHeld(rows: readonly Holder[], asset: string | undefined): HeldSums {
  const units = new Map<string, HeldSum & { units: bigint }>();
  const sums: HeldSums = { rows: [], oldest: null, unread: 0, unsure: 0 };
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const held = row.balances.filter((one) => asset === undefined || sameAsset(one.asset, asset));
    const read = held.filter(({ balance }) => isDecimal(balance));
    if (isPartial(row) || read.length < held.length) sums.unread += 1;
    oldestMs = Math.min(oldestMs, row.asOfMs ?? oldestMs);
    for (const { network, asset: name, tokenAddress, balance, other } of read) {
      if (other !== null) sums.unsure += 1;
      const key = [network, name, tokenAddress?.toLowerCase() ?? ""].join(" ");
      const before = units.get(key) ?? { network, asset: name, tokenAddress, sum: "0", units: 0n };
      units.set(key, { ...before, units: before.units + unitsOf(balance) });
    }
  }
  if (Number.isFinite(oldestMs)) sums.oldest = new Date(oldestMs).toISOString();
  sums.rows = [...units.values()]
    .map(({ units: whole, ...one }) => ({ ...one, sum: decimalOf(whole) }))
    .toSorted((one, other) => one.asset.localeCompare(other.asset) || one.network.localeCompare(other.network));
  return sums;
}

/** Newest first, with balances as the watch last read them. */
export const listWallets = query(
  "wallets:read",
  async ({ tenant }, given: Partial<WalletFilter> = {}): Promise<WalletList> => {
    const filter = WalletFilter.parse(given);
    const store = await db();
    const [matched, walk] = await Promise.all([readMatching(store, tenant, filter), readWalk(tenant)]);
    const assets = [...new Set(matched.flatMap(({ balances }) => balances.map(({ asset }) => asset)))]
      .filter((asset) => asset !== "")
      .toSorted((one, other) => one.localeCompare(other));
    const ofUse = matched.filter((row) => filter.use === undefined || listedUse(row.use) === filter.use);
    const wanted = ofUse.filter((row) => isHeldBy(row, filter));
    const hidden = countFamilies(ofUse.filter((row) => !isHeldBy(row, filter) && mayBeHeldBy(row, filter)));
    const counts = countFamilies(wanted);
    const ofFamily = filter.network === undefined ? wanted : wanted.filter(({ family }) => family === filter.network);
    const { page, totalPages, offset } = pageWindow(filter.page, ofFamily.length);
    const sums = sumHeld(ofFamily, filter.asset);
    return {
      rows: await readRows(store, tenant, ofFamily.slice(offset, offset + PAGE_SIZE)),
      page,
      totalPages,
      total: ofFamily.length,
      counts,
      hidden,
      sums: { ...sums, unread: sums.unread + hidden[filter.network ?? "all"] },
      assets,
      ...walk,
    };
  },
);

/** Chain history as stored, read again when it is opened. */
export const getHistory = query("wallets:read", readWalletHistory);

export const exportHistory = query("wallets:read", exportHistoryOf);

const MAX_OF_USER = 20;

/** The newest of a user's, without their balances. */
export const listWalletsOf = query(
  "wallets:read",
  async ({ tenant }, userId: string): Promise<Pick<WalletRow, "id" | "address" | "network" | "status">[]> =>
    (await db())
      .select({ id: wallet.id, address: wallet.address, network: wallet.family, status: wallet.status })
      .from(wallet)
      .where(and(eq(wallet.tenant, tenant), eq(wallet.userId, userId)))
      .orderBy(desc(wallet.createdAt), wallet.id)
      .limit(MAX_OF_USER),
);

export type WalletNetworkView = {
  network: Network;
  balances: AssetBalance[] | null;
  unread: ShownBody[];
  asOf: string | null;
  hasFailed: boolean;
};
export type WalletView = WalletRow & { networks: WalletNetworkView[]; origin: WalletOrigin | null };

/** All viewers read again on a change: the first reading serves the others. */
const JUST_READ_MS = 3_000;

function isJustRead(stored: BalanceRow | undefined): boolean {
  const ageMs = Date.now() - (stored?.asOf?.getTime() ?? 0);
  return ageMs >= 0 && ageMs < JUST_READ_MS;
}

/** Balances read now; null without this id. */
export const listOpenSends = query("wallets:read", async (reader, walletId: string): Promise<OpenSend[]> =>
  isStorable(walletId) ? readOpenSends(await db(), reader, walletId) : [],
);

export const getWallet = query("wallets:read", async (actor, id: string): Promise<WalletView | null> => {
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
    const balances = one === undefined || asOf === null ? null : toBalances(network, one.entries);
    return {
      network,
      balances,
      unread: unreadOf(one?.entries ?? []),
      asOf,
      hasFailed: reads[index]?.status === "rejected",
    };
  });
  const told = stored.map(({ asOf, ...one }) => ({ ...one, asOfMs: asOf?.getTime() ?? null }));
  return {
    ...toRow(found, toHolding(row.family, told)),
    networks: views,
    origin: await findOrigin(store, actor.tenant, row),
  };
});

/** Sent, and neither answered nor found: a person links the wallet that came of it. */
export const listUnconfirmedWallets = query("wallets:read", async ({ tenant }) => openRequests(await db(), tenant));

export type DepositAddresses = Pick<Page<DepositAddress>, "rows" | "page" | "totalPages" | "total">;

/** Newest first; those made here. */
export const listDepositAddresses = query(
  "wallets:read",
  async ({ tenant }, given: Partial<AddressFilter> = {}): Promise<DepositAddresses> => {
    const { sought, page: wanted } = AddressFilter.parse(given);
    const store = await db();
    const isSought =
      sought === undefined
        ? undefined
        : or(
            isUuid(sought) ? eq(walletRequest.intentId, sought) : undefined,
            inArray(walletRequest.referenceHash, lookupHashes(sought)),
            inArray(walletRequest.customerHash, lookupHashes(sought)),
            sql`strpos(lower(${walletRequest.address}), ${sought.toLowerCase()}) > 0`,
          );
    const isOne = and(
      eq(walletRequest.tenant, tenant),
      eq(walletRequest.kind, "address"),
      isNotNull(walletRequest.address),
      isSought,
    );
    const total = await store.$count(walletRequest, isOne);
    const { page, totalPages, offset } = pageWindow(wanted, total);
    const found = await store
      .select({ request: walletRequest, byName: staff.name })
      .from(walletRequest)
      .innerJoin(staff, eq(staff.id, walletRequest.staffId))
      .where(isOne)
      .orderBy(desc(walletRequest.createdAt), walletRequest.intentId)
      .limit(PAGE_SIZE)
      .offset(offset);
    const addresses = found.flatMap(({ request: { address } }) => address?.toLowerCase() ?? []);
    const ofAddress = sql<string>`lower(${wallet.address})`;
    const listed =
      addresses.length === 0
        ? []
        : await store
            .select({ id: wallet.id, family: wallet.family, address: ofAddress })
            .from(wallet)
            .where(and(eq(wallet.tenant, tenant), inArray(ofAddress, addresses)));
    const rows = found.map(({ request, byName }): DepositAddress => {
      const { intentId, family, createdAt } = request;
      const address = request.address ?? "";
      const isIt = (one: (typeof listed)[number]) => one.family === family && one.address === address.toLowerCase();
      const walletId = request.walletId ?? listed.find(isIt)?.id ?? null;
      return { ...labelsOf(request), intentId, family, address, walletId, byName, at: createdAt.toISOString() };
    });
    return { rows, page, totalPages, total };
  },
);
