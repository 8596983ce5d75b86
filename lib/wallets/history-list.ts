import { and, count, desc, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { getLocale, getTranslations } from "next-intl/server";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import type { Network } from "@/lib/contract/crypto";
import { isStorable } from "@/lib/contract/shared";
import type { Download } from "@/lib/query";
import { within } from "@/lib/db/clock";
import { type Db, db } from "@/lib/db/connection";
import { type CsvColumn, csvDecimal, csvLine, csvName, csvSecond, csvTable } from "@/lib/text/csv";
import { formatDate, isDecimal, type Locale } from "@/lib/text/format";
import { hrefWith, PAGE_SIZE, pageWindow } from "@/lib/text/page";
import { minutesOf } from "@/lib/text/period";
import { providerText } from "@/lib/text/provider-word";
import { refreshHistory } from "./history";
import { toBalances, unreadOf } from "./holdings";
import { reckonHistory } from "./reckon-history";
import { hasTime } from "./chain-state";
import { posesOf } from "./look-alikes";
import {
  movementState,
  networksWithoutTokens,
  type StoredMovement,
  storedMovements,
  readTroubleOf,
  type WalletNetwork,
} from "./records";
import { HistoryFilter, networksOf } from "./inputs";
import { chainMovement, chainReading, wallet, walletBalance, walletLabel } from "@/lib/db/tables/wallets";
import { publicLink } from "./explorer";
import { type ChainMovement, movementDirection, movedAsset, useOf, type WalletHistory } from "./view";

const MINUTE_MS = 60_000;

type Where = { tenant: string; walletId: string; filter: HistoryFilter };

const isNamed = (search: string) =>
  or(
    sql`strpos(lower(${chainMovement.hash}), ${search.replace(/^0x/, "")}) > 0`,
    sql`strpos(lower(${chainMovement.counterAddress}), ${search}) > 0`,
  );

function whereMovement({ tenant, walletId, filter }: Where): SQL | undefined {
  const { search, network } = filter;
  return and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletId),
    network === undefined ? undefined : eq(chainMovement.network, network),
    search === undefined ? undefined : isNamed(search.toLowerCase()),
    within(chainMovement.at, minutesOf(filter)),
  );
}

/** Wallets of ours that these addresses are, with what finance says of them. */
export async function readCounterparties(store: Db, tenant: string, addresses: readonly string[]) {
  const lower = [...new Set(addresses.map((address) => address.toLowerCase()))];
  if (lower.length === 0) return new Map<string, ChainMovement["counterparty"]>();
  const rows = await store
    .select({ wallet, label: walletLabel.label, use: walletLabel.use })
    .from(wallet)
    .leftJoin(walletLabel, and(eq(walletLabel.tenant, wallet.tenant), eq(walletLabel.walletId, wallet.id)))
    .where(and(eq(wallet.tenant, tenant), inArray(sql`lower(${wallet.address})`, lower)))
    .orderBy(wallet.createdAt);
  return new Map(
    rows.map(({ wallet: { id, address, isForwardPayment, userId }, label, use }) => [
      address.toLowerCase(),
      { address, walletId: id, label, use: useOf({ use, isForwardPayment, userId }), poses: null },
    ]),
  );
}

type NamingContext = { tenant: string; withoutTokens: ReadonlySet<Network> };

async function toMovements(
  store: Db,
  { tenant, withoutTokens }: NamingContext,
  rows: readonly StoredMovement[],
): Promise<ChainMovement[]> {
  const known = await readCounterparties(
    store,
    tenant,
    rows.map(({ counterAddress }) => counterAddress),
  );
  const poses = await posesOf(store, tenant, rows);
  const stranger = (address: string) => ({ walletId: null, label: null, use: null, poses: poses.get(address) ?? null });
  return rows.map(({ network, key, ordinal, hash, subtype, counterAddress, at, ...row }) => ({
    id: `${network} ${key} ${ordinal}`,
    state: movementState({ at, ...row }),
    status: row.status,
    network,
    hash,
    subtype,
    direction: movementDirection(subtype),
    amount: row.amount,
    ...movedAsset({ network, ...row }, withoutTokens.has(network)),
    tokenAddress: row.tokenAddress,
    counterparty: {
      ...(known.get(counterAddress.toLowerCase()) ?? stranger(counterAddress)),
      address: counterAddress,
    },
    blockNumber: row.blockNumber,
    at: at.toISOString(),
    toldFee: row.toldFee,
    derivedFee: row.derivedFee,
    explorer: publicLink(tenant, network, hash),
  }));
}

