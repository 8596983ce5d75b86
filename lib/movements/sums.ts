import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
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
import { networksOf } from "@/lib/wallets/inputs";
import { FAMILY_NAMES, movedAsset } from "@/lib/wallets/view";
import { assetWord, MovementFilter } from "./inputs";
import { mayWallets } from "./records";
import { controlTotals } from "./sources";
import { type AssetSum, type DayBar, listTotals, type MovementSummary, type SourceGap, type TypeSum } from "./view";
import {
  chainDirection,
  chainState,
  entryAmount,
  hasNoToken,
  movedAmount,
  narrowEntries,
  narrowMovements,
  otherIds,
  readWords,
} from "./where";

/** Alike in asset, day, type and direction; `sum` null: nothing of it can be added up. */
type Group = {
  coin?: Coin;
  day: string;
  type: string;
  direction: "in" | "out" | null;
  count: number;
  summed: number;
  sum: string | null;
};

const dayOf = (at: typeof accountEntry.at | typeof chainMovement.at) =>
  sql<string>`((${at} at time zone 'America/Sao_Paulo')::date)::text`;

async function entryGroups(store: Db, tenant: string, filter: MovementFilter): Promise<Group[]> {
  const narrowed = await narrowEntries(store, tenant, filter);
  if (narrowed === null) return [];
  const { at, type, direction, isBooked, isDated } = accountEntry;
  const isSummed = sql`${isBooked} and ${isDated} and ${direction} is not null`;
  return store
    .select({
      day: dayOf(at),
      type,
      direction,
      count: sql<number>`count(*)::int`,
      summed: sql<number>`(count(*) filter (where ${isSummed}))::int`,
      sum: sql<string | null>`(sum(${entryAmount}) filter (where ${isSummed}))::text`,
    })
    .from(accountEntry)
    .where(narrowed.where)
    .groupBy(dayOf(at), type, direction);
}

async function chainGroups(store: Db, tenant: string, filter: MovementFilter): Promise<Group[]> {
  const words = await readWords(store, tenant);
  const narrowed = await narrowMovements(store, tenant, filter, { words, others: await otherIds(store, tenant) });
  if (narrowed === null) return [];
  const { at, network, tokenAddress, asset, subtype } = chainMovement;
  const rows = store
    .select({
      day: dayOf(at).as("day"),
      network,
      tokenAddress,
      asset,
      subtype,
      isTokenless: sql<boolean>`${tokenAddress} is null and ${hasNoToken(store, tenant)}`.as("is_tokenless"),
      direction: chainDirection(words).as("direction"),
      amount: sql<string | null>`case when ${chainState(words)} = 'confirmed' then ${movedAmount} end`.as("summed"),
    })
    .from(chainMovement)
    .where(narrowed)
    .as("moved");
  const isSummed = sql`${rows.direction} is not null and ${rows.amount} is not null`;
  const groups = await store
    .select({
      day: rows.day,
      network: rows.network,
      tokenAddress: rows.tokenAddress,
      asset: rows.asset,
      isTokenless: rows.isTokenless,
      type: rows.subtype,
      direction: rows.direction,
      count: sql<number>`count(*)::int`,
      summed: sql<number>`(count(*) filter (where ${isSummed}))::int`,
      sum: sql<string | null>`(sum(${rows.amount}) filter (where ${isSummed}))::text`,
    })
    .from(rows)
    .groupBy(rows.day, rows.network, rows.tokenAddress, rows.asset, rows.isTokenless, rows.subtype, rows.direction);
  return groups.map(({ network: on, tokenAddress: token, asset: name, isTokenless, ...group }) => {
    const { asset: moved, basis } = movedAsset({ network: on, tokenAddress: token, asset: name }, isTokenless);
    return { ...group, coin: { network: on, asset: moved, token, ...(basis === "likely" && { isLikely: true }) } };
  });
}

const totalsOf = ({ coin, direction, count, summed, sum }: Group) => ({
  ...(coin && { coin }),
  count,
  unsigned: count - summed,
  in: direction === "in" ? (sum ?? "0") : "0",
  out: direction === "out" ? (sum ?? "0") : "0",
});

function totalled(groups: readonly Group[]) {
  const totals = controlTotals();
  for (const group of groups) totals.join({ group: totalsOf(group) });
  return totals.totals();
}

const byKey = <Of>(groups: readonly Group[], keyOf: (group: Group) => Of): Map<Of, Group[]> => {
  const parts = new Map<Of, Group[]>();
  for (const group of groups) {
    const part = parts.get(keyOf(group));
    if (part === undefined) parts.set(keyOf(group), [group]);
    else part.push(group);
  }
  return parts;
};

const summedIn = (groups: readonly Group[], side: "in" | "out"): string =>
  decimalOf(groups.reduce((units, { direction, sum }) => units + (direction === side ? unitsOf(sum ?? "0") : 0n), 0n));

