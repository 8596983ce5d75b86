import { and, count, eq, gte, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { textOfEntry } from "@/lib/accounts/records";
import { coinNames, isCoin } from "@/lib/contract/coins";
import { addressSpellings, tokenKey } from "@/lib/contract/identity";
import { CHAIN_FAMILIES, type Network } from "@/lib/contract/crypto";
import { startOfDay } from "@/lib/db/clock";
import type { Db } from "@/lib/db/connection";
import { accountEntry } from "@/lib/db/tables/accounts";
import { transfer, transferPayee } from "@/lib/db/tables/transfers";
import { chainMovement, chainReading, wallet, walletBalance } from "@/lib/db/tables/wallets";
import { DAY_MS } from "@/lib/text/time";
import { folded } from "@/lib/text/typed";
import { listHistories, movementState, walletPlace } from "@/lib/wallets/records";
import { FIRST_BLOCK, movementDirection } from "@/lib/wallets/view";
import { isUuid } from "@/lib/text/decode";
import { ACCOUNT_COUNTERPART, AssetWord, type MovementFilter } from "./inputs";
import { isEntryCalled, onePerPlace } from "./records";
import type { EntriesElsewhere } from "./view";

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

const within = (
  amount: typeof accountEntry.value | typeof chainMovement.value,
  { min, max }: MovementFilter,
): SQL | undefined =>
  and(
    min === undefined ? undefined : sql`${amount} >= ${min}::numeric`,
    max === undefined ? undefined : sql`${amount} <= ${max}::numeric`,
  );

const KEYED_HASH = /^[0-9a-f]{8}:[0-9a-f]{64}$/;

/** Entries whose transaction has its other side in that account. */
function isWithAccount(ref: string): SQL {
  const { tenant, accountRef, transactionId, direction } = accountEntry;
  return sql`${transactionId} <> '' and ${accountRef} <> ${ref}::uuid and exists (select from ${accountEntry} as other
    where other.tenant = ${tenant} and other.transaction_id = ${transactionId} and other.account_ref = ${ref}::uuid
    and other.direction <> ${direction} and other.dropped_at is null)`;
}

function entryCounterpart(store: Db, tenant: string, counterpart: string): SQL | undefined {
  if (counterpart.startsWith(ACCOUNT_COUNTERPART)) {
    const ref = counterpart.slice(ACCOUNT_COUNTERPART.length);
    return isUuid(ref) ? isWithAccount(ref) : sql`false`;
  }
  if (!KEYED_HASH.test(counterpart)) return sql`false`;
  const isPaid = or(eq(transferPayee.documentHash, counterpart), eq(transferPayee.nameHash, counterpart));
  const paid = (id: typeof transfer.transactionId | typeof transfer.returnId) =>
    store
      .select({ id })
      .from(transferPayee)
      .innerJoin(transfer, and(eq(transfer.tenant, tenant), eq(transfer.intentId, transferPayee.intentId)))
      .where(and(eq(transferPayee.tenant, tenant), isPaid, isNotNull(id)));
  return or(
    eq(accountEntry.documentHash, counterpart),
    eq(accountEntry.nameHash, counterpart),
    inArray(accountEntry.transactionId, paid(transfer.transactionId)),
    inArray(accountEntry.transactionId, paid(transfer.returnId)),
  );
}

/** By the index on the hash as it was told, with its beginning or without. */
const hashOf = (search: string): SQL => {
  const bare = search.toLowerCase().replace(/^0x/, "");
  return inArray(sql`lower(${chainMovement.hash})`, [bare, `0x${bare}`]);
};

const OPENED_MAX = 3_000;

/** Texts are sealed: the newest are opened. */
async function entriesSaying(store: Db, isIt: SQL | undefined, search: string) {
  const { tenant, accountRef, key, ordinal, textSealed } = accountEntry;
  const rows = await store
    .select({ tenant, accountRef, key, ordinal, textSealed })
    .from(accountEntry)
    .where(isIt)
    .orderBy(sql`${accountEntry.at} desc`)
    .limit(OPENED_MAX);
  const sought = folded(search);
  const found = rows.filter((row) => folded(textOfEntry(row) ?? "").includes(sought));
  return { found, searched: rows.length === OPENED_MAX ? OPENED_MAX : null };
}

/** Longer than any id that a bank writes into a text. */
const CHAIN_HASH = /^(?:0x)?[\da-f]{64}$/i;

type Narrowed = { where: SQL | undefined; searched: number | null };

/** Entries of accounts; null where the filter asks for wallets alone. */
export async function narrowEntries(store: Db, tenant: string, filter: MovementFilter): Promise<Narrowed | null> {
  const { from, to, kind, account: ref, wallet: walletId, direction, state, type, asset, search, counterpart } = filter;
  if (kind === "wallet" || walletId !== undefined || (asset !== undefined && asset !== "BRL")) return null;
  const { at, accountRef, isBooked, isDated, droppedAt, key, ordinal } = accountEntry;
  const isSettled = sql`(${isBooked} and ${isDated})`;
  const narrowed = and(
    eq(accountEntry.tenant, tenant),
    gte(at, startOfDay(from)),
    lt(at, startOfDay(dayAfter(to))),
    ref === undefined ? undefined : eq(accountRef, ref),
    direction === undefined ? undefined : eq(accountEntry.isOwn, direction === "own"),
    direction === undefined || direction === "own" ? undefined : eq(accountEntry.direction, direction),
    state === "dropped" ? isNotNull(droppedAt) : isNull(droppedAt),
    state === "booked" ? isSettled : state === "open" ? sql`not ${isSettled}` : undefined,
    type === undefined ? undefined : eq(accountEntry.type, type),
    within(accountEntry.value, filter),
    counterpart === undefined ? undefined : entryCounterpart(store, tenant, counterpart),
  );
  if (search === undefined) return { where: narrowed, searched: null };
  const isIt = isEntryCalled(search);
  if (CHAIN_HASH.test(search)) return { where: and(narrowed, isIt), searched: null };
  const { found, searched } = await entriesSaying(store, narrowed, search);
  const rows = found.map((row) => sql`(${row.accountRef}::uuid, ${row.key}, ${row.ordinal}::int)`);
  const isFound =
    rows.length === 0 ? undefined : sql`(${accountRef}, ${key}, ${ordinal}) in (${sql.join(rows, sql`, `)})`;
  return { where: and(narrowed, or(isIt, isFound)), searched };
}

/** What the filter leaves out of the entries with the id that it seeks, in all accounts that are kept; null: nothing. */
export async function readElsewhere(
  store: Db,
  tenant: string,
  filter: MovementFilter,
): Promise<EntriesElsewhere | null> {
  const { search } = filter;
  if (search === undefined) return null;
  const listed = await narrowEntries(store, tenant, { ...filter, search: undefined });
  const isBeyond = listed === null ? undefined : sql`not (${listed.where})`;
  const { day, droppedAt } = accountEntry;
  const [found] = await store
    .select({ from: sql<string>`min(${day})::text`, to: sql<string>`max(${day})::text`, count: count() })
    .from(accountEntry)
    .where(and(eq(accountEntry.tenant, tenant), isEntryCalled(search), isNull(droppedAt), isBeyond));
  return found === undefined || found.count === 0 ? null : found;
}

const Words = z.object({ rows: z.array(z.object({ subtype: z.string(), status: z.string() })) });

const standingOf = (status: string) =>
  movementState({ at: new Date(), isDated: true, blockNumber: "1", status, droppedAt: null });

/** What the provider calls movements and how they stand, each pair once, by the index. */
export async function readWords(store: Db, tenant: string) {
  const status = sql`coalesce(${chainMovement.status}, '')`;
  const next = (
    beyond: SQL,
  ) => sql`(select ${chainMovement.subtype} as subtype, ${status} as status from ${chainMovement}
    where ${chainMovement.tenant} = ${tenant} ${beyond} order by ${chainMovement.subtype}, ${status} limit 1)`;
  const found = await store.execute(sql`
    with recursive words as (
      ${next(sql``)}
      union all
      select later.subtype, later.status from words cross join lateral
        ${next(sql`and (${chainMovement.subtype}, ${status}) > (words.subtype, words.status)`)} as later
    ) select subtype, status from words`);
  const { rows } = Words.parse(found);
  const subtypes = [...new Set(rows.map(({ subtype }) => subtype))];
  const statuses = [...new Set(rows.map((one) => one.status))].filter((word) => word !== "");
  return {
    into: subtypes.filter((word) => movementDirection(word) === "in"),
    outOf: subtypes.filter((word) => movementDirection(word) === "out"),
    unsettled: statuses.filter((word) => standingOf(word) !== "confirmed"),
  };
}

export type ChainWords = Awaited<ReturnType<typeof readWords>>;

const isOneOf = (column: typeof chainMovement.subtype | typeof chainMovement.status, words: readonly string[]): SQL =>
  words.length === 0 ? sql`false` : sql`coalesce(${inArray(column, [...words])}, false)`;

/** What `movementState` says is confirmed. */
export const chainConfirmed = ({ unsettled }: ChainWords) => {
  const { droppedAt, isDated, at, status } = chainMovement;
  return and(
    isNull(droppedAt),
    isDated,
    sql`${at} >= ${FIRST_BLOCK.toISOString()}::timestamptz`,
    unsettled.length === 0 ? undefined : sql`not ${isOneOf(status, unsettled)}`,
  );
};

export const chainDirection = ({ into, outOf }: ChainWords) => sql<"in" | "out" | null>`case
  when ${isOneOf(chainMovement.subtype, into)} then 'in' when ${isOneOf(chainMovement.subtype, outOf)} then 'out' end`;

const readWithoutToken = sql`${walletBalance.asOf} is not null
  and not jsonb_path_exists(${walletBalance.entries}, '$[*].tokenAddress ? (@ != "")')
  and not jsonb_path_exists(${walletBalance.entries}, '$[*].shape')`;

/** Wallets on networks of which no token is known. */
export const tokenlessIn = (store: Db, tenant: string) =>
  store
    .select({ walletId: walletBalance.walletId, network: walletBalance.network })
    .from(walletBalance)
    .where(
      and(
        eq(walletBalance.tenant, tenant),
        readWithoutToken,
        sql`not exists (select from ${chainReading} where ${chainReading.tenant} = ${tenant} and ${chainReading.tokenAddress} <> ''
          and ${chainReading.walletId} = ${walletBalance.walletId} and ${chainReading.network} = ${walletBalance.network})`,
      ),
    )
    .as("tokenless");

export const hasNoToken = (store: Db, tenant: string): SQL<boolean> => {
  const tokenless = tokenlessIn(store, tenant);
  const { walletId, network } = chainMovement;
  return sql<boolean>`(${walletId}, ${network}) in (select ${tokenless.walletId}, ${tokenless.network} from ${tokenless})`;
};

async function tokenSpellings(store: Db, tenant: string, network: Network, token: string): Promise<string[]> {
  const { tokenAddress } = chainReading;
  const known = await store
    .selectDistinct({ tokenAddress })
    .from(chainReading)
    .where(and(eq(chainReading.tenant, tenant), eq(chainReading.network, network), ne(tokenAddress, "")));
  const key = tokenKey(network, token);
  const same = known.flatMap((one) => (tokenKey(network, one.tokenAddress) === key ? [one.tokenAddress] : []));
  return [...new Set([token, key, ...same])].map((one) => one.toLowerCase());
}

/** What is not told is an asset of its own. */
async function ofAsset(store: Db, tenant: string, asset: string): Promise<SQL | undefined> {
  const wanted = AssetWord.safeParse(asset).data;
  if (wanted === undefined) return sql`false`;
  const { network, token, asset: word, likely } = wanted;
  const isOfNetwork = eq(chainMovement.network, network);
  if (token !== "") {
    const spellings = await tokenSpellings(store, tenant, network, token);
    return and(isOfNetwork, inArray(sql`lower(${chainMovement.tokenAddress})`, spellings));
  }
  const isWithoutToken = and(isOfNetwork, isNull(chainMovement.tokenAddress));
  const isUntold = isNull(chainMovement.asset);
  const isNamed = isCoin(network, { asset: word })
    ? inArray(sql`lower(${chainMovement.asset})`, coinNames(network))
    : eq(chainMovement.asset, word);
  if (likely !== undefined) return and(isWithoutToken, isUntold, hasNoToken(store, tenant));
  if (network === "BITCOIN")
    return and(isWithoutToken, isCoin(network, { asset: word }) ? or(isUntold, isNamed) : isNamed);
  return and(isWithoutToken, word === "" ? and(isUntold, sql`not ${hasNoToken(store, tenant)}`) : isNamed);
}

const addressesLike = (counterpart: string): string[] => [
  ...new Set([counterpart.toLowerCase(), ...CHAIN_FAMILIES.flatMap((family) => addressSpellings(family, counterpart))]),
];

const isWith = (address: string): SQL => inArray(sql`lower(${chainMovement.counterAddress})`, addressesLike(address));

export type OtherId = { walletId: string; network: Network };

type Listed = { stamp: string; hasTwice: boolean };

declare global {
  var retaguardaListedTwice: Map<string, Listed> | undefined;
}

/** Of this process, though Next loads modules several times: thousands of addresses are spelt once for each list of wallets. */
const listedTwice = () => (globalThis.retaguardaListedTwice ??= new Map());

async function isListedTwice(store: Db, tenant: string): Promise<boolean> {
  const { id, family, address } = wallet;
  const isOfTenant = eq(wallet.tenant, tenant);
  const stampOf = sql<string>`count(*) || ' ' || coalesce(sum(hashtext(${id} || ' ' || ${address})), 0)`;
  const [told] = await store.select({ stamp: stampOf }).from(wallet).where(isOfTenant);
  const stamp = told?.stamp ?? "";
  const known = listedTwice().get(tenant);
  if (known?.stamp === stamp) return known.hasTwice;
  const listed = await store.select({ family, address }).from(wallet).where(isOfTenant);
  const places = new Set(listed.map((one) => walletPlace(one.family, one.address)));
  const hasTwice = places.size < listed.length;
  listedTwice().set(tenant, { stamp, hasTwice });
  return hasTwice;
}

/** Ids under which an address is listed once more: what was read of it best stands for all. */
export async function otherIds(store: Db, tenant: string): Promise<OtherId[]> {
  if (!(await isListedTwice(store, tenant))) return [];
  return onePerPlace(await listHistories(store, tenant)).flatMap(([, ...others]) =>
    others.flatMap(({ walletId, network }) => (network === null ? [] : [{ walletId, network }])),
  );
}

type Chain = { words: ChainWords; others: readonly OtherId[] };

/** Movements on chains; null where the filter asks for accounts alone. */
export async function narrowMovements(
  store: Db,
  tenant: string,
  filter: MovementFilter,
  { words, others }: Chain,
): Promise<SQL | undefined | null> {
  const { from, to, kind, account, wallet: walletId, direction, state, type, asset, search, counterpart } = filter;
  if (kind === "account" || account !== undefined || asset === "BRL") return null;
  const { at, droppedAt, network, tokenAddress: _, ...own } = chainMovement;
  const isConfirmed = chainConfirmed(words);
  return and(
    eq(own.tenant, tenant),
    gte(at, startOfDay(from)),
    lt(at, startOfDay(dayAfter(to))),
    walletId === undefined ? undefined : eq(own.walletId, walletId),
    direction === undefined ? undefined : eq(own.isOwn, direction === "own"),
    direction === undefined || direction === "own" ? undefined : sql`${chainDirection(words)} = ${direction}`,
    state === "dropped" ? isNotNull(droppedAt) : isNull(droppedAt),
    state === "booked" ? isConfirmed : state === "open" ? sql`not ${isConfirmed}` : undefined,
    type === undefined ? undefined : eq(own.subtype, type),
    asset === undefined ? undefined : await ofAsset(store, tenant, asset),
    within(own.value, filter),
    search === undefined ? undefined : or(hashOf(search), isWith(search)),
    counterpart === undefined ? undefined : isWith(counterpart),
    ...others.map((one) => sql`not (${own.walletId} = ${one.walletId} and ${network} = ${one.network})`),
  );
}
