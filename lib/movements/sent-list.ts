import { and, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { storeNow, within } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { followedUntil } from "@/lib/db/provider-silence";
import type { Actor } from "@/lib/permission/grant";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { spanOf } from "@/lib/text/period";
import { orderersOf, transferBatches } from "@/lib/transfers/queries";
import { TransferFilter } from "@/lib/transfers/inputs";
import { orderedIn, readAll } from "@/lib/transfers/records";
import { SendFilter } from "@/lib/wallets/inputs";
import { readSendSums, sendBatches, sendersOf, sendIds, sendsOf } from "@/lib/wallets/queries";
import { SentFilter } from "./inputs";
import { mayWallets } from "./records";
import { SENT_STAGES, type SentList, type SentRow, type SentStage, type SentSums, TRANSFERS_AT } from "./sent-view";

type Reader = Actor<"transfers:read"> | Actor<"statement:export">;
type OrderedIn = ReturnType<typeof orderedIn>;

const hasReais = ({ kind }: SentFilter) => kind !== "COINS";
const hasCoins = (reader: Reader, { kind, stage }: SentFilter) =>
  mayWallets(reader) && (kind === undefined || kind === "COINS") && stage !== "returned";

const sendFilter = ({ stage, who, period, from, to }: SentFilter): SendFilter =>
  SendFilter.parse({ view: stage ?? "all", who, period, from, to });

function narrowing(ordered: OrderedIn, reader: Reader, filter: SentFilter): SQL | undefined {
  const { kind, stage, who } = filter;
  return and(
    kind === undefined || kind === "COINS" ? undefined : eq(ordered.kind, kind),
    stage === undefined ? undefined : inArray(ordered.state, [...TRANSFERS_AT[stage]]),
    who === undefined ? undefined : eq(ordered.staffId, who === "me" ? reader.id : who),
    within(ordered.at, spanOf(filter)),
  );
}

const stageOf = (state: string): SentStage =>
  SENT_STAGES.find((stage) => TRANSFERS_AT[stage].some((one) => one === state)) ?? "open";

type Summed = { sums: SentSums; total: number };

async function sumReais(store: Db, reader: Reader, filter: SentFilter): Promise<Summed> {
  const ordered = orderedIn(store, reader.tenant);
  const counted = await store
    .select({
      state: sql<string>`${ordered.state}`,
      n: count(),
      sum: sql<string>`coalesce(sum(${ordered.amount}::numeric), 0)::text`,
      unread: sql<number>`(count(*) filter (where ${ordered.amount} is null))::int`,
    })
    .from(ordered)
    .where(narrowing(ordered, reader, filter))
    .groupBy(ordered.state);
  const at = (...stages: SentStage[]) => counted.filter(({ state }) => stages.includes(stageOf(state)));
  const sumOf = (...stages: SentStage[]) =>
    decimalOf(at(...stages).reduce((units, { sum }) => units + unitsOf(sum), 0n));
  const total = counted.reduce((all, { n }) => all + n, 0);
  const row = { done: sumOf("done"), open: sumOf("waiting", "open"), returned: sumOf("returned") };
  return {
    total,
    sums: {
      rows: total === 0 ? [] : [row],
      apart: at("apart").reduce((all, { n }) => all + n, 0),
      unread: counted.reduce((all, { unread }) => all + unread, 0),
    },
  };
}

const NOTHING: SentSums = { rows: [], apart: 0, unread: 0 };

async function sumCoins(store: Db, reader: Reader, filter: SentFilter): Promise<SentSums> {
  const { rows, apart, unread } = await readSendSums(store, reader, sendFilter(filter));
  return {
    rows: rows.map(({ network, asset, token, done, open }) => ({
      done,
      open,
      returned: "0.00",
      coin: { network, asset, token },
    })),
    apart,
    unread,
  };
}

export async function sumSent(store: Db, reader: Reader, filter: SentFilter): Promise<SentSums> {
  const reais = hasReais(filter) ? (await sumReais(store, reader, filter)).sums : NOTHING;
  const coins = hasCoins(reader, filter) ? await sumCoins(store, reader, filter) : NOTHING;
  return {
    rows: [...reais.rows, ...coins.rows],
    apart: reais.apart + coins.apart,
    unread: reais.unread + coins.unread,
  };
}

function idsOf(store: Db, reader: Reader, filter: SentFilter) {
  const ordered = orderedIn(store, reader.tenant);
  const isReais = and(narrowing(ordered, reader, filter), hasReais(filter) ? undefined : sql`false`);
  const reais = store
    .select({ id: ordered.id, at: ordered.at, isCoins: sql<boolean>`false`.as("is_coins") })
    .from(ordered)
    .where(isReais);
  const coins = sendIds(store, reader, sendFilter(filter));
  return hasCoins(reader, filter) ? unionAll(reais, coins).as("sent") : reais.as("sent");
}

/** Transfers in reais and, for who may see them, of coins in one list, newest first. */
export async function readSent(reader: Actor<"transfers:read">, given: Record<string, unknown>): Promise<SentList> {
  const filter = SentFilter.parse(given);
  const store = await db();
  const { tenant } = reader;
  const sent = idsOf(store, reader, filter);
  const [[counted], now, orderers, senders, sums] = await Promise.all([
    store.select({ n: count() }).from(sent),
    storeNow(store),
    orderersOf(store, tenant),
    mayWallets(reader) ? sendersOf(store, tenant) : [],
    sumSent(store, reader, filter),
  ]);
  const total = counted?.n ?? 0;
  const { page, totalPages, offset } = pageWindow(filter.page, total);
  const found = await store
    .select()
    .from(sent)
    .orderBy(sql`${sent.at} desc`, sent.id)
    .limit(PAGE_SIZE)
    .offset(offset);
  const ids = (isCoins: boolean) => found.flatMap((one) => (one.isCoins === isCoins ? [one.id] : []));
  const ordered = orderedIn(store, tenant);
  const reais = ids(false);
  const transfers = reais.length === 0 ? [] : await store.select().from(ordered).where(inArray(ordered.id, reais));
  const rows = new Map<string, SentRow>([
    ...(await readAll(store, reader, transfers)).map(({ row }) => [row.id, { kind: "reais", row }] as const),
    ...(await sendsOf(store, reader, ids(true))).map((row) => [row.id, { kind: "coins", row }] as const),
  ]);
  const people = new Map([...orderers, ...senders].map((one) => [one.id, one]));
  return {
    rows: found.flatMap(({ id }) => rows.get(id) ?? []),
    page,
    totalPages,
    total,
    sums,
    people: [...people.values()].toSorted((one, other) => one.name.localeCompare(other.name)),
    hasCoins: mayWallets(reader),
    asOf: await followedUntil(store, tenant, now),
    isStale: false,
    failure: null,
  };
}

async function* reaisOf(store: Db, reader: Reader, filter: SentFilter): AsyncGenerator<SentRow> {
  const { kind, stage, who, period, from, to } = filter;
  if (!hasReais(filter)) return;
  const asked = TransferFilter.parse({ kind, who, period, from, to });
  for await (const batch of transferBatches(store, reader, asked))
    for (const { row } of batch) if (stage === undefined || stageOf(row.state) === stage) yield { kind: "reais", row };
}

async function* coinsOf(store: Db, reader: Reader, filter: SentFilter): AsyncGenerator<SentRow> {
  if (!hasCoins(reader, filter)) return;
  for await (const batch of sendBatches(store, reader, sendFilter(filter)))
    for (const { row } of batch) yield { kind: "coins", row };
}

export async function* sentRows(store: Db, reader: Reader, filter: SentFilter): AsyncGenerator<SentRow> {
  const reais = reaisOf(store, reader, filter);
  const coins = coinsOf(store, reader, filter);
  let [one, other] = [await reais.next(), await coins.next()];
  while (one.done !== true || other.done !== true) {
    if (other.done === true || (one.done !== true && one.value.row.at >= other.value.row.at)) {
      if (one.done !== true) yield one.value;
      one = await reais.next();
    } else {
      yield other.value;
      other = await coins.next();
    }
  }
}
