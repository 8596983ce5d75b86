import { and, desc, eq, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { ChainFamily, Network } from "@/lib/contract/crypto";
import { type Fresh, type Page, PAGE_SIZE, pageWindow } from "@/lib/text/page";
import type { Actor } from "@/lib/permission/grant";
import { assetKey } from "@/lib/contract/identity";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isDecimal } from "@/lib/text/format";
import { folded } from "@/lib/text/typed";
import { type StoredEntry, wallet, walletBalance, walletLabel, walletRequest } from "@/lib/db/tables/wallets";
import type { ShownBody } from "@/lib/text/shown-body";
import { startOfDayIn } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { watchStanding } from "@/lib/db/watch-state";
import type { WalletUse } from "@/lib/db/enums/wallets";
import { isFamily, WALLETS_WATCH, WalletFilter, WalletWalk } from "./inputs";
import { walletPlace } from "./records";
import { hasHash } from "./requests";
import {
  type KnownMovement,
  type LastMove,
  lastMoves,
  lastMovements,
  receivedSince,
  unreadHolders,
} from "./last-movement";
import {
  type HoldingFilter as HoldingWord,
  listedUse,
  isMoved,
  MOVED_DAYS,
  RECEIVED,
  RECEIVED_SINCE,
  sameAsset,
  useOf,
} from "./view";
import {
  type AssetBalance,
  type WalletRow,
  type ToldBalance,
  type Holdings,
  toHolding,
  walletRow,
  ofLabel,
  LABELLED,
} from "./holdings";

/** `sum`: an exact decimal. */
type HeldSum = { network: Network; asset: string; tokenAddress: string | null; sum: string };

/** Over all matches. Complete only without `unread` and `unsure`, and with a complete list. */
type HeldSums = {
  rows: HeldSum[];
  /** The oldest reading in it. */
  oldest: string | null;
  /** Wallets with an unread network or an unreadable balance, including possible matches. */
  unread: number;
  /** Flagged balances; the sum uses them as the list shows them. */
  unsure: number;
};

type FamilyCounts = Record<ChainFamily | "all", number>;

/** `isMoveSure`: the history of each network on which it holds something was read. */
export type ListedWallet = WalletRow & {
  lastMovedAt: string | null;
  /** Of that movement; null where a balance alone tells of it, or its word says no way. */
  lastDirection: LastMove["direction"] | null;
  isMoveSure: boolean;
};

export type WalletList = Page<ListedWallet> & {
  counts: FamilyCounts;
  /** Not listed, though their unread part may match. */
  hidden: FamilyCounts;
  sums: HeldSums;
  /** Until when the movements are known of the page's wallets, or of all that a filter or sort by movement looked at. */
  movesAsOf: string | null;
  assets: string[];
  /** `partial`: never read to its end; `repeated`: the provider repeated a page, and there may be more. */
  extent: "whole" | "partial" | "repeated";
  /** Of an empty list: addresses of the last hour, made here, that the list read last does not have. */
  unlisted: number;
  /** Shown under every filter, as an unreadable wallet's family is unknown. */
  unread: ShownBody[];
};

type Walked = Pick<WalletList, "extent" | "unread" | keyof Fresh>;

async function readWalk(tenant: string): Promise<Walked> {
  const { fresh, memory } = await watchStanding(tenant, WALLETS_WATCH);
  const { end, unread } = WalletWalk.parse(memory);
  const extent = end === null ? "partial" : end === "empty" ? "whole" : "repeated";
  return { extent, unread: unread.map(({ shape }) => shape), ...fresh, isOldest: true };
}

function countUnlisted(store: Db, tenant: string): Promise<number> {
  const isIts = and(
    eq(wallet.tenant, walletRequest.tenant),
    eq(wallet.family, walletRequest.family),
    eq(sql`lower(${wallet.address})`, sql`lower(${walletRequest.address})`),
  );
  return store.$count(
    walletRequest,
    and(
      eq(walletRequest.tenant, tenant),
      inArray(walletRequest.kind, ["wallet", "address"]),
      isNotNull(walletRequest.address),
      // `clock_timestamp` would use no index.
      sql`${walletRequest.createdAt} > statement_timestamp() - interval '1 hour'`,
      sql`not exists (select from ${wallet} where ${isIts})`,
    ),
  );
}

// A database may convert the case of ASCII letters only.
const ACCENTED = "áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ";
const PLAIN = folded(ACCENTED);

/** By the reference that its address was made with here. */
function isReferredTo(reference: string): SQL {
  const { tenant, family, address, referenceHash } = walletRequest;
  const isIts = and(
    eq(tenant, wallet.tenant),
    eq(family, wallet.family),
    eq(sql`lower(${address})`, sql`lower(${wallet.address})`),
    hasHash(referenceHash, reference),
  );
  return sql`exists (select from ${walletRequest} where ${isIts})`;
}

