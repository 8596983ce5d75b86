import { and, desc, eq, gt, isNotNull, lt, lte, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { assetKey } from "@/lib/contract/identity";
import type { Actor } from "@/lib/permission/grant";
import { staff } from "@/lib/db/tables/staff";
import { type Db, db } from "@/lib/db/connection";
import { freshness } from "@/lib/db/watch-state";
import { roundToCents, productOf } from "@/lib/text/decimal";
import { idleMinutes } from "@/lib/provider/idle-minutes";
import type { Fresh } from "@/lib/text/page";
import { civilDaysAgo } from "@/lib/text/time";
import { positionRate, positionReading, positionRound, positionSum } from "@/lib/db/tables/position";
import { isInReais, type PositionKind, type SumKey } from "@/lib/db/enums/position";
import { countBetweenReadings } from "./between-readings";
import { POSITION_WATCH, PositionFilter } from "./inputs";
import { countListed } from "./listed";
import { tellsOwn } from "./own-accounts";
import { differenceOf, mergeSpellings, sameSum } from "./sum";
import {
  type AgainView,
  type DayMoment,
  momentOf,
  placeOf,
  POSITION_GROUPS,
  type PositionSum,
  type PositionTotal,
  type RateView,
  type RoundView,
} from "./view";

function againOf(row: typeof positionRound.$inferSelect): AgainView | null {
  const { day, againAt, againFinishedAt, againTried: tried, againFailed: failed } = row;
  if (againAt === null) return null;
  const state = againFinishedAt !== null ? "finished" : day === civilDaysAgo(0) ? "under-way" : "ended";
  return { at: againAt.toISOString(), tried, failed, state };
}

async function readRound(store: Db, tenant: string, day: string): Promise<RoundView | null> {
  const [row] = await store
    .select()
    .from(positionRound)
    .where(and(eq(positionRound.tenant, tenant), eq(positionRound.day, day)));
  if (row === undefined) return null;
  const { total, tried, failed, outside } = row;
  return {
    day,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    oldestAt: row.oldestAt?.toISOString() ?? null,
    newestAt: row.newestAt?.toISOString() ?? null,
    again: againOf(row),
    total,
    tried,
    failed,
    outside,
  };
}

async function readTotals(store: Db, tenant: string, day: string): Promise<PositionTotal[]> {
  const rows = await store
    .select()
    .from(positionSum)
    .where(and(eq(positionSum.tenant, tenant), eq(positionSum.day, day)))
    .orderBy(positionSum.network, positionSum.asset, positionSum.token, positionSum.part);
  const totals = rows.map(({ network, asset, token, kind, part, amount, readings, unread, oldestAt }) => {
    return { network, asset, token, kind, part, amount, readings, unread, oldestAt: oldestAt?.toISOString() ?? null };
  });
  const merged = mergeSpellings(totals);
  const kinds = POSITION_GROUPS.flatMap((one): readonly PositionKind[] => one.kinds);
  return kinds.flatMap((kind) => merged.filter((one) => one.kind === kind));
}

const assetOf = ({ network, asset, token }: Pick<SumKey, "network" | "asset" | "token">) =>
  assetKey(network, { asset, tokenAddress: token });

/** The rate for that day: of the last day up to it, as typed last. */
export async function readRates(store: Db, tenant: string, day: string): Promise<Map<string, RateView>> {
  const { network, asset, token, value, source, createdAt } = positionRate;
  const rows = await store
    .selectDistinctOn([network, asset, token], {
      network,
      asset,
      token,
      value,
      source,
      createdAt,
      day: positionRate.day,
      byName: staff.name,
    })
    .from(positionRate)
    .innerJoin(staff, eq(staff.id, positionRate.staffId))
    .where(and(eq(positionRate.tenant, tenant), lte(positionRate.day, day)))
    .orderBy(network, asset, token, desc(positionRate.day), desc(createdAt));
  const newestLast = rows.toSorted(
    (one, other) =>
      Number(one.day > other.day) - Number(one.day < other.day) || one.createdAt.getTime() - other.createdAt.getTime(),
  );
  return new Map(
    newestLast.map(({ value: rate, day: on, source: from, byName, ...key }) => {
      return [assetOf(key), { value: rate, day: on, source: from, byName }];
    }),
  );
}

export type AgainCost = { balances: number; minutes: number };

function againCostOf(round: RoundView | null, today: string): AgainCost | null {
  if (round === null || round.day !== today || round.finishedAt === null || round.again?.state === "under-way")
    return null;
  return { balances: round.total, minutes: idleMinutes(round.total) };
}

export type Position = Fresh & {
  day: string;
  /** Null: compared with nothing. */
  against: string | null;
  round: RoundView | null;
  /** Of `day` and of the one compared with; null: nothing was read. */
  moment: DayMoment | null;
  againstMoment: DayMoment | null;
  reading: RoundView | null;
  /** Movements between own accounts or wallets that `day` may count twice or not at all. */
  betweenReadings: number;
  /** What it takes to read the day again; null: that cannot be asked for. */
  againCost: AgainCost | null;
  /** Whether the company's own accounts are separated from its customers'. */
  tellsOwn: boolean;
  sums: PositionSum[];
  /** Balances that wait to be read into a position of today that has none yet; null of any other. */
  listed: number | null;
};

/** Days without any reading come last, and today's only once it is complete. */
async function lastDay(store: Db, tenant: string, before: string | null): Promise<string | null> {
  const { day, tried, finishedAt } = positionRound;
  const isOver = or(isNotNull(finishedAt), lt(day, civilDaysAgo(0)));
  const [row] = await store
    .select({ day })
    .from(positionRound)
    .where(and(eq(positionRound.tenant, tenant), before === null ? undefined : lt(day, before)))
    .orderBy(desc(sql`${gt(tried, 0)} and ${isOver}`), desc(gt(tried, 0)), desc(day))
    .limit(1);
  return row?.day ?? null;
}

/** Kinds that something was moved from or to between the two days, as finance gave it another use. */
async function readRegrouped(store: Db, tenant: string, [day, against]: [string, string | null]) {
  if (against === null) return new Set<PositionKind>();
  const then = alias(positionReading, "reading_then");
  const isSame = and(
    eq(then.tenant, positionReading.tenant),
    eq(then.subject, positionReading.subject),
    eq(then.network, positionReading.network),
    eq(then.day, against),
  );
  const rows = await store
    .selectDistinct({ now: positionReading.kind, before: then.kind })
    .from(positionReading)
    .innerJoin(then, isSame)
    .where(and(eq(positionReading.tenant, tenant), eq(positionReading.day, day), ne(then.kind, positionReading.kind)));
  return new Set(rows.flatMap((row) => [row.now, row.before]).filter((kind) => !isInReais(kind)));
}

type DaySums = { sums: readonly PositionTotal[]; isOver: boolean };

type Compared = {
  now: DaySums;
  before: DaySums;
  /** Whether both days separate the company's own reais, or neither does. */
  isToldAlike: boolean;
  regrouped: ReadonlySet<PositionKind>;
  /** Compared with a later day. */
  isEarlier: boolean;
};

/** An asset missing from a day may be in the unread part of its network and kind. */
function absenceOn({ sums, isOver }: DaySums, missing: PositionTotal) {
  const beside = sums.filter((one) => placeOf(one) === placeOf(missing));
  const unread = beside.length === 0 ? 0 : Math.min(...beside.map((one) => one.unread));
  return { unread, isSure: unread === 0 && (isOver || beside.length > 0) };
}

function withMissing({ now, before, isEarlier }: Compared): (PositionTotal & { isGone: boolean })[] {
  const known = new Set(now.sums.map(sameSum));
  const missing = before.sums
    .filter((one) => one.amount !== null && !known.has(sameSum(one)))
    .map((one) => {
      const { unread, isSure } = absenceOn(now, one);
      return { ...one, amount: isSure ? "0" : null, readings: 0, unread, oldestAt: null, isGone: isSure && !isEarlier };
    });
  return [...now.sums.map((one) => ({ ...one, isGone: false })), ...missing];
}

/** Reais are not compared when only one day separates the company's own, nor a kind that something was moved from or to. */
function thenOf({ before, isToldAlike, regrouped }: Compared) {
  const known = new Map(before.sums.map((one) => [sameSum(one), one]));
  return (one: PositionTotal): Pick<PositionTotal, "amount" | "unread"> => {
    if ((!isToldAlike && isInReais(one.kind)) || regrouped.has(one.kind)) return { amount: null, unread: 0 };
    const { unread, isSure } = absenceOn(before, one);
    return known.get(sameSum(one)) ?? { amount: isSure ? "0" : null, unread };
  };
}

function compared(days: Compared, rates: Map<string, RateView>) {
  const then = thenOf(days);
  return withMissing(days).map((one): PositionSum => {
    const { amount: before, unread } = then(one);
    const rate = isInReais(one.kind) ? null : (rates.get(assetOf(one)) ?? null);
    const isDifferencePartial = one.unread > 0 || unread > 0;
    return {
      ...one,
      before,
      difference: isDifferencePartial ? null : differenceOf(one.amount, before),
      isDifferencePartial,
      rate,
      value: rate === null || one.amount === null ? null : roundToCents(productOf(one.amount, rate.value)),
    };
  });
}

const isWhole = (round: RoundView | null) => round !== null && round.finishedAt !== null;

export async function readPosition(
  { tenant }: Actor<"wallets:read">,
  given: Partial<PositionFilter>,
): Promise<Position> {
  const filter = PositionFilter.parse(given);
  const store = await db();
  const [last, fresh] = await Promise.all([lastDay(store, tenant, null), freshness(tenant, POSITION_WATCH)]);
  const day = filter.day ?? last ?? civilDaysAgo(0);
  const against = filter.against ?? (await lastDay(store, tenant, day));
  const today = civilDaysAgo(0);
  const [round, earlier, begun, now, before, rates, told, toldThen, regrouped, betweenReadings] = await Promise.all([
    readRound(store, tenant, day),
    against === null ? null : readRound(store, tenant, against),
    filter.day === undefined && day !== today ? readRound(store, tenant, today) : null,
    readTotals(store, tenant, day),
    against === null ? [] : readTotals(store, tenant, against),
    readRates(store, tenant, day),
    tellsOwn(store, tenant, day),
    tellsOwn(store, tenant, against),
    readRegrouped(store, tenant, [day, against]),
    countBetweenReadings(store, tenant, day),
  ]);
  const isToldAlike = told === toldThen;
  const isEarlier = against !== null && against > day;
  const isCompared = ({ kind }: PositionTotal) => (isToldAlike || !isInReais(kind)) && !regrouped.has(kind);
  return {
    ...fresh,
    day,
    against,
    round,
    moment: round && momentOf(round, today),
    againstMoment: earlier && momentOf(earlier, today),
    reading: begun?.finishedAt === null ? begun : null,
    betweenReadings,
    againCost: againCostOf(round, today),
    tellsOwn: told,
    listed: now.length === 0 && day === today ? await countListed(store, tenant) : null,
    sums: compared(
      {
        now: { sums: now, isOver: isWhole(round) },
        before: { sums: before.filter(isCompared), isOver: isWhole(earlier) },
        isToldAlike,
        regrouped,
        isEarlier,
      },
      rates,
    ),
  };
}
