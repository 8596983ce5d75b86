import { and, eq, isNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import type { EntryWord } from "@/lib/accounts/view";
import type { Actor } from "@/lib/permission/grant";
import { type Db, db } from "@/lib/db/connection";
import { account } from "@/lib/db/tables/customers";
import { accountEntry, accountReading } from "@/lib/db/tables/accounts";
import { chainMovement, chainReading, wallet, walletLabel } from "@/lib/db/tables/wallets";
import { startOfDayIn } from "@/lib/db/clock";
import type { Coin, SourceKind } from "@/lib/db/enums/movements";
import { env } from "@/lib/settings/env";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { hrefWith } from "@/lib/text/page";
import { civilDaysAgo } from "@/lib/text/time";
import { isAwaitingDeposit, walletMadeAt } from "@/lib/wallets/records";
import { movedAsset, movementDirection } from "@/lib/wallets/view";
import { assetWord, MovementFilter } from "./inputs";
import { mayWallets } from "./records";
import { isReturned } from "./returned";
import { assetKeyOf, controlTotals } from "./totals";
import { FAMILY_PLACES, isOtherId } from "./unread-sources";
import {
  type AssetSum,
  type DayBar,
  goesBeyond,
  listTotals,
  type MovementSummary,
  type OwnAndAll,
  type SourceGap,
  type TypeSum,
} from "./view";
import {
  type ChainWords,
  chainConfirmed,
  hasNoToken,
  narrowEntries,
  narrowMovements,
  otherIds,
  readWords,
} from "./where";

type Place = Pick<typeof chainMovement.$inferSelect, "network" | "tokenAddress" | "asset"> & { isTokenless: boolean };

/** Alike in asset, type and direction; `sum` null: nothing of it can be added up. */
type Group = {
  /** Absent for reais. */
  place?: Place;
  coin?: Coin;
  /** Null: days are added up apart. */
  day: string | null;
  type: string;
  direction: "in" | "out" | null;
  isOwn: boolean;
  count: number;
  summed: number;
  sum: string | null;
};

type Narrowed = { where: SQL | undefined; words: ChainWords };

/** Null: the filter asks for nothing on chains. */
async function narrowChain(store: Db, tenant: string, filter: MovementFilter): Promise<Narrowed | null> {
  const [words, others] = await Promise.all([readWords(store, tenant), otherIds(store, tenant)]);
  const where = await narrowMovements(store, tenant, filter, { words, others });
  return where === null ? null : { where, words };
}

const isSummedEntry = sql`${accountEntry.isBooked} and ${accountEntry.isDated} and ${accountEntry.direction} is not null`;

async function entryGroups(store: Db, tenant: string, filter: MovementFilter): Promise<Group[]> {
  const entries = await narrowEntries(store, tenant, filter);
  if (entries === null) return [];
  const { day, type, direction, isOwn, value } = accountEntry;
  return store
    .select({
      day,
      type,
      direction,
      isOwn,
      count: sql<number>`count(*)::int`,
      summed: sql<number>`(count(*) filter (where ${isSummedEntry}))::int`,
      sum: sql<string | null>`(sum(${value}) filter (where ${isSummedEntry}))::text`,
    })
    .from(accountEntry)
    .where(entries.where)
    .groupBy(day, type, direction, isOwn);
}

async function readReturned(store: Db, tenant: string, filter: MovementFilter): Promise<MovementSummary["returned"]> {
  const entries = await narrowEntries(store, tenant, filter);
  if (entries === null) return null;
  const [told] = await store
    .select({ count: sql<number>`count(*)::int`, sum: sql<string | null>`sum(${accountEntry.value})::text` })
    .from(accountEntry)
    .where(and(entries.where, isSummedEntry, eq(accountEntry.direction, "out"), isReturned(store, tenant)));
  return told === undefined || told.count === 0
    ? null
    : { count: told.count, sum: decimalOf(unitsOf(told.sum ?? "0")) };
}

const isConfirmed = (words: ChainWords) => sql`(where ${chainConfirmed(words)})`;

async function chainGroups(store: Db, tenant: string, chain: Narrowed): Promise<Group[]> {
  const { network, tokenAddress, asset, subtype, isOwn, value } = chainMovement;
  const isTokenless = sql<boolean>`${tokenAddress} is null and ${asset} is null and ${hasNoToken(store, tenant)}`;
  const groups = await store
    .select({
      network,
      tokenAddress,
      asset,
      isTokenless,
      type: subtype,
      isOwn,
      count: sql<number>`count(*)::int`,
      summed: sql<number>`(count(${value}) filter ${isConfirmed(chain.words)})::int`,
      sum: sql<string | null>`(sum(${value}) filter ${isConfirmed(chain.words)})::text`,
    })
    .from(chainMovement)
    .where(chain.where)
    .groupBy(network, tokenAddress, asset, sql`4`, subtype, isOwn);
  return groups.map(({ network: on, tokenAddress: token, asset: name, isTokenless: hasNone, ...group }): Group => {
    const place = { network: on, tokenAddress: token, asset: name, isTokenless: hasNone };
    const { asset: moved, basis } = movedAsset(place, hasNone);
    const direction = movementDirection(group.type);
    const coin = { network: on, asset: moved, token, ...(basis === "likely" && { isLikely: true }) };
    const told = { ...group, place, coin, direction, day: null };
    return direction === null ? { ...told, summed: 0, sum: null } : told;
  });
}

type DaySum = Pick<Group, "day" | "direction" | "isOwn" | "sum">;

const isAt = (store: Db, tenant: string, { network, tokenAddress, asset, isTokenless }: Place) => {
  const none = hasNoToken(store, tenant);
  return and(
    eq(chainMovement.network, network),
    tokenAddress === null ? isNull(chainMovement.tokenAddress) : eq(chainMovement.tokenAddress, tokenAddress),
    asset === null ? isNull(chainMovement.asset) : eq(chainMovement.asset, asset),
    tokenAddress === null && asset === null ? (isTokenless ? none : sql`not ${none}`) : undefined,
  );
};

/** Day by day, what these groups of one asset add up to. */
async function daySums(
  store: Db,
  tenant: string,
  { chain, of }: { chain: Narrowed | null; of: readonly Group[] },
): Promise<readonly DaySum[]> {
  const places = new Map(of.flatMap(({ place }) => (place === undefined ? [] : [[JSON.stringify(place), place]])));
  if (places.size === 0 || chain === null) return of;
  const { day, subtype, isOwn, value } = chainMovement;
  const isOne = or(...[...places.values()].map((place) => isAt(store, tenant, place)));
  const rows = await store
    .select({ day, subtype, isOwn, sum: sql<string | null>`(sum(${value}) filter ${isConfirmed(chain.words)})::text` })
    .from(chainMovement)
    .where(and(chain.where, isOne))
    .groupBy(day, subtype, isOwn);
  return rows.map(({ subtype: word, ...row }) => ({ ...row, direction: movementDirection(word) }));
}

const BETWEEN_ACCOUNTS: EntryWord = "INTERNAL";

const NOTHING = { in: "0", out: "0" };

const totalsOf = ({ coin, direction, isOwn, count, summed, sum }: Group) => {
  const sides = { in: direction === "in" ? (sum ?? "0") : "0", out: direction === "out" ? (sum ?? "0") : "0" };
  return { ...(coin && { coin }), count, unsigned: count - summed, ...sides, own: isOwn ? sides : NOTHING };
};

function totalled(groups: readonly Group[]) {
  const totals = controlTotals();
  for (const group of groups) totals.join({ group: totalsOf(group) });
  return totals.totals();
}

const byKey = <Of, One>(groups: readonly One[], keyOf: (group: One) => Of): Map<Of, One[]> => {
  const parts = new Map<Of, One[]>();
  for (const group of groups) {
    const part = parts.get(keyOf(group));
    if (part === undefined) parts.set(keyOf(group), [group]);
    else part.push(group);
  }
  return parts;
};

const summedIn = (groups: readonly DaySum[], side: "in" | "out"): string =>
  decimalOf(groups.reduce((units, { direction, sum }) => units + (direction === side ? unitsOf(sum ?? "0") : 0n), 0n));

const sidesIn = (groups: readonly DaySum[]): OwnAndAll => {
  const own = groups.filter(({ isOwn }) => isOwn);
  const sides = (of: readonly DaySum[]) => ({ in: summedIn(of, "in"), out: summedIn(of, "out") });
  return { ...sides(groups), own: sides(own) };
};

function typesIn(groups: readonly Group[]): TypeSum[] {
  return [...byKey(groups, ({ type }) => type)]
    .map(([type, part]) => ({
      type,
      count: part.reduce((all, { count }) => all + count, 0),
      ...sidesIn(part),
      unsigned: part.reduce((all, { count, summed }) => all + count - summed, 0),
    }))
    .toSorted((one, other) => other.count - one.count);
}

const daysIn = (sums: readonly DaySum[]): DayBar[] =>
  [...byKey(sums, ({ day }) => day ?? "")]
    .map(([day, part]) => ({ day, ...sidesIn(part) }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));

const NAMED_MAX = 20;
const TODAY = startOfDayIn(0);
const dayOf = (at: SQLWrapper) => sql`((${at}) at time zone 'America/Sao_Paulo')::date::text`;

type Sources = Pick<MovementSummary, "sources" | "gaps"> & { untilMs: number | null };

const NO_SOURCES: Sources = { sources: 0, gaps: { count: 0, named: [] }, untilMs: null };

const WHY = [
  "never-read",
  "awaiting-deposit",
  "past-unread",
  "failed",
  "entries-unread",
  "unfinished",
  "behind",
] as const;

const Told = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      network: z.string().nullable(),
      until: z.coerce.date().nullable(),
      why: z.enum(WHY).nullable(),
      sources: z.coerce.number(),
      gaps: z.coerce.number(),
      oldest: z.coerce.date().nullable(),
    }),
  ),
});

