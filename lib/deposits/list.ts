import { followedUntil } from "@/lib/db/provider-silence";
import { and, asc, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { COINS, isCoin } from "@/lib/contract/coins";
import { CHAIN_FAMILIES, NETWORKS } from "@/lib/contract/crypto";
import { addressSpelling, addressKey, assetKey } from "@/lib/contract/identity";
import { storeNow, within } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import type { DepositClass } from "@/lib/db/enums/deposits";
import { lookupHashes } from "@/lib/db/seal";
import { deposit } from "@/lib/db/tables/deposits";
import { staff } from "@/lib/db/tables/staff";
import { hashKey } from "@/lib/db/tables/wallets";
import { freshness } from "@/lib/db/watch-state";
import type { Actor } from "@/lib/permission/grant";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isUuid } from "@/lib/text/decode";
import { isDecimal } from "@/lib/text/format";
import { PAGE_SIZE } from "@/lib/text/page";
import { spanOf } from "@/lib/text/period";
import { civilDaysBetween } from "@/lib/text/time";
import { countUnreadWallets, publicLink } from "@/lib/wallets/records";
import { DepositFilter } from "./inputs";
import { handledOf } from "./handled";
import { openedReference } from "./keep";
import {
  CLASSES_OF_VIEW,
  DEPOSIT_VIEWS,
  type DepositList,
  type DepositRow,
  type DepositSum,
  type DepositView,
} from "./view";

type Reader = Actor<"wallets:read">;

/** What is expected is late from the end of its day on, without a write. */
const classSql = sql<DepositClass | null>`case when ${deposit.standing} = 'expected' and ${deposit.dueAt} <= clock_timestamp() then 'late' else ${deposit.standing} end`;

const inView = (view: DepositView): SQL | undefined => {
  if (view === "all") return isNotNull(deposit.standing);
  const isOne = inArray(classSql, [...CLASSES_OF_VIEW[view]]);
  // By index: only these stand in the rows of such a class.
  const stored: DepositClass[] =
    view === "exceptions" ? [...CLASSES_OF_VIEW.exceptions, "expected"] : [...CLASSES_OF_VIEW[view]];
  return and(inArray(deposit.standing, stored), isOne);
};

function named(text: string): SQL | undefined {
  const keys = CHAIN_FAMILIES.flatMap((family) => [addressKey(family, text), addressSpelling(family, text)]);
  return or(
    inArray(deposit.referenceHash, lookupHashes(text)),
    inArray(deposit.addressKey, [...new Set(keys)]),
    eq(hashKey(deposit.txHash), text.toLowerCase().replace(/^0x/, "")),
    isUuid(text) ? eq(deposit.id, text) : undefined,
  );
}

function narrowing({ tenant, id }: Reader, filter: DepositFilter): SQL | undefined {
  const { class: only, network, owner, search } = filter;
  return and(
    eq(deposit.tenant, tenant),
    only === undefined ? undefined : eq(classSql, only),
    within(deposit.at, spanOf(filter)),
    network && eq(deposit.network, network),
    owner === undefined ? undefined : owner === "me" ? eq(deposit.ownerId, id) : isNull(deposit.ownerId),
    search === undefined ? undefined : named(search),
  );
}

const cursorOf = ({ at, id }: { at: Date; id: string }) => `${at.getTime()}-${id}`;

function atCursor(cursor: string, direction: "older" | "newer"): SQL {
  const dash = cursor.indexOf("-");
  const at = new Date(Number(cursor.slice(0, dash))).toISOString();
  const row = sql`(${deposit.at}, ${deposit.id})`;
  const place = sql`(${at}::timestamptz, ${cursor.slice(dash + 1)}::uuid)`;
  return direction === "older" ? sql`${row} < ${place}` : sql`${row} > ${place}`;
}

type Stored = { row: typeof deposit.$inferSelect; class: DepositClass | null; ownerName: string | null };

const selectDeposits = (
  store: Db,
  where: SQL | undefined,
  { isUpwards = false, limit = PAGE_SIZE } = {},
): Promise<Stored[]> => {
  const order = isUpwards ? asc : desc;
  return store
    .select({ row: deposit, class: classSql, ownerName: staff.name })
    .from(deposit)
    .leftJoin(staff, eq(staff.id, deposit.ownerId))
    .where(where)
    .orderBy(order(deposit.at), order(deposit.id))
    .limit(limit);
};

