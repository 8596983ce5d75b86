import { followedUntil } from "@/lib/db/provider-silence";
import { and, asc, desc, eq, getTableColumns, inArray, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { NETWORKS } from "@/lib/contract/crypto";
import { storeNow, within } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { rejectionsOf } from "@/lib/approvals/visible";
import { approval } from "@/lib/db/tables/approvals";
import { intentClaim } from "@/lib/db/tables/intent-claim";
import { providerIntent } from "@/lib/db/tables/provider";
import { staff } from "@/lib/db/tables/staff";
import { cryptoOrder, hashKey, wallet, walletLabel } from "@/lib/db/tables/wallets";
import type { Actor } from "@/lib/permission/grant";
import { ofIntent } from "@/lib/provider/intents/intent-record";
import { toldOf } from "@/lib/provider/intents/told";
import type { Told } from "@/lib/errors/result";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isUuid } from "@/lib/text/decode";
import { PAGE_SIZE } from "@/lib/text/page";
import { shortAddress } from "@/lib/text/short";
import { spanOf } from "@/lib/text/period";
import { publicLink } from "./explorer";
import { readCounterparties } from "./history-list";
import { SendFilter } from "./inputs";
import { destinationHashes, openedOrder } from "./sent-order";
import {
  type SendList,
  type SendParty,
  type SendRow,
  type SendState,
  type SendSum,
  type SendSums,
  type SendView,
  STATES_OF_VIEW,
} from "./sends-view";

type Reader = Pick<Actor, "tenant" | "id">;

const ofApproval = and(eq(approval.tenant, cryptoOrder.tenant), eq(approval.intentId, cryptoOrder.intentId));
const ofClaim = and(eq(intentClaim.tenant, cryptoOrder.tenant), eq(intentClaim.id, cryptoOrder.intentId));

const inStates = (states: readonly SendState[]) => inArray(cryptoOrder.state, [...states]);

function named(text: string): SQL | undefined {
  const isOfHash = eq(hashKey(cryptoOrder.txHash), text.toLowerCase().replace(/^0x/, ""));
  const isOfId = isUuid(text) ? eq(cryptoOrder.intentId, text) : undefined;
  return or(inArray(cryptoOrder.destinationHash, destinationHashes(text)), isOfHash, isOfId);
}

function orderedBy(staffId: string): SQL {
  const isTheirs = and(ofClaim, eq(intentClaim.actor, staffId));
  return sql`exists (select from ${intentClaim} where ${isTheirs})`;
}

function narrowing({ tenant, id }: Reader, filter: SendFilter): SQL | undefined {
  const { state, who, wallet: walletId, network, asset, search } = filter;
  const { orderedAt } = cryptoOrder;
  return and(
    eq(cryptoOrder.tenant, tenant),
    within(orderedAt, spanOf(filter)),
    who === undefined ? undefined : orderedBy(who === "me" ? id : who),
    walletId === undefined ? undefined : eq(cryptoOrder.walletId, walletId),
    network && eq(cryptoOrder.network, network),
    asset === undefined ? undefined : eq(sql`lower(${cryptoOrder.asset})`, asset.toLowerCase()),
    search === undefined ? undefined : named(search),
    state && inStates([state]),
  );
}

const inView = (view: SendView) => (view === "all" ? undefined : inStates(STATES_OF_VIEW[view]));

const cursorOf = ({ at, id }: { at: Date; id: string }) => `${at.getTime()}-${id}`;

function atCursor(cursor: string, direction: "older" | "newer"): SQL {
  const dash = cursor.indexOf("-");
  const at = new Date(Number(cursor.slice(0, dash))).toISOString();
  const position = sql`(${at}::timestamptz, ${cursor.slice(dash + 1)}::uuid)`;
  const row = sql`(${cryptoOrder.orderedAt}, ${cryptoOrder.intentId})`;
  return direction === "older" ? sql`${row} < ${position}` : sql`${row} > ${position}`;
}

const SHOWN = {
  id: cryptoOrder.intentId,
  at: cryptoOrder.orderedAt,
  state: cryptoOrder.state,
  orderSealed: cryptoOrder.orderSealed,
  walletId: sql<string>`coalesce(${cryptoOrder.walletId}, '')`,
  token: cryptoOrder.token,
  txHash: cryptoOrder.txHash,
  actor: intentClaim.actor,
  byName: staff.name,
  proposal: approval.state,
  endedBy: providerIntent.endedBy,
};