function typesIn(groups: readonly Group[]): TypeSum[] {
  return [...byKey(groups, ({ type }) => type)]
    .map(([type, part]) => ({
      type,
      count: part.reduce((all, { count }) => all + count, 0),
      in: summedIn(part, "in"),
      out: summedIn(part, "out"),
      unsigned: part.reduce((all, { count, summed }) => all + count - summed, 0),
    }))
    .toSorted((one, other) => other.count - one.count);
}

const daysIn = (groups: readonly Group[]): DayBar[] =>
  [...byKey(groups, ({ day }) => day)]
    .map(([day, part]) => ({ day, in: summedIn(part, "in"), out: summedIn(part, "out") }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));

const NAMED_MAX = 20;
const TODAY = startOfDayIn(0);

type Sources = Pick<MovementSummary, "sources" | "gaps"> & { untilMs: number | null };

const NO_SOURCES: Sources = { sources: 0, gaps: { count: 0, named: [] }, untilMs: null };

const WHY = ["never-read", "past-unread", "failed", "entries-unread", "unfinished", "behind"] as const;

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
  const opened = sql`coalesce(((${account.createdAt} at time zone 'America/Sao_Paulo')::date)::text, '')`;
  const isOne = filter.account === undefined ? sql`true` : sql`${account.ref} = ${filter.account}::uuid`;
  return readSources(
    store,
    "account",
    sql`select ${account.ref}::text as id, ${account.branch} || ' / ' || ${account.number} as label, null::text as network, ${until} as until,
      case when ${account.standing} <> 'CLOSED' then ${until} end as oldest,
      case
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
  const places = FAMILY_NAMES.flatMap((family) =>
    networksOf(family).map((network) => sql`(${family}::text, ${network}::text)`),
  );
  const others = (await otherIds(store, tenant)).map((one) => sql`(${one.walletId}::text, ${one.network}::text)`);
  const isOther = others.length === 0 ? sql`false` : sql`(one.id, on_chain.network) in (${sql.join(others, sql`, `)})`;
  const isOne = filter.wallet === undefined ? sql`true` : sql`one.id = ${filter.wallet}`;
  return readSources(
    store,
    "wallet",
    sql`select one.id, coalesce(on_chain.network, one.family) || ' / ' || coalesce(label.label, one.address) as label, on_chain.network,
      reading.as_of as until, reading.as_of as oldest,
      case
        when reading.as_of is null then 'never-read'
        when not reading.is_whole then 'unfinished'
        when reading.unread > 0 then 'entries-unread'
      end as why
    from ${wallet} as one
    left join (values ${sql.join(places, sql`, `)}) as on_chain (family, network) on on_chain.family = one.family
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

/** What is filtered, added up by the store: exact, by asset, type and day; and how far all of it is kept. */
export async function summarizeMovements(
  reader: Pick<Actor, "tenant" | "roles">,
  given: Record<string, unknown>,
): Promise<MovementSummary> {
  const filter = MovementFilter.parse(given);
  const { tenant } = reader;
  const store = await db();
  const hasWallets = mayWallets(reader);
  const [entries, chain, ofAccounts, ofWallets] = await Promise.all([
    entryGroups(store, tenant, filter),
    hasWallets ? chainGroups(store, tenant, filter) : [],
    accountSources(store, tenant, filter),
    hasWallets ? walletSources(store, tenant, filter) : NO_SOURCES,
  ]);
  const groups = [...entries, ...chain];
  const keyed = byKey(groups, (group) => Object.keys(totalled([group]))[0] ?? "");
  const assets = listTotals(totalled(groups)).map(([key, totals]): AssetSum => ({
    ...totals,
    key: assetWord(totals.coin),
    types: typesIn(keyed.get(key) ?? []),
  }));
  const drawn = assets.find((one) => moves(one) && isTold(one)) ?? null;
  const drawnKey =
    drawn === null
      ? null
      : (listTotals(totalled(groups)).find(([, one]) => assetWord(one.coin) === drawn.key)?.[0] ?? null);
  const untils = [ofAccounts.untilMs, ofWallets.untilMs].flatMap((one) => one ?? []);
  return {
    count: groups.reduce((all, { count }) => all + count, 0),
    assets,
    drawn,
    days: drawnKey === null ? [] : daysIn(keyed.get(drawnKey) ?? []),
    sources: ofAccounts.sources + ofWallets.sources,
    completeUntil: untils.length === 0 ? null : new Date(Math.min(...untils)).toISOString(),
    gaps: {
      count: ofAccounts.gaps.count + ofWallets.gaps.count,
      named: [...ofAccounts.gaps.named, ...ofWallets.gaps.named].slice(0, NAMED_MAX),
    },
  };
}