/** By its symbol; null: not told, or any. */
function assetOf({ network, token, asset }: Pick<Stored["row"], "network" | "token" | "asset">): string | null {
  if (asset !== null) return asset;
  if (network !== null && (token === "" || network === "BITCOIN")) return COINS[network];
  return token === "" ? null : token;
}

function toRow(
  reader: Pick<Reader, "tenant" | "id">,
  now: Date,
  { row, class: standing, ownerName }: Stored,
): DepositRow {
  const { id, kind, cause, stage, referenceSealed, network, txHash, amount, token, at, dueAt } = row;
  const { tenant } = reader;
  const reference = referenceSealed === null ? null : openedReference({ tenant, id }, referenceSealed);
  return {
    id,
    kind,
    class: standing,
    cause,
    stage,
    reference,
    isUnopened: referenceSealed !== null && reference === null,
    address: row.address,
    network,
    hash: txHash,
    amount,
    isExact: isDecimal(amount),
    asset: assetOf(row),
    token: token === "" ? null : token,
    at: at.toISOString(),
    dueAt: dueAt === null ? null : new Date(dueAt.getTime() - 1).toISOString(),
    ageDays: Math.max(0, civilDaysBetween(at, now)),
    owner: ownerName === null ? null : { name: ownerName, isMine: row.ownerId === reader.id },
    reason: row.reason,
    note: handledOf(row).note,
    explorer: network === null || txHash === null ? null : publicLink(tenant, network, txHash),
  };
}

type Window = { stored: Stored[]; older: string | null; newer: string | null };

/** Keyset paging: the last page costs what the first one does. */
async function readWindow(store: Db, reader: Reader, filter: DepositFilter): Promise<Window> {
  const { before, after, view } = filter;
  const isUpwards = after !== undefined;
  const downwards = before === undefined ? undefined : atCursor(before, "older");
  const edge = isUpwards ? atCursor(after, "newer") : downwards;
  const where = and(narrowing(reader, filter), inView(view), edge);
  const found = await selectDeposits(store, where, { isUpwards, limit: PAGE_SIZE + 1 });
  const hasMore = found.length > PAGE_SIZE;
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) return readWindow(store, reader, { ...filter, after: undefined, before: undefined });
  const page = found.slice(0, PAGE_SIZE);
  const stored = isUpwards ? page.toReversed() : page;
  const first = stored[0]?.row;
  const last = stored.at(-1)?.row;
  return {
    stored,
    older: last !== undefined && (isUpwards || hasMore) ? cursorOf(last) : null,
    newer: first !== undefined && (isUpwards || before !== undefined) ? cursorOf(first) : null,
  };
}

const isNumber = sql`${deposit.amount} ~ '^\\d+(\\.\\d+)?$'`;
const part = sql<"arrived" | "open" | "expected">`case when ${deposit.kind} = 'expected' then 'expected'
  when ${deposit.stage} in ('told', 'unconfirmed') then 'open' else 'arrived' end`;

const countDeposits = (store: Db, reader: Reader, filter: DepositFilter) =>
  store
    .select({
      class: classSql,
      part,
      network: deposit.network,
      asset: deposit.asset,
      token: deposit.token,
      sum: sql<string>`coalesce(sum(case when ${isNumber} then ${deposit.amount}::numeric end), 0)::text`,
      n: sql<number>`count(*)`.mapWith(Number),
      unsummed: sql<number>`count(*) filter (where not ${isNumber})`.mapWith(Number),
    })
    .from(deposit)
    .where(and(narrowing(reader, filter), isNotNull(deposit.standing)))
    .groupBy(sql`1`, sql`2`, deposit.network, deposit.asset, deposit.token);

type Counted = Awaited<ReturnType<typeof countDeposits>>[number];

const isIn = (view: DepositView, standing: DepositClass | null): boolean =>
  view === "all" || CLASSES_OF_VIEW[view].some((one) => one === standing);

const placeOf = ({ network }: DepositSum) => (network === null ? NETWORKS.length : NETWORKS.indexOf(network));

type NamedAsset = Pick<DepositSum, "isAny" | "network" | "asset" | "token">;

const toldOf = (one: Counted): NamedAsset => ({
  isAny: false,
  network: one.network,
  asset: assetOf(one),
  token: one.token === "" ? null : one.token,
});

const contractKey = ({ network }: Counted, tokenAddress: string) =>
  assetKey(network ?? "", { asset: "", tokenAddress });