/** Of sources with `id`, `label`, `network`, `until`, `oldest` and `why`: those that may lack entries come first, and all are counted. */
async function readSources(store: Db, kind: SourceKind, sources: SQL): Promise<Sources> {
  const found = await store.execute(sql`
    select source.id, source.label, source.network, source.until, source.why, count(*) over () as sources,
      count(source.why) over () as gaps, min(source.oldest) over () as oldest
    from (${sources}) as source order by source.why is null, source.label, source.id limit ${NAMED_MAX}`);
  const { rows } = Told.parse(found);
  const [first] = rows;
  if (first === undefined) return NO_SOURCES;
  const hrefOf = ({ id, network }: (typeof rows)[number]) =>
    kind === "account" ? `/accounts/${id}` : hrefWith(`/wallets/${encodeURIComponent(id)}`, { network });
  const named = rows.flatMap((row): SourceGap[] => {
    const { label, until, why } = row;
    return why === null ? [] : [{ kind, label, href: hrefOf(row), until: until?.toISOString() ?? null, why }];
  });
  return { sources: first.sources, gaps: { count: first.gaps, named }, untilMs: first.oldest?.getTime() ?? null };
}

async function accountSources(store: Db, tenant: string, filter: MovementFilter): Promise<Sources> {
  if (filter.kind === "wallet" || filter.wallet !== undefined) return NO_SOURCES;
  const { fromDay, until, unread, why: failure, accountRef } = accountReading;
  const floor = civilDaysAgo(env().entriesDays - 1);
  const since = filter.from > floor ? filter.from : floor;
  const isNow = filter.to >= civilDaysAgo(0);
  const opened = sql`coalesce(${dayOf(account.createdAt)}, '')`;
  const isOne = filter.account === undefined ? sql`true` : sql`${account.ref} = ${filter.account}::uuid`;
  return readSources(
    store,
    "account",
    sql`select ${account.ref}::text as id, ${account.branch} || ' / ' || ${account.number} as label, null::text as network, ${until} as until,
      case when ${account.standing} <> 'CLOSED' then ${until} end as oldest,
      case
        when ${opened} > ${filter.to} then null
        when ${until} is null then case when ${failure} is null then 'never-read' else 'failed' end
        when ${failure} is not null and ${until} < ${TODAY} then 'failed'
        when ${fromDay} > greatest(${since}::text, ${opened}) then 'past-unread'
        when ${unread} > 0 then 'entries-unread'
        when ${isNow}::boolean and ${account.standing} <> 'CLOSED' and ${until} < ${TODAY} - interval '1 day' then 'behind'
      end as why
    from ${account} left join ${accountReading} on ${accountReading.tenant} = ${account.tenant} and ${accountRef} = ${account.ref}
    where ${account.tenant} = ${tenant} and ${isOne}`,
  );
}

