import { roundToCents, decimalOf, productOf, unitsOf } from "@/lib/text/decimal";
import { formatClock, isZero, type Locale } from "@/lib/text/format";
import { isInReais, type PositionKind, type SumKey } from "@/lib/db/enums/position";
import type { SendState } from "@/lib/db/enums/wallets";
import { civilMinute } from "@/lib/text/time";
import { readCoins, withoutCurrency } from "@/lib/text/typed-amount";

export const GROUP_NAMES = ["own", "customers", "unset"] as const;
export type PositionGroup = (typeof GROUP_NAMES)[number];

/** By owner, our own first; within each in the screen's order. */
export const POSITION_GROUPS = [
  { group: "own", kinds: ["own-account", "own", "checkout"] },
  { group: "customers", kinds: ["account", "customer"] },
  { group: "unset", kinds: ["other", "untold"] },
] as const satisfies { group: PositionGroup; kinds: readonly PositionKind[] }[];
type Told = { tellsOwn: boolean };

export const kindWord = (kind: PositionKind, { tellsOwn }: Told): PositionKind | "any-account" =>
  kind === "account" && !tellsOwn ? "any-account" : kind;

export const groupWord = (group: PositionGroup, { tellsOwn }: Told): PositionGroup | "perhapsOwn" =>
  group === "customers" && !tellsOwn ? "perhapsOwn" : group;

export type PositionTotal = SumKey & {
  /** An exact decimal; null: nothing of it was read. */
  amount: string | null;
  readings: number;
  unread: number;
  oldestAt: string | null;
};

export type RateView = { value: string; day: string; source: string; byName: string };

export type PositionSum = PositionTotal & {
  /** On the other day; null when unknown then. */
  before: string | null;
  /** Null also when one of the sums is incomplete, as the difference would be uncertain. */
  difference: string | null;
  isDifferencePartial: boolean;
  /** The asset is in none of the accounts and wallets that held it, and all were read. */
  isGone: boolean;
  rate: RateView | null;
  /** In reais at that rate, cut to the cent. */
  value: string | null;
};

/** Everything was read, and it is zero, as before. */
export const isAtZero = ({ amount, unread, difference }: PositionSum): boolean =>
  amount !== null && isZero(amount) && unread === 0 && (difference === null || isZero(difference));

const worthOf = ({ kind, amount, value }: PositionSum): bigint | null => {
  const reais = isInReais(kind) ? amount : value;
  return reais === null ? null : unitsOf(reais);
};

/** The largest in reais first, then those without a rate, then zero, each by network. */
export function bySize(one: PositionSum, other: PositionSum): number {
  const atZero = Number(isAtZero(one)) - Number(isAtZero(other));
  const worth = worthOf(one) ?? 0n;
  const otherWorth = worthOf(other) ?? 0n;
  const byNetwork = Number(one.network > other.network) - Number(one.network < other.network);
  return atZero || Number(worth < otherWorth) - Number(worth > otherWorth) || byNetwork;
}

/** Whether no rate can order several coins by value. */
export function isByNetwork(sums: readonly PositionSum[]): boolean {
  const coins = sums.filter((sum) => !isInReais(sum.kind) && !isAtZero(sum));
  return coins.length > 1 && coins.every(({ value }) => value === null);
}

export type GroupFigure = {
  group: PositionGroup;
  /** In reais, coins at their rates; null: nothing that was read has a value in reais. */
  amount: string | null;
  /** Since the day that it is compared with, coins of both days at the same rates; null: one of the two days is not whole. */
  difference: string | null;
  /** Of what it was then, in tenths of a per cent; null: nothing was there then. */
  perMille: number | null;
  unread: number;
  /** Coins in no part of it, by name. */
  unrated: string[];
};

/** What one of an asset is worth; null: in reais itself. */
type Rated = PositionSum & { perUnit: string | null };

const inReais = (decimal: string, { perUnit }: Rated): bigint =>
  unitsOf(perUnit === null ? decimal : roundToCents(productOf(decimal, perUnit)));

function differenceIn(rated: readonly Rated[]): bigint | null {
  let sum = 0n;
  for (const one of rated) {
    if (one.difference === null) return null;
    sum += inReais(one.difference, one);
  }
  return sum;
}

/** To the nearest whole, halves away from zero. */
function rounded(dividend: bigint, divisor: bigint): number {
  const twice = 2n * (dividend < 0n ? -dividend : dividend);
  const whole = Number((twice + divisor) / (2n * divisor));
  return dividend < 0n ? -whole : whole;
}

const PER_MILLE = 1_000n;