/** Addresses match in any case, as some families ignore it. */
const matching = (tenant: string, { search, user }: Pick<WalletFilter, "search" | "user">) =>
  and(
    eq(wallet.tenant, tenant),
    user === undefined ? undefined : eq(wallet.userId, user),
    search === undefined
      ? undefined
      : or(
          sql`lower(${wallet.id}) = ${search.toLowerCase()}`,
          sql`lower(${wallet.userId}) = ${search.toLowerCase()}`,
          sql`strpos(lower(${wallet.address}), ${search.toLowerCase()}) > 0`,
          hasHash(wallet.referenceHash, search),
          isReferredTo(search),
          sql`strpos(translate(lower(coalesce(${walletLabel.label}, '')), ${ACCENTED}, ${PLAIN}), ${folded(search)}) > 0`,
        ),
  );

/** Above it, all balances of the tenant are read at once. */
const MAX_NAMED = 500;

type Holder = Holdings & { id: string; family: string; place: string; use: WalletUse | null };

type ToldWallet = [
  id: string,
  family: string,
  address: string,
  userId: string | null,
  isForward: boolean | null,
  setUse: WalletUse | null,
];
type ToldOfWallet = [walletId: string, network: string, asOfMs: number | null, entries: StoredEntry[]];

/** As one value: splitting thousands of rows costs more than reading them. */
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

function newestOf(told: readonly ToldBalance[]): ToldBalance[] {
  const byNetwork = new Map<string, ToldBalance>();
  for (const one of told) {
    const had = byNetwork.get(one.network);
    if (had === undefined || (one.asOfMs ?? 0) > (had.asOfMs ?? 0)) byNetwork.set(one.network, one);
  }
  return [...byNetwork.values()];
}

/** Newest first, of any family. */
async function readMatching(store: Db, tenant: string, filter: WalletFilter): Promise<Holder[]> {
  const { id, family, address, userId, isForwardPayment, createdAt } = wallet;
  const one = sql`json_build_array(${id}, ${family}, ${address}, ${userId}, ${isForwardPayment}, ${walletLabel.use})`;
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
  const toldAt = new Map<string, ToldBalance[]>();
  for (const [walletId, name, at] of found) {
    const place = walletPlace(name, at);
    const others = toldAt.get(place);
    const told = stored.get(walletId) ?? [];
    toldAt.set(place, others === undefined ? told : newestOf([...others, ...told]));
  }
  return found.map(([walletId, name, at, user, isForward, setUse]): Holder => {
    const place = walletPlace(name, at);
    const use = useOf({ use: setUse, isForwardPayment: isForward, userId: user });
    return { id: walletId, family: name, place, use, ...toHolding(tenant, name, toldAt.get(place) ?? []) };
  });
}

const instantOf = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

type Moves = ReadonlyMap<string, KnownMovement>;

async function readRows(
  store: Db,
  tenant: string,
  { holders, moves }: { holders: readonly Holder[]; moves: Moves },
): Promise<ListedWallet[]> {
  const ids = holders.map(({ id }) => id);
  if (ids.length === 0) return [];
  const isShown = and(eq(wallet.tenant, tenant), inArray(wallet.id, ids));
  const found = await store.select(LABELLED).from(wallet).leftJoin(walletLabel, ofLabel).where(isShown);
  const rows = new Map(found.map((one) => [one.row.id, one]));
  const unread = await unreadHolders(store, tenant, ids);
  const last = await lastMoves(store, tenant, ids);
  return holders.flatMap((one) => {
    const row = rows.get(one.id);
    if (row === undefined) return [];
    const movedMs = moves.get(one.id)?.atMs ?? null;
    const move = last.get(one.id);
    const lastDirection = move !== undefined && move.atMs === movedMs ? move.direction : null;
    const lastMovedAt = instantOf(movedMs);
    return [{ ...walletRow(row, one), lastMovedAt, lastDirection, isMoveSure: !unread.has(one.id) }];
  });
}

const isDust = ({ balance, doubt }: AssetBalance) => doubt === null && /^0*(?:\.0{4}\d*)?$/.test(balance);

function heldBy({ balances, asOfMs, unread }: Holdings): HoldingWord {
  if (balances.length > 0) return balances.every(isDust) ? "dust" : "some";
  return asOfMs === null || unread > 0 ? "unread" : "zero";
}

function oldestOf(times: readonly (number | null | undefined)[]): string | null {
  const known = times.filter((time) => typeof time === "number");
  return known.length === 0 ? null : instantOf(known.reduce((oldest, time) => Math.min(oldest, time)));
}

