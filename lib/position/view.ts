import { unitsOf } from "@/lib/text/decimal";
import { isZero, type Locale } from "@/lib/text/format";
import { isInReais, type PositionKind, type SumKey } from "@/lib/db/enums/position";
import { civilMinute } from "@/lib/text/time";
import { readCoins, withoutCurrency } from "@/lib/text/typed-amount";

/** Whose it is, our own first; within each in the order of the screen. */
export const POSITION_GROUPS = [
  { group: "own", kinds: ["own-account", "own", "checkout"] },
  { group: "customers", kinds: ["account", "customer"] },
  { group: "unset", kinds: ["other", "untold"] },
] as const satisfies { group: string; kinds: readonly PositionKind[] }[];
export type PositionGroup = (typeof POSITION_GROUPS)[number]["group"];

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
  /** On the day that it is compared with; null: not known then. */
  before: string | null;
  /** Null also where one of the two sums is not whole: it says nothing certain. */
  difference: string | null;
  isDifferencePartial: boolean;
  /** All was read where it stood before, and nothing names it any more. */
  isGone: boolean;
  rate: RateView | null;
  /** In reais at that rate, cut to the cent. */
  value: string | null;
};

/** All was read, and it is nothing, as before. */
export const isAtZero = ({ amount, unread, difference }: PositionSum): boolean =>
  amount !== null && isZero(amount) && unread === 0 && (difference === null || isZero(difference));

const worthOf = ({ kind, amount, value }: PositionSum): bigint | null => {
  const reais = isInReais(kind) ? amount : value;
  return reais === null ? null : unitsOf(reais);
};

/** The largest in reais first, then what has no rate, then what is at zero, each by its network. */
export function bySize(one: PositionSum, other: PositionSum): number {
  const atZero = Number(isAtZero(one)) - Number(isAtZero(other));
  const worth = worthOf(one) ?? 0n;
  const otherWorth = worthOf(other) ?? 0n;
  const byNetwork = Number(one.network > other.network) - Number(one.network < other.network);
  return atZero || Number(worth < otherWorth) - Number(worth > otherWorth) || byNetwork;
}

/** Whether no rate says which of several coins is worth more. */
export function isByNetwork(sums: readonly PositionSum[]): boolean {
  const coins = sums.filter((sum) => !isInReais(sum.kind) && !isAtZero(sum));
  return coins.length > 1 && coins.every(({ value }) => value === null);
}

export type RoundView = {
  day: string;
  startedAt: string;
  finishedAt: string | null;
  total: number;
  tried: number;
  failed: number;
  /** Accounts and wallets that the provider lists so that nobody can ask about them. */
  outside: number;
};

export type DayMoment = { as: "opening" | "closing" | "today" | "read"; at: string };

const OPENING_UNTIL = "06:00";
const CLOSING_FROM = "22:00";

export function momentOf({ day, startedAt: at }: Pick<RoundView, "day" | "startedAt">, today: string): DayMoment {
  const clock = civilMinute(new Date(at)).slice(11);
  if (clock < OPENING_UNTIL) return { as: "opening", at };
  if (clock >= CLOSING_FROM && day !== today) return { as: "closing", at };
  return { as: day === today ? "today" : "read", at };
}

export type LinePoint = { day: string; amount: string; unread: number };

export const RATE_SOURCE_MAX = 120;

const DECIMAL_MARK: Readonly<Record<Locale, string>> = { "pt-BR": ",", en: "." };
const CANONICAL = /^(?=.*[1-9])\d{1,15}(?:\.\d{1,18})?$/;

/** `R$ 1.234,5678` in any usual spelling; null for what is no rate, `ambiguous` for `5.432` where the decimal mark is a comma. */
export function readRate(typed: string, locale: Locale): string | null {
  const text = withoutCurrency(typed);
  const read = readCoins(text);
  if (read !== "ambiguous") return read !== null && CANONICAL.test(read) ? read : null;
  const [mark, ...others] = text.match(/[.,]/g) ?? [];
  if (others.length > 0) return readRate(text.replaceAll(/[.,]/g, ""), locale);
  return mark === DECIMAL_MARK[locale] ? text.replace(mark, ".") : "ambiguous";
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