async function walletSources(store: Db, tenant: string, filter: MovementFilter): Promise<Sources> {
  if (filter.kind === "account" || filter.account !== undefined) return NO_SOURCES;
  const isOther = await isOtherId(store, tenant);
  const isOne = filter.wallet === undefined ? sql`true` : sql`one.id = ${filter.wallet}`;
  return readSources(
    store,
    "wallet",
    sql`select one.id, coalesce(on_chain.network, one.family) || ' / ' || coalesce(label.label, one.address) as label, on_chain.network,
      reading.as_of as until, reading.as_of as oldest,
      case
        when ${dayOf(walletMadeAt(sql`one`))} > ${filter.to} then null
        when reading.as_of is null then case when ${isAwaitingDeposit} then 'awaiting-deposit' else 'never-read' end
        when not reading.is_whole then 'unfinished'
        when reading.unread > 0 then 'entries-unread'
      end as why
    from ${wallet} as one
    left join (values ${FAMILY_PLACES}) as on_chain (family, network) on on_chain.family = one.family
    left join (
      select wallet_id, network, max(as_of) filter (where token_address = '') as as_of, bool_and(is_whole) as is_whole, max(unread) as unread
      from ${chainReading} where tenant = ${tenant} group by wallet_id, network
    ) as reading on reading.wallet_id = one.id and reading.network = on_chain.network
    left join ${walletLabel} as label on label.tenant = one.tenant and label.wallet_id = one.id
    where one.tenant = ${tenant} and ${isOne} and not ${isOther}`,
  );
}