type NamedCoin = { asset: string; network: string; isRated: boolean };

/** With its network where the same asset has a rate on another one. */
export function namesUnrated(coins: readonly NamedCoin[]): string[] {
  const rated = new Set(coins.flatMap(({ asset, isRated }) => (isRated ? [asset.toLowerCase()] : [])));
  const unrated = coins.filter(({ asset, isRated }) => !isRated && asset !== "");
  const nameOf = ({ asset, network }: NamedCoin) => (rated.has(asset.toLowerCase()) ? `${asset} (${network})` : asset);
  return [...new Set(unrated.map(nameOf))].toSorted();
}

type Place = Pick<SumKey, "network" | "kind">;

export const placeOf = ({ network, kind }: Place): string => `${kind} ${network}`;

/** How many subjects are unread at least. */
export function unreadAmong(sums: readonly (Place & { unread: number })[]): number {
  const places = new Map<string, number>();
  for (const one of sums) places.set(placeOf(one), Math.max(places.get(placeOf(one)) ?? 0, one.unread));
  return [...places.values()].reduce((sum, unread) => sum + unread, 0);
}

function figureOf(group: PositionGroup, sums: readonly PositionSum[]): GroupFigure {
  const rated = sums.flatMap((sum): Rated[] => {
    if (isInReais(sum.kind)) return [{ ...sum, perUnit: null }];
    // Nothing is worth nothing at any rate.
    const perUnit = sum.rate?.value ?? (sums.every(isAtZero) ? "0" : null);
    return perUnit === null ? [] : [{ ...sum, perUnit }];
  });
  const read = rated.flatMap((sum) => (sum.amount === null ? [] : [inReais(sum.amount, sum)]));
  const blind = sums.filter(({ asset }) => asset === "");
  const unread = unreadAmong([...rated, ...blind]);
  const amount = read.reduce((whole, one) => whole + one, 0n);
  const difference = unread > 0 || read.length === 0 ? null : differenceIn(rated);
  const before = difference === null ? 0n : amount - difference;
  const coins = sums.filter((sum) => !isInReais(sum.kind) && !isAtZero(sum));
  return {
    group,
    amount: read.length === 0 ? null : decimalOf(amount),
    difference: difference === null ? null : decimalOf(difference),
    perMille: difference === null || before <= 0n ? null : rounded(difference * PER_MILLE, before),
    unread,
    unrated: namesUnrated(coins.map(({ asset, network, rate }) => ({ asset, network, isRated: rate !== null }))),
  };
}

const sumsOf = (sums: readonly PositionSum[], kinds: readonly PositionKind[]) =>
  sums.filter(({ kind }) => kinds.includes(kind));

/** Points of a group in reais; `unrated`: coins of those days that have no rate and are no part of them. */
export type GroupSeries = { points: LinePoint[]; unrated: string[]; isRated: boolean };

/** The first of them that holds anything. */
export const groupToDraw = (figures: readonly GroupFigure[]): PositionGroup | null =>
  (figures.find(({ amount }) => amount !== null && !isZero(amount)) ?? figures[0])?.group ?? null;

/** Own money first; never added up with that of customers. */
export const figuresOf = (sums: readonly PositionSum[]): GroupFigure[] =>
  POSITION_GROUPS.filter(({ kinds }) => sumsOf(sums, kinds).length > 0).map(({ group, kinds }) =>
    figureOf(group, sumsOf(sums, kinds)),
  );

/** `tried`, `failed`: since it was asked for; a day that ends in the middle of it is not read on. */
export type AgainView = { at: string; tried: number; failed: number; state: "under-way" | "finished" | "ended" };

export type RoundView = {
  day: string;
  startedAt: string;
  finishedAt: string | null;
  oldestAt: string | null;
  newestAt: string | null;
  again: AgainView | null;
  total: number;
  tried: number;
  failed: number;
  /** Listed accounts and wallets that cannot be read by id. */
  outside: number;
};

/** `until` null: what was read first is all that is told, for the reading goes on. */
export type DayMoment = { as: "opening" | "closing" | "today" | "read"; at: string; until: string | null };

const OPENING_UNTIL = "06:00";
const CLOSING_FROM = "22:00";

type ReadRound = Pick<RoundView, "day" | "startedAt" | "finishedAt" | "oldestAt" | "newestAt">;

const clockOf = (at: string) => civilMinute(new Date(at)).slice(11);