type Stored = Awaited<ReturnType<typeof selectSends>>[number];

const selectSends = (store: Db, where: SQL | undefined, { isUpwards = false, limit = PAGE_SIZE } = {}) => {
  const order = isUpwards ? asc : desc;
  return store
    .select(SHOWN)
    .from(cryptoOrder)
    .innerJoin(intentClaim, ofClaim)
    .leftJoin(staff, eq(sql`${staff.id}::text`, intentClaim.actor))
    .leftJoin(approval, ofApproval)
    .leftJoin(providerIntent, ofIntent(cryptoOrder))
    .where(where)
    .orderBy(order(cryptoOrder.orderedAt), order(cryptoOrder.intentId))
    .limit(limit);
};

function causeOf({ state, proposal, endedBy }: Stored): SendRow["cause"] {
  if (state !== "NOT_SENT") return null;
  if (endedBy !== null) return "said";
  if (proposal === "WITHDRAWN") return "withdrawn";
  return proposal === "EXPIRED" ? "expired" : "stopped";
}

async function readPayers(store: Db, tenant: string, ids: readonly string[]): Promise<Map<string, SendParty>> {
  if (ids.length === 0) return new Map();
  const rows = await store
    .select({ id: wallet.id, address: wallet.address, label: walletLabel.label, use: walletLabel.use })
    .from(wallet)
    .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
    .where(and(eq(wallet.tenant, tenant), inArray(wallet.id, [...new Set(ids)])));
  return new Map(rows.map(({ id, ...one }) => [id, { ...one, walletId: id }]));
}

async function toRows(store: Db, reader: Reader, stored: readonly Stored[]): Promise<SendRow[]> {
  const { tenant } = reader;
  const orders = stored.map(({ id, orderSealed }) => openedOrder({ tenant, intentId: id }, orderSealed));
  const walletIds = stored.map(({ walletId }) => walletId);
  const payers = await readPayers(store, tenant, walletIds);
  const destinations = orders.flatMap((order) => order?.to ?? []);
  const known = await readCounterparties(store, tenant, destinations);
  const partyAt = (address: string): SendParty => {
    const { walletId = null, label = null, use = null } = known.get(address.toLowerCase()) ?? {};
    return { address, walletId, label, use };
  };
  return stored.map((one, index): SendRow => {
    const order = orders[index] ?? null;
    const { id, state, walletId, token, txHash, actor, byName, at } = one;
    const link = order === null || txHash === null ? null : publicLink(tenant, order.network, txHash);
    return {
      id,
      state,
      cause: causeOf(one),
      from: payers.get(walletId) ?? { address: walletId, walletId: null, label: null, use: null },
      order,
      token,
      to: order === null ? null : partyAt(order.to),
      byName: byName ?? "",
      isMine: actor === reader.id,
      at: at.toISOString(),
      hash: txHash === null ? null : { txHash, link },
    };
  });
}

type Window = Pick<SendList, "older" | "newer"> & { stored: Stored[] };

/** Keyset paging: the last page costs what the first one does. */
async function readWindow(store: Db, reader: Reader, filter: SendFilter): Promise<Window> {
  const { before, after, view } = filter;
  const isUpwards = after !== undefined;
  const downwards = before === undefined ? undefined : atCursor(before, "older");
  const edge = isUpwards ? atCursor(after, "newer") : downwards;
  const where = and(narrowing(reader, filter), inView(view), edge);
  const found = await selectSends(store, where, { isUpwards, limit: PAGE_SIZE + 1 });
  const hasMore = found.length > PAGE_SIZE;
  // Less than a page is left above: show the newest page whole.
  if (isUpwards && !hasMore) return readWindow(store, reader, { ...filter, after: undefined, before: undefined });
  const page = found.slice(0, PAGE_SIZE);
  const stored = isUpwards ? page.toReversed() : page;
  const first = stored[0];
  const last = stored.at(-1);
  return {
    stored,
    older: last !== undefined && (isUpwards || hasMore) ? cursorOf(last) : null,
    newer: first !== undefined && (isUpwards || before !== undefined) ? cursorOf(first) : null,
  };
}

type Counted = Awaited<ReturnType<typeof countSends>>[number];

const countSends = (store: Db, reader: Reader, filter: SendFilter) => {
  const { state, network, asset, token, value } = cryptoOrder;
  return store
    .select({
      state,
      network,
      asset,
      token,
      sum: sql<string>`coalesce(sum(${value}), 0)::text`,
      n: sql<number>`count(*)`.mapWith(Number),
      unread: sql<number>`count(*) filter (where ${value} is null)`.mapWith(Number),
    })
    .from(cryptoOrder)
    .where(narrowing(reader, filter))
    .groupBy(state, network, asset, token);
};

