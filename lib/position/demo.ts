import { and, eq, inArray, lt, min } from "drizzle-orm";
import { z } from "zod";
import { entryPagesOf } from "@/lib/accounts/records";
import { StatementFilter } from "@/lib/accounts/inputs";
import type { Actor } from "@/lib/permission/grant";
import { provider } from "@/lib/provider/client";
import { getWalletHistory } from "@/lib/provider/operations";
import { accountDocument } from "@/lib/db/document";
import type { Db } from "@/lib/db/connection";
import { publish } from "@/lib/db/publish";
import { recall } from "@/lib/db/watch-state";
import { account } from "@/lib/db/tables/customers";
import { type Figure, isInReais } from "@/lib/db/enums/position";
import { positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { civilDay, civilDaysAgo, civilInstant } from "@/lib/text/time";
import { WALLETS_WATCH, WalletWalk } from "@/lib/wallets/inputs";
import { listPlaces, type WalletPlace } from "@/lib/wallets/records";
import { type SubjectReading, type Subject, sumReadings } from "./sum";
import { setRate } from "./rates";
import { distinctPlaces } from "./watch";

const DAYS = 60;
/** The demo's ledger is empty before. */
const LEDGER_DAYS = 366;
const PAGE_SIZE = 500;
const ROWS_AT_ONCE = 500;
const NOTHING_BLOCKED: Figure = { asset: "BRL", token: "", part: "blocked", amount: "0.00" };

type Change = { day: string; asset: string; token: string; units: bigint };
type Life = Subject & { isClosed: boolean; changes: Change[] };
type Treasurer = Actor<"wallets:read">;

async function accountLife(actor: Actor<"accounts:read">, row: typeof account.$inferSelect): Promise<Life> {
  const filter = StatementFilter.parse({ from: civilDaysAgo(LEDGER_DAYS), to: civilDaysAgo(1) });
  const asked = { accountId: row.accountId, documentNumber: accountDocument(row) };
  const changes: Change[] = [];
  for await (const entries of entryPagesOf(actor, { asked, object: `account:${row.ref}`, filter }))
    for (const { amount, date, direction } of entries) {
      const units = unitsOf(amount);
      const day = civilDay(new Date(date));
      changes.push({ day, asset: "BRL", token: "", units: direction === "DEBIT" ? -units : units });
    }
  const isClosed = row.standing === "CLOSED";
  return { subject: `account:${row.ref}`, network: "", kind: "account", isClosed, changes };
}

/** Fields of the demo's provider beyond the interface. */
const Told = z.looseObject({
  amount: z.string(),
  timestamp: z.number(),
  transactionSubtype: z.enum(["incoming", "outgoing"]),
  asset: z.string(),
  tokenAddress: z.string().default(""),
  fee: z.string().optional(),
});

async function readHistory(
  actor: Treasurer,
  { walletId, address, network }: WalletPlace,
): Promise<z.output<typeof Told>[]> {
  const told: z.output<typeof Told>[] = [];
  for (let page = 0; ; page += 1) {
    const query = { network, page, pageSize: PAGE_SIZE };
    const how = { params: { address }, query, object: `wallet:${walletId}` };
    const { data } = (await provider.get(actor, getWalletHistory, how)).answer;
    told.push(...data.map((entry) => Told.parse(entry)));
    if (data.length < PAGE_SIZE) return told;
  }
}

async function walletLife(actor: Treasurer, place: WalletPlace): Promise<Life> {
  const { walletId, network, use } = place;
  const told = await readHistory(actor, place);
  const coin = told.find(({ tokenAddress }) => tokenAddress === "")?.asset ?? "";
  const changes = told.flatMap(
    ({ amount, timestamp, transactionSubtype, asset, tokenAddress: token, fee }): Change[] => {
      const day = civilDay(new Date(timestamp));
      const units = transactionSubtype === "incoming" ? unitsOf(amount) : -unitsOf(amount);
      const paid = fee === undefined ? [] : [{ day, asset: coin, token: "", units: -unitsOf(fee) }];
      return [{ day, asset, token, units }, ...paid];
    },
  );
  return { subject: `wallet:${walletId}`, network, kind: use ?? "untold", isClosed: false, changes };
}

/** At each day's end, from the first change on; for a closed account until the last one. */
function readingsOf({ isClosed, changes, ...subject }: Life, days: readonly string[]): Map<string, SubjectReading> {
  const left = changes.toSorted((one, other) => one.day.localeCompare(other.day));
  const end = isClosed ? left.at(-1)?.day : days.at(-1);
  const held = new Map<string, Omit<Change, "day">>();
  const readings = new Map<string, SubjectReading>();
  for (const day of days) {
    while (left[0] !== undefined && left[0].day <= day) {
      const { asset, token, units } = left[0];
      const key = `${asset} ${token}`;
      held.set(key, { asset, token, units: units + (held.get(key)?.units ?? 0n) });
      left.shift();
    }
    if (held.size === 0 || end === undefined || day > end) continue;
    const available = [...held.values()].map(({ asset, token, units }): Figure => {
      return { asset, token, part: "available", amount: decimalOf(units) };
    });
    const figures = isInReais(subject.kind) ? [...available, NOTHING_BLOCKED] : available;
    readings.set(day, { ...subject, figures, readAt: civilInstant(`${day}T23:59:59`) });
  }
  return readings;
}

function dayOf(tenant: string, day: string, readings: readonly SubjectReading[]) {
  const at = civilInstant(`${day}T23:59:59`);
  const count = { total: readings.length, tried: readings.length, failed: 0 };
  return {
    round: { tenant, day, startedAt: at, finishedAt: at, ...count },
    readings: readings.map(({ figures, ...one }) => {
      return { tenant, day, ...one, figures: [...(figures ?? [])], attempts: 1, triedAt: at };
    }),
    sums: sumReadings(readings, []).map((sum) => ({ tenant, day, ...sum, oldestAt: at })),
  };
}

const inBatches = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, nth) =>
    rows.slice(nth * ROWS_AT_ONCE, (nth + 1) * ROWS_AT_ONCE),
  );

