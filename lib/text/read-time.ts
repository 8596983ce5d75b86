import { fold } from "@/lib/contract/signs";
import { civilInstant, DAY_MS, MINUTE_MS, ofLocal, readIso, TIME_ZONE } from "./time";

const CALENDAR = /^(?<year>\d{4})(?<dash>-?)(?<month>\d\d)\k<dash>(?<day>\d\d)(?!\d)/;
const WEEK = /^(?<year>\d{4})-?W(?<week>\d\d)-?(?<weekday>[1-7])(?!\d)/i;
const ORDINAL = /^(?<year>\d{4})-?(?<ordinal>\d{3})(?!\d)/;
const COMPACT = /^(\d{8})(\d{6}(?!\d).*)$/;

const CLOCK = new RegExp(
  [
    /(?<hour>\d\d)(?:(?<colon>:?)(?<minute>[0-5]\d)(?:\k<colon>(?<second>[0-5]\d|60))?)?(?:[.,](?<fraction>\d+))?/,
    /(?: ?(?<zone>Z|UTC|GMT|[+-]\d{1,2}(?::?[0-5]\d)?(?::?[0-5]\d)?))?/,
    / ?(?:\[!?(?<named>[\w/:+-]+)\])?(?:\[[^[\]]*\])*/,
  ]
    .map(({ source }) => source)
    .reduce((whole, part) => whole + part, "^") + "$",
  "i",
);

const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`);
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, "yyyy-MM-dd".length);

function dayIn(text: string): { day: string; rest: string } | null {
  const match = CALENDAR.exec(text) ?? WEEK.exec(text) ?? ORDINAL.exec(text);
  const { year = "", month, day, week, weekday, ordinal } = match?.groups ?? {};
  if (match === null) return null;
  const rest = text.slice(match[0].length);
  if (month !== undefined) {
    const written = `${year}-${month}-${day}`;
    return readIso(written) === null ? null : { day: written, rest };
  }
  const first = noonOf(`${year}-01-01`);
  const fourth = noonOf(`${year}-01-04`);
  if (week !== undefined) {
    const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
    const noon = monday + ((Number(week) - 1) * 7 + Number(weekday) - 1) * DAY_MS;
    const thursday = dayAt(noon + (4 - Number(weekday)) * DAY_MS);
    return thursday.startsWith(year) ? { day: dayAt(noon), rest } : null;
  }
  const written = dayAt(first + (Number(ordinal) - 1) * DAY_MS);
  return Number(ordinal) > 0 && written.startsWith(year) ? { day: written, rest } : null;
}

function zoneMs(zone: string): number | null {
  if (/^(?:Z|UTC|GMT)$/i.test(zone)) return 0;
  const [, sign, hours, minutes = "0", seconds = "0"] =
    /^([+-])(\d{1,2})(?::?([0-5]\d))?(?::?([0-5]\d))?(?::[A-Z]+)?$/i.exec(zone) ?? [];
  if (hours === undefined || Number(hours) > 23) return null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60) * MINUTE_MS;
}

function sinceMidnight({
  hour,
  minute,
  second,
  fraction,
}: Readonly<Record<string, string | undefined>>): number | null {
  const unit = second === undefined ? (minute === undefined ? 60 * MINUTE_MS : MINUTE_MS) : 1_000;
  const ms =
    Number(hour) * 60 * MINUTE_MS +
    Number(minute ?? 0) * MINUTE_MS +
    Number(second ?? 0) * 1_000 +
    Math.floor(Number(`0.${fraction ?? 0}`) * unit);
  return Number(hour) < 24 || ms === DAY_MS ? ms : null;
}

/** ISO 8601 in all its forms; without a zone, São Paulo. Null for anything else, and for impossible days. */
function readTime(text: string): { instant: Date } | { day: string } | null {
  const read = dayIn(
    text
      .replace(/^[^[]*/, fold)
      .trim()
      .replace(COMPACT, "$1T$2"),
  );
  if (read === null) return null;
  const { day, rest } = read;
  if (/^(?:Z|[+-]\d\d:\d\d)?$/i.test(rest)) return { day };
  const parts = /^(?:T|\s+)/i.test(rest) ? CLOCK.exec(rest.replace(/^(?:T|\s+)/i, ""))?.groups : undefined;
  const clock = parts === undefined ? null : sinceMidnight(parts);
  if (parts === undefined || clock === null) return null;
  const local = Date.parse(`${day}T00:00:00Z`) + clock;
  const zone = parts["zone"] ?? parts["named"] ?? TIME_ZONE;
  const ahead = zoneMs(zone);
  if (ahead === null && parts["zone"] !== undefined) return null;
  const ms = ahead === null ? ofLocal(local, zone) : local - ahead;
  return ms === null ? null : { instant: new Date(ms) };
}

/** Null for a day, too. */
export function instantOf(text: string): Date | null {
  const read = readTime(text);
  return read !== null && "instant" in read ? read.instant : null;
}

/** For a day its midnight in São Paulo. Null for an invalid time. */
export function readInstant(text: string): Date | null {
  const read = readTime(text);
  if (read === null || "instant" in read) return read?.instant ?? null;
  const at = civilInstant(`${read.day}T00:00:00`);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** A UTC instant or a day for the formatters of `format.ts`; an invalid time stays as written. */
export function isoOf(text: string): string {
  const read = readTime(text);
  if (read === null) return text;
  return "day" in read ? read.day : read.instant.toISOString();
}