const isIn = (view: SendView, state: SendState): boolean =>
  view === "all" || STATES_OF_VIEW[view].some((one) => one === state);

const PARTS = ["done", "open", "apart"] as const;
type Part = (typeof PARTS)[number];

/** What waits may still leave. */
function partOf(state: SendState): Part {
  if (state === "WAITING") return "open";
  return PARTS.find((part) => isIn(part, state)) ?? "open";
}

const placeOf = ({ network }: SendSum) => NETWORKS.indexOf(network);

function sumsOf(counted: readonly Counted[]): SendSums {
  const sums: SendSums = { rows: [], apart: 0, unread: 0 };
  const byAsset = new Map<string, SendSum>();
  for (const { state, network, asset, token, sum, n, unread } of counted) {
    sums.unread += unread;
    const part = partOf(state);
    if (part === "apart") sums.apart += n;
    if (network === null || asset === null) continue;
    const key = JSON.stringify([network, asset, token]);
    const one = byAsset.get(key) ?? { network, asset, token, done: "0.00", open: "0.00", apart: "0.00" };
    byAsset.set(key, { ...one, [part]: decimalOf(unitsOf(one[part]) + unitsOf(sum)) });
  }
  sums.rows = [...byAsset.values()].toSorted(
    (one, other) => one.asset.localeCompare(other.asset) || placeOf(one) - placeOf(other),
  );
  return sums;
}

const MAX_CHOICES = 500;

const Coins = z.object({ rows: z.array(z.object({ network: z.enum(NETWORKS), asset: z.string() })) });

/** Each coin of a network once, by the index. */
async function readCoins(store: Db, tenant: string) {
  const { network, asset } = cryptoOrder;
  const next = (beyond: SQL) => sql`(select ${network} as network, ${asset} as asset from ${cryptoOrder}
    where ${cryptoOrder.tenant} = ${tenant} and ${network} is not null and ${asset} is not null ${beyond} order by ${network}, ${asset} limit 1)`;
  const found = await store.execute(sql`
    with recursive coins as (
      ${next(sql``)}
      union all
      select later.network, later.asset from coins cross join lateral
        ${next(sql`and (${network}, ${asset}) > (coins.network, coins.asset)`)} as later
    ) select network, asset from coins limit ${MAX_CHOICES}`);
  return Coins.parse(found).rows;
}

/** Everybody who ordered coins at the tenant. */
export function sendersOf(store: Db, tenant: string) {
  const makers = store
    .select({ id: intentClaim.actor })
    .from(cryptoOrder)
    .innerJoin(intentClaim, ofClaim)
    .where(eq(cryptoOrder.tenant, tenant));
  return store
    .select({ id: staff.id, name: staff.name })
    .from(staff)
    .where(inArray(sql`${staff.id}::text`, makers))
    .orderBy(staff.name)
    .limit(MAX_CHOICES);
}

type Choices = Pick<SendList, "people" | "wallets" | "networks" | "assets">;

/** Whom anything was sent by, and what it was sent from, on and of. */
async function readChoices(store: Db, tenant: string): Promise<Choices> {
  const isSent = sql`exists (select from ${cryptoOrder}
    where ${cryptoOrder.tenant} = ${tenant} and ${cryptoOrder.walletId} = ${wallet.id})`;
  const [people, payers, told] = await Promise.all([
    sendersOf(store, tenant),
    store
      .select({ id: wallet.id, address: wallet.address, label: walletLabel.label })
      .from(wallet)
      .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
      .where(and(eq(wallet.tenant, tenant), isSent))
      .limit(MAX_CHOICES),
    readCoins(store, tenant),
  ]);
  return {
    people,
    wallets: payers
      .map(({ id, address, label }) => ({ id, name: label ?? shortAddress(address) }))
      .toSorted((one, other) => one.name.localeCompare(other.name)),
    networks: NETWORKS.filter((one) => told.some((row) => row.network === one)),
    assets: [...new Set(told.map(({ asset }) => asset))].toSorted((one, other) => one.localeCompare(other)),
  };
}