async function saveDays(store: Db, tenant: string, lives: readonly Life[]): Promise<void> {
  const days = Array.from({ length: DAYS }, (_, nth) => civilDaysAgo(DAYS - nth));
  const perLife = lives.map((life) => readingsOf(life, days));
  const past = days.map((day) =>
    dayOf(
      tenant,
      day,
      perLife.flatMap((one) => one.get(day) ?? []),
    ),
  );
  await store.transaction(async (tx) => {
    await tx.insert(positionRound).values(past.map(({ round }) => round));
    for (const rows of inBatches(past.flatMap(({ readings }) => readings)))
      await tx.insert(positionReading).values(rows);
    for (const rows of inBatches(past.flatMap(({ sums }) => sums))) await tx.insert(positionSum).values(rows);
    await publish(tx, { tenant, topic: "position" });
  });
}

/** True once the lists are read and no earlier day is stored. */
async function isDue(store: Db, tenant: string): Promise<boolean> {
  const { end } = WalletWalk.parse(await recall(store, { tenant, name: WALLETS_WATCH }));
  const seen = { at: min(account.firstSeenAt) };
  const [first] = await store.select(seen).from(account).where(eq(account.tenant, tenant));
  const at = first?.at ?? null;
  return end === "empty" && at !== null && civilDay(at) === civilDaysAgo(0);
}

async function hasPast(store: Db, tenant: string): Promise<boolean> {
  const isPast = and(eq(positionRound.tenant, tenant), lt(positionRound.day, civilDaysAgo(0)));
  const rows = await store.select({ day: positionRound.day }).from(positionRound).where(isPast).limit(1);
  return rows.length > 0;
}

/** By the name alone, as no console may: the demo's provider invents no second coin of one. What is not here has no rate. */
const RATES: ReadonlyMap<string, string> = new Map([
  ["BTC", "545000"],
  ["ETH", "19800.50"],
  ["USDT", "5.4321"],
]);

async function rateCoins(store: Db, rater: Actor<"position:rate">): Promise<void> {
  const { network, asset, token } = positionSum;
  const coins = await store
    .selectDistinct({ network, asset, token })
    .from(positionSum)
    .where(and(eq(positionSum.tenant, rater.tenant), inArray(asset, [...RATES.keys()])));
  for (const coin of coins) {
    const value = RATES.get(coin.asset);
    if (value !== undefined) await setRate(rater, { ...coin, value, day: civilDaysAgo(1), source: "PTAX" });
  }
}

/** Two, for neither may have all the calls; and who sets the rates. */
type People = { accountant: Actor<"accounts:read">; treasurer: Treasurer; rater: Actor<"position:rate"> };

/**
 * Rebuilds the last days' positions from the provider's own statements and histories. Only for the demo: it starts at
 * zero, names assets and fees, and holds nothing before today. False while its lists are unread.
 */
export function positionsRecall() {
  const lives = new Map<string, Life>();
  const once = async (key: string, read: () => Promise<Life>): Promise<Life> => {
    const known = lives.get(key) ?? (await read());
    lives.set(key, known);
    return known;
  };
  return async (store: Db, { accountant, treasurer, rater }: People): Promise<boolean> => {
    const { tenant } = treasurer;
    if (await hasPast(store, tenant)) return true;
    if (!(await isDue(store, tenant))) return false;
    const kept = `${tenant} ${civilDaysAgo(0)}`;
    const accounts = await store.select().from(account).where(eq(account.tenant, tenant));
    const all: Life[] = [];
    for (const row of accounts) all.push(await once(`${kept} ${row.ref}`, () => accountLife(accountant, row)));
    for (const place of distinctPlaces(await listPlaces(store, tenant)))
      all.push(await once(`${kept} ${place.walletId} ${place.network}`, () => walletLife(treasurer, place)));
    await saveDays(store, tenant, all);
    await rateCoins(store, rater);
    return true;
  };
}