const DAY_MS = 24 * 60 * 60_000;

const receivedIn = ({ moved }: Pick<WalletFilter, "moved">) => RECEIVED.find((one) => one === moved);

type Lately = { moves: Moves | null; received: ReadonlySet<string> | null };

function hasMoved({ id }: Holder, { moves, received }: Lately, { moved }: Pick<WalletFilter, "moved">): boolean {
  if (received !== null) return received.has(id);
  if (moved === undefined || !isMoved(moved)) return true;
  const atMs = moves?.get(id)?.atMs ?? Number.NEGATIVE_INFINITY;
  return Date.now() - atMs <= MOVED_DAYS[moved] * DAY_MS;
}

const byLastMovement = (moves: Moves) => (one: Holder, other: Holder) =>
  (moves.get(other.id)?.atMs ?? 0) - (moves.get(one.id)?.atMs ?? 0);

type HeldFilter = Pick<WalletFilter, "asset" | "holding">;

const isHeldBy = (row: Holder, { asset, holding }: HeldFilter): boolean =>
  (holding === undefined || heldBy(row) === holding) &&
  (asset === undefined || row.balances.some((held) => sameAsset(held.asset, asset)));

const isPartial = ({ asOfMs, unread }: Holdings): boolean => asOfMs === null || unread > 0;

const AT_LEAST: Readonly<Record<HoldingWord, number>> = { unread: 0, zero: 0, dust: 1, some: 2 };

/** An unread balance can add a holding to a wallet, but remove none. */
const isOrMayBeHeldBy = (row: Holder, filter: HeldFilter): boolean =>
  isHeldBy(row, filter) ||
  (isPartial(row) && (filter.holding === undefined || AT_LEAST[heldBy(row)] <= AT_LEAST[filter.holding]));

function countFamilies(rows: readonly Holder[]): FamilyCounts {
  const counts = { EVM: 0, BTC: 0, TRON: 0, SOLANA: 0, XRPL: 0, all: rows.length };
  for (const { family } of rows) if (isFamily(family)) counts[family] += 1;
  return counts;
}

/** An address counts once, however many wallets list it. */
const oncePerPlace = (rows: readonly Holder[]): Holder[] => [
  ...new Map(rows.map((row) => [row.place, row] as const)).values(),
];

function sumHeld(rows: readonly Holder[], asset: string | undefined): HeldSums {
  const units = new Map<string, HeldSum & { units: bigint }>();
  const sums: HeldSums = { rows: [], oldest: null, unread: 0, unsure: 0 };
  const addresses = oncePerPlace(rows);
  for (const row of addresses) {
    const held = row.balances.filter((one) => asset === undefined || sameAsset(one.asset, asset));
    const read = held.filter(({ balance }) => isDecimal(balance));
    if (isPartial(row) || read.length < held.length) sums.unread += 1;
    for (const { network, asset: name, tokenAddress, balance, doubt } of read) {
      if (doubt !== null) sums.unsure += 1;
      const key = assetKey(network, { asset: name, tokenAddress });
      const before = units.get(key) ?? { network, asset: name, tokenAddress, sum: "0", units: 0n };
      units.set(key, { ...before, units: before.units + unitsOf(balance) });
    }
  }
  sums.oldest = oldestOf(addresses.map(({ asOfMs }) => asOfMs));
  sums.rows = [...units.values()]
    .map(({ units: whole, ...one }) => ({ ...one, sum: decimalOf(whole) }))
    .toSorted((one, other) => one.asset.localeCompare(other.asset) || one.network.localeCompare(other.network));
  return sums;
}

/** `asked`: what a movement that was not read yet could bring into the list. */
async function select(store: Db, tenant: string, filter: WalletFilter) {
  const matched = await readMatching(store, tenant, filter);
  const ofUse = matched.filter((row) => filter.use === undefined || listedUse(row.use) === filter.use);
  const isByMoves = filter.moved !== undefined || filter.sort !== undefined;
  const moves = isByMoves ? await lastMovements(store, tenant, null) : null;
  const word = receivedIn(filter);
  const received = word === undefined ? null : await receivedSince(store, tenant, startOfDayIn(-RECEIVED_SINCE[word]));
  const found = new Set(ofUse.filter((row) => isHeldBy(row, filter) && hasMoved(row, { moves, received }, filter)));
  const wanted = moves !== null && filter.sort === "moved" ? [...found].toSorted(byLastMovement(moves)) : [...found];
  const unread = filter.moved === undefined ? null : await unreadHolders(store, tenant, null);
  const mayFit = (row: Holder) =>
    isOrMayBeHeldBy(row, filter) && (hasMoved(row, { moves, received }, filter) || unread?.has(row.id) === true);
  const hidden = countFamilies(ofUse.filter((row) => !found.has(row) && mayFit(row)));
  const inFamily = (rows: readonly Holder[]) =>
    filter.network === undefined ? rows : rows.filter(({ family }) => family === filter.network);
  const ofFamily = inFamily(wanted);
  const asked = filter.moved === undefined ? ofFamily : inFamily(ofUse).filter((row) => isOrMayBeHeldBy(row, filter));
  return { matched, counts: countFamilies(wanted), hidden, ofFamily, moves, asked };
}