async function findNetworks(store: Db, tenant: string, walletId: string): Promise<WalletNetwork[] | null> {
  if (!isStorable(walletId)) return null;
  const isIt = and(eq(wallet.tenant, tenant), eq(wallet.id, walletId));
  const [row] = await store.select({ address: wallet.address, family: wallet.family }).from(wallet).where(isIt);
  if (row === undefined) return null;
  return networksOf(row.family).map((network) => ({ walletId, address: row.address, network }));
}

/** Read again when opened, at most once a minute; null without this id. */
export async function readWalletHistory(
  actor: Actor<"wallets:read">,
  walletId: string,
  given: Partial<HistoryFilter> = {},
): Promise<WalletHistory | null> {
  const { tenant } = actor;
  const filter = HistoryFilter.parse(given);
  const store = await db();
  const networks = await findNetworks(store, tenant, walletId);
  if (networks === null) return null;
  const isIt = and(
    eq(chainReading.tenant, tenant),
    eq(chainReading.walletId, walletId),
    eq(chainReading.tokenAddress, ""),
  );
  const readReadings = () => store.select().from(chainReading).where(isIt);
  const before = await readReadings();
  const reads = await Promise.allSettled(
    networks.map(async (one) => {
      const triedAt = before.find(({ network }) => network === one.network)?.triedAt ?? null;
      if (triedAt === null || Date.now() - triedAt.getTime() >= MINUTE_MS) await refreshHistory(actor, one);
    }),
  );
  const readings = await readReadings();
  const where = whereMovement({ tenant, walletId, filter });
  const [counted] = await store.select({ n: count() }).from(chainMovement).where(where);
  const total = counted?.n ?? 0;
  const { page, totalPages, offset } = pageWindow(filter.page, total);
  const rows = await store
    .select()
    .from(chainMovement)
    .where(where)
    .orderBy(desc(chainMovement.at), chainMovement.network, chainMovement.key, chainMovement.ordinal)
    .limit(PAGE_SIZE)
    .offset(offset);
  const withoutTokens = await networksWithoutTokens(store, tenant, walletId);
  const gaps = await readGaps(store, { tenant, walletId }, { readings, withoutTokens });
  return {
    rows: await toMovements(store, { tenant, withoutTokens }, rows),
    page,
    totalPages,
    total,
    readings: networks.map(({ network }, at) => {
      const reading = readings.find((one) => one.network === network);
      return {
        network,
        asOf: reading?.asOf?.toISOString() ?? null,
        isWhole: reading?.isWhole ?? false,
        unread: reading?.unread ?? 0,
        trouble: readTroubleOf(reads[at]),
        gaps: gaps.get(network) ?? null,
      };
    }),
  };
}

const MOST_RECKONED = 2_000;

type Readings = readonly (typeof chainReading.$inferSelect)[];

async function readGaps(
  store: Db,
  { tenant, walletId }: Omit<Where, "filter">,
  { readings, withoutTokens }: { readings: Readings; withoutTokens: ReadonlySet<Network> },
): Promise<Map<Network, NonNullable<WalletHistory["readings"][number]["gaps"]>>> {
  const balances = await store
    .select()
    .from(walletBalance)
    .where(and(eq(walletBalance.tenant, tenant), eq(walletBalance.walletId, walletId)));
  const told = balances.flatMap(({ network, asOf, entries }) => {
    const reading = readings.find((one) => one.network === network);
    const isAfter = asOf !== null && reading?.asOf != null && reading.asOf >= asOf;
    if (!isAfter || !reading.isWhole || reading.unread > 0 || unreadOf(entries).length > 0) return [];
    return [{ network, balancesAt: asOf, balances: toBalances(tenant, network, entries) }];
  });
  if (told.length === 0) return new Map();
  const isIts = and(
    eq(chainMovement.tenant, tenant),
    eq(chainMovement.walletId, walletId),
    isNull(chainMovement.droppedAt),
  );
  const rows = await store
    .select()
    .from(chainMovement)
    .where(isIts)
    .limit(MOST_RECKONED + 1);
  if (rows.length > MOST_RECKONED) return new Map();
  return new Map(
    told.flatMap(({ network, ...one }) => {
      const moved = rows.filter((row) => row.network === network);
      const of = reckonHistory(moved, { network, ...one, hasNoToken: withoutTokens.has(network) });
      return of.length === 0 ? [] : [[network, { at: one.balancesAt.toISOString(), of }] as const];
    }),
  );
}

type CsvWords = { say: Awaited<ReturnType<typeof getTranslations<"wallets">>>; locale: Locale };

const decimalIn = (text: string, { locale }: CsvWords) =>
  isDecimal(text) ? csvDecimal(text, locale) : providerText(text);