export function momentOf(round: ReadRound, today: string): DayMoment {
  const { day, startedAt, finishedAt, oldestAt, newestAt } = round;
  const at = oldestAt ?? startedAt;
  const until = finishedAt === null ? null : (newestAt ?? finishedAt);
  if ([at, newestAt ?? at].every((one) => clockOf(one) < OPENING_UNTIL)) return { as: "opening", at, until };
  if (clockOf(at) >= CLOSING_FROM && day !== today) return { as: "closing", at, until };
  return { as: day === today ? "today" : "read", at, until };
}

export function spanOf({ at, until }: Pick<DayMoment, "at" | "until">, locale: Locale): string {
  const from = formatClock(at, locale);
  const to = until === null ? from : formatClock(until, locale);
  return from === to ? from : `${from}–${to}`;
}

export type LinePoint = { day: string; amount: string; unread: number };

/** With the day's figure in place of its own point: the line is read later, and readings go on. */
export function endingWith(points: readonly LinePoint[], { day, figure }: { day: string; figure: GroupFigure | null }) {
  if (figure === null || figure.amount === null) return points;
  const { amount, unread } = figure;
  return [...points.filter((point) => point.day !== day), { day, amount, unread }];
}

/** `sent`: a transfer of ours that the history does not tell yet, or no longer has to. `fee`: paid by the wallet itself, as its balance tells it. Of an account: with the provider's type, and where it stands. */
export type ChangeEntry = { at: string; amount: string } & (
  | { as: "in" | "out" | "fee"; hash: string }
  | { as: "in" | "out"; type: string; href: string }
  | { as: "in" | "out"; sent: SendState; href: string }
);

/** What is not known of an account's entries between two readings; `at` of `read-from`: a day. */
export type EntryGap =
  | { why: "never-read" }
  | { why: "read-until" | "read-from"; at: string }
  | { why: "unreadable"; count: number };

/** `difference` null: not read on one of the days; `untold`: movements whose asset, or entries whose direction, nobody tells. */
export type ChangedPart = {
  subject: string;
  difference: string | null;
  entries: ChangeEntry[];
  /** Entries that are counted and not listed, and what they add up to. */
  left: number;
  leftSum: string;
  untold: number;
  /** Of an account: how much more is blocked, which no entry tells; null: not known, or nothing can be. */
  blocked: string | null;
  readUntil: string | null;
  gap: EntryGap | null;
  unexplained: string | null;
};

export type NamedChange = ChangedPart & { name: string; href: string };

/** The largest of them. */
export type SumChanges = { rows: NamedChange[]; total: number };

/** `rest`: of the difference, what is in none of the listed parts. They add up to it. */
export type ChangeTotals = { explained: string; unexplained: string; rest: string };

export function changeTotals(difference: string | null, parts: readonly ChangedPart[]): ChangeTotals | null {
  if (difference === null) return null;
  let explained = 0n;
  let unexplained = 0n;
  for (const part of parts) {
    if (part.difference === null) return null;
    const remainder = unitsOf(part.unexplained ?? part.difference);
    explained += unitsOf(part.difference) - remainder;
    unexplained += remainder;
  }
  const rest = decimalOf(unitsOf(difference) - explained - unexplained);
  return { explained: decimalOf(explained), unexplained: decimalOf(unexplained), rest };
}

export type DayFlow = { day: string; in: string; out: string };
export type SumFlow = { days: DayFlow[]; untold: number };

export const LINE_DAYS = 90;
export const FLOW_DAYS = 30;

export const RATE_SOURCE_MAX = 120;

const DECIMAL_MARK: Readonly<Record<Locale, string>> = { "pt-BR": ",", en: "." };
const CANONICAL = /^(?=.*[1-9])\d{1,15}(?:\.\d{1,18})?$/;

/** `R$ 1.234,5678` in any usual spelling; null for what is no rate, `ambiguous` for `5.432` where the decimal mark is a comma. */
export function readRate(typed: string, locale: Locale): string | null {
  const text = withoutCurrency(typed);
  const read = readCoins(text);
  if (read !== "ambiguous") return read !== null && CANONICAL.test(read) ? read : null;
  return text.includes(DECIMAL_MARK[locale]) ? text.replace(DECIMAL_MARK[locale], ".") : "ambiguous";
}

export type BadRate =
  | "repeated"
  | "bad-columns"
  | "unknown-asset"
  | "bad-rate"
  | "ambiguous-rate"
  | "bad-day"
  | "bad-source";
/** `asset`: as the file names it. */
export type RateReport = { line: number; asset: string; outcome: BadRate | "saved" | "same" | "unsaved" };

export const idOfSum = ({ network, asset, token, kind, part }: SumKey): string =>
  JSON.stringify([network, asset, token, kind, part]);