export async function readWallets(
  { tenant }: Actor<"wallets:read">,
  given: Partial<WalletFilter> = {},
): Promise<WalletList> {
  const filter = WalletFilter.parse(given);
  const store = await db();
  const [selected, walk] = await Promise.all([select(store, tenant, filter), readWalk(tenant)]);
  const { matched, counts, hidden, ofFamily, moves, asked } = selected;
  const assets = [...new Set(matched.flatMap(({ balances }) => balances.map(({ asset }) => asset)))]
    .filter((asset) => asset !== "")
    .toSorted((one, other) => one.localeCompare(other));
  const { page, totalPages, offset } = pageWindow(filter.page, ofFamily.length);
  const sums = sumHeld(ofFamily, filter.asset);
  const holders = ofFamily.slice(offset, offset + PAGE_SIZE);
  const ids = holders.map(({ id }) => id);
  const known = moves ?? (await lastMovements(store, tenant, ids));
  const looked = moves === null ? holders : asked;
  return {
    rows: await readRows(store, tenant, { holders, moves: known }),
    page,
    totalPages,
    total: ofFamily.length,
    counts,
    hidden,
    sums: { ...sums, unread: sums.unread + hidden[filter.network ?? "all"] },
    movesAsOf: oldestOf(looked.map(({ id }) => known.get(id)?.asOfMs)),
    assets,
    unlisted: ofFamily.length === 0 ? await countUnlisted(store, tenant) : 0,
    ...walk,
  };
}

/** `movesAsOf`: null where a history was not read; `sameAs`: an earlier wallet of the file with the same address. */
export type FiledWallet = ListedWallet &
  Pick<Holdings, "readings"> & { movesAsOf: string | null; sameAs: string | null };

type FiledList = Pick<WalletList, "extent" | "unread"> & {
  total: number;
  hidden: number;
  batches: AsyncGenerator<FiledWallet[]>;
};

const BATCH_ROWS = 500;

type Filing = { holders: readonly Holder[]; moves: Moves | null };

async function* batchesOf(store: Db, tenant: string, { holders, moves }: Filing): AsyncGenerator<FiledWallet[]> {
  const firstAt = new Map(holders.toReversed().map(({ place, id }) => [place, id]));
  for (let at = 0; at < holders.length; at += BATCH_ROWS) {
    const some = holders.slice(at, at + BATCH_ROWS);
    const byId = new Map(some.map((one) => [one.id, one]));
    const known = moves ?? (await lastMovements(store, tenant, [...byId.keys()]));
    const rows = await readRows(store, tenant, { holders: some, moves: known });
    yield rows.map((row) => {
      const holder = byId.get(row.id);
      const first = holder === undefined ? undefined : firstAt.get(holder.place);
      return {
        ...row,
        readings: holder?.readings ?? [],
        movesAsOf: row.isMoveSure ? instantOf(known.get(row.id)?.asOfMs ?? null) : null,
        sameAs: first === undefined || first === row.id ? null : first,
      };
    });
  }
}

export async function readWalletFile(store: Db, tenant: string, filter: WalletFilter): Promise<FiledList> {
  const [selected, walk] = await Promise.all([select(store, tenant, filter), readWalk(tenant)]);
  const { ofFamily: holders, moves, hidden } = selected;
  const batches = batchesOf(store, tenant, { holders, moves });
  const { unread } = walk;
  const extent = walk.extent === "whole" && walk.asOf === null ? "partial" : walk.extent;
  return { extent, unread, total: holders.length, hidden: hidden[filter.network ?? "all"], batches };
}

const MAX_OF_USER = 20;

export async function readWalletsOf(
  { tenant }: Actor<"wallets:read">,
  userId: string,
): Promise<Pick<WalletRow, "id" | "address" | "network" | "status">[]> {
  return (await db())
    .select({ id: wallet.id, address: wallet.address, network: wallet.family, status: wallet.status })
    .from(wallet)
    .where(and(eq(wallet.tenant, tenant), eq(wallet.userId, userId)))
    .orderBy(desc(wallet.createdAt), wallet.id)
    .limit(MAX_OF_USER);
}