/** Newest first, twenty-five a page. */
export async function readSends(reader: Reader, given: Partial<SendFilter> = {}): Promise<SendList> {
  const filter = SendFilter.parse(given);
  const store = await db();
  const { tenant } = reader;
  const [now, window, counted, choices] = await Promise.all([
    storeNow(store),
    readWindow(store, reader, filter),
    countSends(store, reader, filter),
    readChoices(store, tenant),
  ]);
  const { stored, ...edges } = window;
  const countOf = (view: SendView) =>
    counted.filter(({ state }) => isIn(view, state)).reduce((all, { n }) => all + n, 0);
  return {
    rows: await toRows(store, reader, stored),
    ...edges,
    counts: {
      all: countOf("all"),
      waiting: countOf("waiting"),
      open: countOf("open"),
      done: countOf("done"),
      apart: countOf("apart"),
    },
    sums: sumsOf(counted.filter(({ state }) => isIn(filter.view, state))),
    ...choices,
    asOf: await followedUntil(store, tenant, now),
    isStale: false,
    failure: null,
  };
}

/** Of a list that has others beside them: their ids and when they were ordered. */
export const sendIds = (store: Db, reader: Reader, filter: SendFilter) =>
  store
    .select({ id: cryptoOrder.intentId, at: cryptoOrder.orderedAt, isCoins: sql<boolean>`true`.as("is_coins") })
    .from(cryptoOrder)
    .innerJoin(intentClaim, ofClaim)
    .where(and(narrowing(reader, filter), inView(filter.view)));

export const sendsOf = async (store: Db, reader: Reader, ids: readonly string[]): Promise<SendRow[]> => {
  const isOne = and(eq(cryptoOrder.tenant, reader.tenant), inArray(cryptoOrder.intentId, [...ids]));
  return ids.length === 0 ? [] : toRows(store, reader, await selectSends(store, isOne));
};

/** As `readSends` sums, of the same filter. */
export async function readSendSums(store: Db, reader: Reader, filter: SendFilter): Promise<SendSums> {
  const counted = await countSends(store, reader, filter);
  return sumsOf(counted.filter(({ state }) => isIn(filter.view, state)));
}

const BATCH_ROWS = 200;

async function readTold(store: Db, tenant: string, rows: readonly SendRow[]): Promise<ReadonlyMap<string, Told>> {
  const ids = rows.flatMap(({ id, state }) => (state === "REFUSED" || state === "BLOCKED" ? [id] : []));
  if (ids.length === 0) return new Map();
  const isIt = and(eq(providerIntent.tenant, tenant), inArray(providerIntent.id, ids));
  const intents = await store.select().from(providerIntent).where(isIt);
  return new Map(
    intents.flatMap((intent) => {
      const told = toldOf(intent);
      return told === null ? [] : [[intent.id, told] as const];
    }),
  );
}

/** `told`: why the provider, or a check, refused it; `rejection`: why a second person did. */
export type FiledSend = { row: SendRow; told: Told | null; rejection: string | null };

/** All that the filter fits, newest first, some at a time. */
export async function* sendBatches(
  store: Db,
  reader: Pick<Actor, "tenant" | "id" | "roles">,
  filter: SendFilter,
): AsyncGenerator<FiledSend[]> {
  const fits = and(narrowing(reader, filter), inView(filter.view));
  let after: SQL | undefined;
  for (;;) {
    const found = await selectSends(store, and(fits, after), { limit: BATCH_ROWS });
    const last = found.at(-1);
    if (last === undefined) return;
    const rows = await toRows(store, reader, found);
    const told = await readTold(store, reader.tenant, rows);
    const rejected = rows.flatMap(({ id, state }) => (state === "REJECTED" ? [id] : []));
    const rejections = await rejectionsOf(store, reader, rejected);
    yield rows.map((row) => ({ row, told: told.get(row.id) ?? null, rejection: rejections.get(row.id) ?? null }));
    after = atCursor(cursorOf(last), "older");
  }
}

/** One send with what is kept of it; null when the tenant has none of this intent. */
export async function findSend(store: Db, reader: Reader, id: string) {
  const isIt = and(eq(cryptoOrder.tenant, reader.tenant), eq(cryptoOrder.intentId, id));
  const [row] = await toRows(store, reader, await selectSends(store, isIt, { limit: 1 }));
  const [kept] = await store
    .select({ order: getTableColumns(cryptoOrder), intent: providerIntent, proposal: approval })
    .from(cryptoOrder)
    .leftJoin(approval, ofApproval)
    .leftJoin(providerIntent, ofIntent(cryptoOrder))
    .where(isIt);
  return row === undefined || kept === undefined ? null : { row, ...kept };
}