/** An expectation is of a coin or a token only where it says so: a symbol is met by every token of that name. */
function wantedOf(one: Counted, told: ReadonlyMap<string, NamedAsset>): NamedAsset {
  const { network, asset } = one;
  const any = { isAny: true, network, asset, token: null };
  if (network === null || asset === null) return any;
  const coin = { isAny: false, network, asset: COINS[network], token: null };
  return told.get(contractKey(one, asset)) ?? (isCoin(network, { asset }) ? coin : any);
}

function sumsOf(counted: readonly Counted[]): Pick<DepositList, "sums" | "unsummed"> {
  const byAsset = new Map<string, DepositSum>();
  const told = new Map(
    counted.flatMap((one) =>
      one.part === "expected" || one.token === null ? [] : [[contractKey(one, one.token), toldOf(one)]],
    ),
  );
  for (const one of counted) {
    const wanted = one.part === "expected" ? wantedOf(one, told) : toldOf(one);
    const key = JSON.stringify(wanted);
    const sum = byAsset.get(key) ?? { ...wanted, arrived: "0.00", open: "0.00", expected: "0.00" };
    byAsset.set(key, { ...sum, [one.part]: decimalOf(unitsOf(sum[one.part]) + unitsOf(one.sum)) });
  }
  const sums = [...byAsset.values()].toSorted(
    (one, other) =>
      Number(one.asset === null) - Number(other.asset === null) ||
      (one.asset ?? "").localeCompare(other.asset ?? "") ||
      placeOf(one) - placeOf(other) ||
      Number(one.isAny) - Number(other.isAny),
  );
  return { sums, unsummed: counted.reduce((all, { unsummed }) => all + unsummed, 0) };
}

/** Newest first, twenty-five a page. */
export async function readDeposits(reader: Reader, given: Partial<DepositFilter> = {}): Promise<DepositList> {
  const filter = DepositFilter.parse(given);
  const store = await db();
  const now = await storeNow(store);
  const { stored, ...edges } = await readWindow(store, reader, filter);
  const counted = await countDeposits(store, reader, filter);
  const countOf = (view: DepositView) => counted.reduce((all, one) => all + (isIn(view, one.class) ? one.n : 0), 0);
  const fresh = await freshness(reader.tenant, "deposits");
  const [exceptions = 0, expected = 0, arrived = 0, all = 0] = DEPOSIT_VIEWS.map(countOf);
  return {
    rows: stored.map((one) => toRow(reader, now, one)),
    ...edges,
    counts: { exceptions, expected, arrived, all },
    ...sumsOf(counted.filter((one) => isIn(filter.view, one.class))),
    networks: [...NETWORKS],
    unreadWallets: await countUnreadWallets(store, reader.tenant),
    ...fresh,
    asOf: fresh.asOf === null ? null : await followedUntil(store, reader.tenant, new Date(fresh.asOf)),
  };
}

const BATCH_ROWS = 200;

/** All that the filter fits, newest first, some at a time. */
export async function* depositBatches(store: Db, reader: Reader, filter: DepositFilter): AsyncGenerator<DepositRow[]> {
  const fits = and(narrowing(reader, filter), inView(filter.view));
  const now = await storeNow(store);
  let after: SQL | undefined;
  for (;;) {
    const found = await selectDeposits(store, and(fits, after), { limit: BATCH_ROWS });
    const last = found.at(-1);
    if (last === undefined) return;
    yield found.map((one) => toRow(reader, now, one));
    after = atCursor(cursorOf(last.row), "older");
  }
}

/** As the list sums, of the same filter. */
export async function readDepositSums(store: Db, reader: Reader, filter: DepositFilter) {
  const counted = await countDeposits(store, reader, filter);
  return sumsOf(counted.filter((one) => isIn(filter.view, one.class)));
}

/** These deposits, newest first, at most so many. */
export async function selectRows(
  store: Db,
  reader: Pick<Reader, "tenant" | "id">,
  where: SQL | undefined,
  limit: number,
) {
  const found = await selectDeposits(store, and(eq(deposit.tenant, reader.tenant), where), { limit });
  const now = await storeNow(store);
  return found.map((one) => ({ stored: one.row, row: toRow(reader, now, one) }));
}

/** One deposit with what is kept of it; null when the tenant has none of this id. */
export async function findDeposit(store: Db, reader: Reader, id: string) {
  if (!isUuid(id)) return null;
  const [found] = await selectDeposits(store, and(eq(deposit.tenant, reader.tenant), eq(deposit.id, id)), { limit: 1 });
  if (found === undefined) return null;
  const now = await storeNow(store);
  return { stored: found.row, row: toRow(reader, now, found), now };
}
