export const TIME_ZONE = "America/Sao_Paulo";
export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAYS_OF_A_YEAR = 365.25;

const civil = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE });

/** `yyyy-MM-dd` in São Paulo. */
export function civilDay(instant: Date): string {
  return civil.format(instant);
}

const toMinute = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE, dateStyle: "short", timeStyle: "short" });

/** `yyyy-MM-ddTHH:mm` in São Paulo. */
export function civilMinute(instant: Date): string {
  return toMinute.format(instant).replace(" ", "T");
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat | null {
  const built = clocks.get(zone);
  if (built !== undefined) return built;
  try {
    const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    clocks.set(zone, clock);
    return clock;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const aheadMs = (clock: Intl.DateTimeFormat, ms: number): number =>
  Date.parse(`${clock.format(ms).replace(" ", "T")}Z`) - Math.floor(ms / 1_000) * 1_000;

/** -180 in São Paulo, and -120 in the summers until 2019. */
export function minutesAhead(instant: Date): number {
  const clock = clockOf(TIME_ZONE);
  return clock === null ? 0 : Math.round(aheadMs(clock, instant.getTime()) / MINUTE_MS);
}

/** An ISO instant in São Paulo time, with its offset. */
export function civilIso(instant: Date): string {
  const ahead = minutesAhead(instant);
  const local = new Date(instant.getTime() + ahead * MINUTE_MS).toISOString();
  const offset = new Date(Math.abs(ahead) * MINUTE_MS).toISOString().slice(11, 16);
  return local.replace(/(?:\.000)?Z$/, `${ahead < 0 ? "-" : "+"}${offset}`);
}

/** Null for an unknown time zone. */
export function ofLocal(ms: number, zone: string): number | null {
  const clock = clockOf(zone);
  if (clock === null) return null;
  const later = ms - aheadMs(clock, ms + DAY_MS);
  if (Number.isNaN(later)) return null;
  return later + aheadMs(clock, later) === ms ? later : ms - aheadMs(clock, ms - DAY_MS);
}

/** The instant at which São Paulo clocks show `yyyy-MM-ddTHH:mm:ss`. */
export const civilInstant = (text: string): Date => new Date(ofLocal(Date.parse(`${text}Z`), TIME_ZONE) ?? Number.NaN);

// With five-digit years, as some write 9999 for "without an end", which becomes 10000 in UTC.
const ISO = /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)(T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/;

/** An ISO instant, or a day as its noon in UTC; null for anything else, and for impossible days. */
export function readIso(text: string): { ms: number; isDay: boolean } | null {
  const [, day = "", clock] = ISO.exec(text) ?? [];
  const noon = Date.parse(`${day}T12:00:00Z`);
  // Date.parse takes February 30 for March 2.
  if (Number.isNaN(noon) || !new Date(noon).toISOString().startsWith(day)) return null;
  const ms = clock === undefined ? noon : Date.parse(text);
  return Number.isNaN(ms) ? null : { ms, isDay: clock === undefined };
}

/** In São Paulo; text that is neither an ISO instant nor a day stays as written. */
export function timeOfIso(iso: string): string {
  const read = readIso(iso);
  return read === null || read.isDay ? iso : civilIso(new Date(read.ms));
}

/** As `timeOfIso`. */
export function dayOfIso(iso: string): string {
  const read = readIso(iso);
  return read === null || read.isDay ? iso : civilDay(new Date(read.ms));
}

export const ADULT_AGE = 18;

/** Between two days, each `yyyy-MM-dd`. */
export function wholeYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(4) < from.slice(4) ? years - 1 : years;
}

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** By the calendar of São Paulo, as a date beside the count is read: yesterday is one day, however few hours passed. */
export const civilDaysBetween = (from: Date, to: Date): number => daysBetween(civilDay(from), civilDay(to));

export const lastDays = (days: number, now: Date = new Date()): string[] =>
  Array.from({ length: days }, (_, nth) => civilDaysAgo(days - 1 - nth, now));

export const firstOfLastDays = (days: number, now?: Date): string => civilDaysAgo(days - 1, now);

export const daysUntil = (days: number, last: string): string[] => lastDays(days, civilInstant(`${last}T12:00`));

export const firstOfDays = (days: number, last: string): string => firstOfLastDays(days, civilInstant(`${last}T12:00`));

export function civilDaysAgo(days: number, now: Date = new Date()): string {
  const noon = new Date(`${civilDay(now)}T12:00:00Z`);
  return civilDay(new Date(noon.getTime() - days * DAY_MS));
}