const COLUMNS = [
  {
    name: "at",
    csv: ({ at, state }, { locale }) => (state === "unconfirmed" || state === "undated" ? null : csvSecond(at, locale)),
  },
  { name: "network", csv: ({ network }) => network },
  {
    name: "direction",
    csv: ({ direction, subtype }, { say }) =>
      direction === null ? providerText(subtype) : say(`history.directions.${direction}`),
  },
  { name: "amount", csv: ({ amount }, words) => decimalIn(amount, words) },
  {
    name: "asset",
    csv: ({ tokenAddress, asset, basis }, { say }) => {
      if (basis === "untold") return say("history.assetUnreported");
      if (basis === "likely") return say("history.assetLikely", { asset: asset ?? "" });
      return providerText(asset ?? tokenAddress ?? "");
    },
  },
  { name: "token", csv: ({ tokenAddress }) => providerText(tokenAddress ?? "") },
  { name: "counterparty", csv: ({ counterparty }) => providerText(counterparty.address) },
  { name: "label", csv: ({ counterparty }) => counterparty.label ?? "" },
  { name: "block", csv: ({ blockNumber }) => blockNumber },
  { name: "hash", csv: ({ hash }) => providerText(hash) },
  {
    name: "derivedFee",
    csv: ({ derivedFee }, words) => (derivedFee === null ? null : decimalIn(derivedFee, words)),
  },
  { name: "toldFee", csv: ({ toldFee }, words) => (toldFee === null ? null : decimalIn(toldFee, words)) },
  { name: "state", csv: ({ state }, { say }) => say(`history.states.${state}`) },
  { name: "note", csv: () => null },
] as const satisfies readonly CsvColumn<ChainMovement, CsvWords>[];

const noteLine = (note: string, locale: Locale): string =>
  csvLine(
    COLUMNS.map(({ name }) => (name === "note" ? note : null)),
    locale,
  );

function droppedNote(row: StoredMovement, words: CsvWords): string {
  const { at, hash, amount, asset, tokenAddress } = row;
  const moved = `${decimalIn(amount, words)} ${providerText(asset ?? tokenAddress ?? "")}`.trim();
  const day = hasTime(row) ? formatDate(at.toISOString(), words.locale) : "";
  const what = [moved, providerText(hash), day].filter((text) => text !== "").join(" · ");
  return words.say("history.csv.dropped", { what });
}

/** Oldest first; the last lines list dropped movements and unfinished histories. */
async function* linesOf(store: Db, where: Where, { say, locale }: CsvWords): AsyncGenerator<string> {
  const { head, line } = csvTable(COLUMNS, { say, locale }, (name) => say(`history.csv.${name}`));
  yield head;
  const withoutTokens = await networksWithoutTokens(store, where.tenant, where.walletId);
  for await (const rows of storedMovements(store, and(whereMovement(where), isNull(chainMovement.droppedAt)))) {
    const movements = await toMovements(store, { tenant: where.tenant, withoutTokens }, rows);
    yield movements.map(line).join("");
  }
  for await (const rows of storedMovements(store, and(whereMovement(where), isNotNull(chainMovement.droppedAt))))
    yield rows.map((row) => noteLine(droppedNote(row, { say, locale }), locale)).join("");
  const networks = (await findNetworks(store, where.tenant, where.walletId)) ?? [];
  const isIt = and(
    eq(chainReading.tenant, where.tenant),
    eq(chainReading.walletId, where.walletId),
    eq(chainReading.tokenAddress, ""),
    eq(chainReading.isWhole, true),
  );
  const whole = await store.select({ network: chainReading.network }).from(chainReading).where(isIt);
  const missing = networks.filter((one) => !whole.some((reading) => reading.network === one.network));
  for (const { network } of missing) yield noteLine(say("history.csv.partial", { network }), locale);
}

/** Audited before its first byte. */
export async function exportHistoryOf(
  actor: Actor<"wallets:read">,
  walletId: string,
  given: Partial<HistoryFilter> = {},
): Promise<Download> {
  const { page: _, ...filter } = HistoryFilter.parse(given);
  const { tenant, id } = actor;
  const [store, say, locale] = await Promise.all([db(), getTranslations("wallets"), getLocale()]);
  if ((await findNetworks(store, tenant, walletId)) === null) throw new AppError("not-found");
  const detail = { format: "csv", filter: hrefWith("", filter) };
  await record(store, {
    tenant,
    actor: id,
    code: "wallets.export",
    outcome: "DONE",
    object: `wallet:${walletId}`,
    detail,
  });
  return {
    fileName: csvName(say("history.csv.file"), locale),
    contentType: "text/csv; charset=utf-8",
    parts: linesOf(store, { tenant, walletId, filter: { ...filter, page: 1 } }, { say, locale }),
  };
}
