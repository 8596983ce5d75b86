import { civilDay, civilDaysAgo, firstOfLastDays } from "./time";

/** By São Paulo's calendar; a number is that many last days, today included. */
export const PERIODS = ["1", "yesterday", "7", "month", "last-month", "30", "90"] as const;
export type Period = (typeof PERIODS)[number];

export type Span = { from?: string | undefined; to?: string | undefined };
type TypedPeriod = Span & { period?: string | undefined };

/** A preset or two dates, whichever was set last. */
export function settlePeriod<Given extends TypedPeriod>(asked: Given, before: string | undefined): Given {
  const { period = "", from = "", to = "" } = asked;
  if (period === "" || from + to === "") return asked;
  return period === before ? { ...asked, period: undefined } : { ...asked, from: undefined, to: undefined };
}

const firstOfMonth = (day: string) => `${day.slice(0, "yyyy-MM".length)}-01`;

/** Days of São Paulo, both included; without `to` it goes on. */
export function daysOf(period: Period, now: Date = new Date()): Span {
  const today = civilDay(now);
  switch (period) {
    case "yesterday": {
      const yesterday = civilDaysAgo(1, now);
      return { from: yesterday, to: yesterday };
    }
    case "month":
      return { from: firstOfMonth(today) };
    case "last-month": {
      const last = civilDaysAgo(Number(today.slice("yyyy-MM-".length)), now);
      return { from: firstOfMonth(last), to: last };
    }
    case "1":
    case "7":
    case "30":
    case "90":
      return { from: firstOfLastDays(Number(period), now) };
  }
}

/** The preset that gives these days: of several the chosen one, else the first. */
export function markedPreset<Name extends string>(
  presets: readonly { name: Name; first: string }[],
  { first, chosen }: { first: string | undefined; chosen?: string | undefined },
): Name | undefined {
  const fitting = presets.filter((preset) => preset.first === first).map(({ name }) => name);
  return fitting.find((name) => name === chosen) ?? fitting[0];
}

type Filtered = Span & { period?: Period | undefined };

/** The days of a filter. */
export const spanOf = ({ period, from, to }: Filtered, now?: Date): Span =>
  period === undefined ? { from, to } : daysOf(period, now);

/** As `spanOf`, in minutes `yyyy-MM-ddTHH:mm`. */
export function minutesOf(filter: Filtered, now?: Date): Span {
  if (filter.period === undefined) return spanOf(filter);
  const { from, to } = daysOf(filter.period, now);
  return { from: from && `${from}T00:00`, to: to && `${to}T23:59` };
}