const moves = ({ count, unsigned }: AssetSum) => count > unsigned;

const isTold = ({ coin }: AssetSum) => coin === undefined || coin.asset !== null || coin.token !== null;

type Summed = Pick<MovementSummary, "count" | "assets" | "drawn" | "days"> & { between: readonly Group[] };

const isBetween = ({ type, isOwn, summed }: Group) => type === BETWEEN_ACCOUNTS && !isOwn && summed > 0;

/** What was ordered here is known by its order; of others the account that was not read may have the other side. */
function perhapsOwnOf(between: readonly Group[], { sources, gaps, untilMs }: Sources): MovementSummary["perhapsOwn"] {
  const last = between
    .flatMap(({ day }) => day ?? [])
    .toSorted()
    .at(-1);
  if (last === undefined || sources < 2) return null;
  const until = untilMs === null ? null : new Date(untilMs).toISOString();
  if (gaps.count === 0 && !goesBeyond(until, { to: last })) return null;
  const count = between.reduce((all, { summed }) => all + summed, 0);
  return { count, in: summedIn(between, "in"), out: summedIn(between, "out") };
}

async function readSums(store: Db, reader: Pick<Actor, "tenant" | "roles">, filter: MovementFilter): Promise<Summed> {
  const { tenant } = reader;
  const ofChain = async () => {
    const chain = mayWallets(reader) ? await narrowChain(store, tenant, filter) : null;
    return { chain, moved: chain === null ? [] : await chainGroups(store, tenant, chain) };
  };
  const [entries, { chain, moved }] = await Promise.all([entryGroups(store, tenant, filter), ofChain()]);
  const groups = [...entries, ...moved];
  const keyed = byKey(groups, ({ coin }) => assetKeyOf(coin));
  const listed = listTotals(totalled(groups)).map(([key, totals]) => {
    const parts = keyed.get(key) ?? [];
    return { parts, sum: { ...totals, ...sidesIn(parts), key: assetWord(totals.coin), types: typesIn(parts) } };
  });
  const drawn = listed.find(({ sum }) => moves(sum) && isTold(sum)) ?? null;
  return {
    count: groups.reduce((all, { count }) => all + count, 0),
    between: entries.filter(isBetween),
    assets: listed.map(({ sum }) => sum),
    drawn: drawn?.sum ?? null,
    days: drawn === null ? [] : daysIn(await daySums(store, tenant, { chain, of: drawn.parts })),
  };
}

/** What is filtered, added up by the store: exact, by asset, type and day; and how far all of it is kept. */
export async function summarizeMovements(
  reader: Pick<Actor, "tenant" | "roles">,
  given: Record<string, unknown>,
): Promise<MovementSummary> {
  const filter = MovementFilter.parse(given);
  const { tenant } = reader;
  const store = await db();
  const [{ between, ...sums }, returned, ofAccounts, ofWallets] = await Promise.all([
    readSums(store, reader, filter),
    readReturned(store, tenant, filter),
    accountSources(store, tenant, filter),
    mayWallets(reader) ? walletSources(store, tenant, filter) : NO_SOURCES,
  ]);
  const ofAll =
    filter.account === undefined || between.length === 0
      ? ofAccounts
      : await accountSources(store, tenant, { ...filter, account: undefined });
  const untils = [ofAccounts.untilMs, ofWallets.untilMs].flatMap((one) => one ?? []);
  return {
    ...sums,
    returned,
    perhapsOwn: perhapsOwnOf(between, ofAll),
    sources: ofAccounts.sources + ofWallets.sources,
    completeUntil: untils.length === 0 ? null : new Date(Math.min(...untils)).toISOString(),
    gaps: {
      count: ofAccounts.gaps.count + ofWallets.gaps.count,
      named: [...ofAccounts.gaps.named, ...ofWallets.gaps.named].slice(0, NAMED_MAX),
    },
  };
}
