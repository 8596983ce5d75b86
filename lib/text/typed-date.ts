import { fold } from "@/lib/contract/signs";
import { civilMinute, readIso } from "./time";

const MONTHS = "jan fev|feb mar abr|apr mai|may jun jul ago|aug set|sep out|oct nov dez|dec".split(" ");
const NAMED_MONTH = new RegExp(MONTHS.join("|"), "i");
const IN_ISO_ORDER = /^\d{4}[-/.]/;

const isPastedWhole = (text: string) =>
  IN_ISO_ORDER.test(text) ||
  (NAMED_MONTH.test(text) && /\d/.test(text)) ||
  /\d *[ap]\.?m/i.test(text) ||
  (/^\d{8}(?:T|$)/i.test(text) && readDate(text) === pastedDay(text));

function typing(pasted: string, hasTime: boolean): string {
  const text = fold(pasted);
  if (isPastedWhole(text.trim())) return text.trim();
  const hasEnded = /\D$/.test(text);
  const parts = text.split(/\D+/).filter((part) => part !== "");
  const isOver = (index: number) => index < parts.length - 1 || hasEnded;
  const isShort = (index: number) => index !== 2 && isOver(index);
  const digits = parts.map((part, index) => (isShort(index) ? part.padStart(2, "0") : part)).join("");
  const join = (sign: string, ...ends: number[]) =>
    ends
      .slice(1)
      .map((end, index) => digits.slice(ends[index], end))
      .filter((part) => part !== "")
      .join(sign);
  const clock = hasTime ? join(":", 8, 10, 12) : "";
  const shown = [join("/", 0, 2, 4, 8), clock].filter((part) => part !== "").join(" ");
  const next = { 2: "/", 4: "/", 8: hasTime ? " " : "", 10: hasTime ? ":" : "" }[digits.length] ?? "";
  return hasEnded ? `${shown}${next}` : shown;
}

/** `0709` becomes `07/09`, and so does `7/9`. */
export const typedDate = (text: string): string => typing(text, false);

/** `070919840930` becomes `07/09/1984 09:30`. */
export const typedMinute = (text: string): string => typing(text, true);

const DATE = /^(?:(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})|(\d{2})(\d{2})(\d{4}))$/;
const DAY_FIRST = /^(\d{1,2})(?:[/. -]|\.? de )(\p{L}+)\.?(?:[/. -]| de )(\d{4})$/iu;
const MONTH_FIRST = /^(\p{L}+)\.? (\d{1,2}),? (\d{4})$/iu;
const YEAR = /^(?:1[89]|2)/;

const PASTED =
  /^(\d{4})([-/.]?)(\d\d)\2(\d\d)(?:(?:T| {1,3})([01]\d|2[0-3]):?([0-5]\d)(?::?(?:[0-5]\d|60)(?:[.,]\d{1,9})?)?)?(.{0,60})$/i;
const ZONE = /^ ?(?:Z|UTC|GMT|([+-]\d\d)(?::?([0-5]\d))?)(?:\[[\w/+:-]+\])?$/i;

/** In ISO order: `yyyy-MM-dd`, or with a time `yyyy-MM-ddTHH:mm` in São Paulo. */
function readPasted(text: string): string | null {
  const [, year, , month, day, hour, minute, rest = ""] = PASTED.exec(text) ?? [];
  const zone = ZONE.exec(rest);
  const date = `${year}-${month}-${day}`;
  if (readIso(date) === null || (zone === null && rest !== "")) return null;
  if (hour === undefined) return date;
  if (zone === null) return `${date}T${hour}:${minute}`;
  const [, hours, minutes = "00"] = zone;
  const read = readIso(`${date}T${hour}:${minute}:00${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
  return read === null ? null : civilMinute(new Date(read.ms));
}

const pastedDay = (text: string): string | null => readPasted(text)?.split("T")[0] ?? null;

function monthOf(name: string): string | undefined {
  const plain = name.normalize("NFD").replaceAll(/\p{M}/gu, "");
  const at = MONTHS.findIndex((month) => new RegExp(`^(?:${month})`, "i").test(plain));
  return at < 0 ? undefined : String(at + 1);
}

function dayFirst(text: string): string | null {
  const [, d1, m1, y1, day = d1, month = m1, year = y1] = DATE.exec(text) ?? [];
  if (day !== undefined) return `${year}-${month?.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const [, namedDay, name = "", namedYear] = DAY_FIRST.exec(text) ?? [];
  const [, first = name, otherDay = namedDay, otherYear = namedYear] = MONTH_FIRST.exec(text) ?? [];
  return otherDay === undefined
    ? null
    : `${otherYear}-${monthOf(first)?.padStart(2, "0")}-${otherDay.padStart(2, "0")}`;
}

export function readDate(text: string): string | null {
  const plain = fold(text).trim();
  const written = dayFirst(plain);
  if (written !== null && YEAR.test(written) && pastedDay(written) === written) return written;
  const iso = pastedDay(plain);
  return IN_ISO_ORDER.test(plain) || (iso !== null && YEAR.test(iso)) ? iso : null;
}

const CLOCK =
  /^(.{1,40}?)(?:,?[T ]{1,3}(?:às )?([01]?\d|2[0-3])[:h]([0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?)?$/i;

/** 16 for `4:07 PM`; null for an impossible hour. */
function hourOf(hour: string, half: string | undefined): string | null {
  if (half === undefined) return hour.padStart(2, "0");
  const number = Number(hour);
  if (number < 1 || number > 12) return null;
  return String((number % 12) + (half.toLowerCase() === "p" ? 12 : 0)).padStart(2, "0");
}

/** `yyyy-MM-ddTHH:mm`; a date alone takes the other time, if any. */
export function readMinute(text: string, otherClock?: string): string | null {
  const plain = fold(text).trim();
  const pasted = readPasted(plain);
  if (pasted?.includes("T") === true) return pasted;
  const [, date = "", hour, minute, half] = CLOCK.exec(plain) ?? [];
  const day = readDate(date);
  const hours = hour === undefined ? null : hourOf(hour, half);
  const clock = hour === undefined ? otherClock : `${hours}:${minute}`;
  return day === null || clock === undefined || (hour !== undefined && hours === null) ? null : `${day}T${clock}`;
}

/** `07/09/1984 09:30`. */
export const writtenDate = (iso: string): string =>
  iso.replace(/^(\d{4})-(\d{2})-(\d{2})/, "$3/$2/$1").replace("T", " ");
