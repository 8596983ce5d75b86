import { fold, normaliseDocument, withoutSeparators } from "@/lib/contract/fold";
import { readTime } from "./read-time";
import { civilDay, civilMinute } from "./time";

const MONTHS = [
  "jan",
  "fev|feb",
  "mar",
  "abr|apr",
  "mai|may",
  "jun",
  "jul",
  "ago|aug",
  "set|sep",
  "out|oct",
  "nov",
  "dez|dec",
];
const NAMED_MONTH = new RegExp(MONTHS.join("|"), "i");
const IN_ISO_ORDER = /^\d{4}[-/.]/;

const isPastedWhole = (text: string) =>
  IN_ISO_ORDER.test(text) ||
  (NAMED_MONTH.test(text) && /\d/.test(text)) ||
  /\d *[ap]\.?m/i.test(text) ||
  (/^\d{8}(?:T|$)/i.test(text) && readDate(text) === isoOf(text));

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

function isoOf(text: string): string | null {
  const read = /^\d{4}[-/.]|^\d{8}(?:T|$)/i.test(text)
    ? readTime(text.replace(/^(\d{4})[/.](\d\d)[/.]/, "$1-$2-"))
    : null;
  if (read === null) return null;
  return "day" in read ? read.day : civilDay(read.instant);
}

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
  if (written !== null && YEAR.test(written) && isoOf(written) === written) return written;
  const iso = isoOf(plain);
  return IN_ISO_ORDER.test(plain) || (iso !== null && YEAR.test(iso)) ? iso : null;
}

const CLOCK =
  /^(.{1,40}?)(?:,?[T ]{1,3}(?:às )?([01]?\d|2[0-3])[:h]([0-5]\d)(?::[0-5]\d(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?)?)?$/i;

/** Of `4:07 PM` 16; null for an hour that no such clock shows. */
function hourOf(hour: string, half: string | undefined): string | null {
  if (half === undefined) return hour.padStart(2, "0");
  const number = Number(hour);
  if (number < 1 || number > 12) return null;
  return String((number % 12) + (half.toLowerCase() === "p" ? 12 : 0)).padStart(2, "0");
}

/** `yyyy-MM-ddTHH:mm`; a date alone takes the other clock, if any. */
export function readMinute(text: string, otherClock?: string): string | null {
  const plain = fold(text).trim();
  const hasZone = /\d[T ]/i.test(plain) && /(?:Z|[+-]\d\d(?::?\d\d)?|\])$/i.test(plain);
  const read = hasZone ? readTime(plain) : null;
  if (read !== null && "instant" in read) return civilMinute(read.instant);
  const [, date = "", hour, minute, half] = CLOCK.exec(plain) ?? [];
  const day = readDate(date);
  const hours = hour === undefined ? null : hourOf(hour, half);
  const clock = hour === undefined ? otherClock : `${hours}:${minute}`;
  return day === null || clock === undefined || (hour !== undefined && hours === null) ? null : `${day}T${clock}`;
}

/** `07/09/1984 09:30`. */
export const writtenDate = (iso: string): string =>
  iso.replace(/^(\d{4})-(\d{2})-(\d{2})/, "$3/$2/$1").replace("T", " ");

export function typedDocument(text: string): string {
  const signs = normaliseDocument(text);
  if (/^\d{11}$/.test(signs)) return signs.replace(/^(...)(...)(...)(..)$/, "$1.$2.$3-$4");
  return /^[0-9A-Z]{12}\d{2}$/.test(signs) ? signs.replace(/^(..)(...)(...)(....)(..)$/, "$1.$2.$3/$4-$5") : text;
}

function grouped(signs: string, parts: readonly (readonly [length: number, before: string])[]): string {
  let shown = "";
  let rest = signs;
  for (const [length, before] of parts) {
    if (rest === "") break;
    shown += before + rest.slice(0, length);
    rest = rest.slice(length);
  }
  return shown + rest;
}

const digitsIn = (text: string) => fold(text).replaceAll(/\D/g, "");

/** `5299` becomes `529.9`. */
export const typingCpf = (text: string): string =>
  grouped(digitsIn(text), [
    [3, ""],
    [3, "."],
    [3, "."],
    [2, "-"],
  ]);

export const typingCnpj = (text: string): string =>
  grouped(
    fold(text)
      .replaceAll(/[^0-9A-Za-z]/g, "")
      .toUpperCase(),
    [
      [2, ""],
      [3, "."],
      [3, "."],
      [4, "/"],
      [2, "-"],
    ],
  );

/** `013101` becomes `01310-1`. */
export const typingPostalCode = (text: string): string =>
  grouped(digitsIn(text), [
    [5, ""],
    [3, "-"],
  ]);

/** Numbers of other countries stay as they are. */
export function typingPhone(text: string): string {
  const isInternational = /^\s*\+/.test(fold(text));
  const digits = digitsIn(text);
  if (isInternational && !digits.startsWith("55")) return text;
  const national = isInternational ? digits.slice(2) : digits;
  if (national.length > 11) return text;
  const [area, number] = [national.slice(0, 2), national.slice(2)];
  const first = number.length > 8 ? 5 : 4;
  const shown =
    number === ""
      ? area
      : `(${area}) ${grouped(number, [
          [first, ""],
          [4, "-"],
        ])}`;
  return isInternational ? `+55 ${shown}` : shown;
}

export const isLetteredCnpj = (text: string): boolean => {
  const signs = normaliseDocument(text);
  return signs.length === 14 && /[A-Z]/.test(signs);
};

/** `J. Silva`, `Maria A.Souza`: a letter alone before a full stop. */
export const isAbbreviated = (name: string): boolean => /(?<![\p{L}\p{M}'’])\p{L}\./u.test(name.normalize("NFC"));

export const withoutCurrency = (text: string): string =>
  fold(text)
    .trim()
    .replace(/^(?:R\$|BRL) ?/i, "");

const UNGROUPED = /^(\d+)(?:[.,](\d{1,2}))?$/;
/** Groups of exactly three, by one sign throughout, and another one before the decimals. */
const GROUPED = /^([1-9]\d{0,2}([ .,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;

type Amount = { whole: string; cents: string; isSure: boolean };

/** `isSure`: not of `1.234`, which may be thousands or thousandths. */
function amountIn(text: string): Amount | null {
  const plain = fold(text).trim();
  const [, digits, few = ""] = UNGROUPED.exec(plain) ?? [];
  if (digits !== undefined) return { whole: digits, cents: few, isSure: true };
  const [, groups, by, cents = ""] = GROUPED.exec(plain) ?? [];
  if (groups === undefined || cents.length > 2) return null;
  return { whole: groups.replaceAll(/\D/g, ""), cents, isSure: by === " " || cents !== "" };
}

/** An amount to look for, `1.234,56` or `1,234.56`, as a decimal string; null for what is none. */
export function readAmount(text: string): string | null {
  const amount = amountIn(withoutCurrency(text));
  if (amount === null || amount.whole.length > 15) return null;
  return amount.cents === "" ? amount.whole : `${amount.whole}.${amount.cents}`;
}

/** Reais to pay or to limit, with two decimals: `5000`, `5000,5`, `5.000,00`, `5 000,00`; null for what is none or ambiguous. */
export function readReais(text: string): string | null {
  const amount = amountIn(text);
  if (amount?.isSure !== true) return null;
  return `${amount.whole.replace(/^0+(?=\d)/, "")}.${amount.cents.padEnd(2, "0")}`;
}

/** Coins as people write them, with all their decimals: `0,5`, `1.234,5678`; null for what is none, `ambiguous` for `1.234`. */
export function readCoins(text: string): string | null {
  const plain = fold(text).trim();
  const [, groups, by, decimals = ""] = GROUPED.exec(plain) ?? [];
  if (groups !== undefined && by !== " " && decimals === "") return "ambiguous";
  const [, digits, few = ""] = /^(\d+)(?:[.,](\d+))?$/.exec(plain) ?? [];
  const whole = (groups ?? digits)?.replaceAll(/\D/g, "");
  if (whole === undefined) return null;
  const fraction = /^\d*[1-9]/.exec(groups === undefined ? few : decimals)?.[0] ?? "";
  return `${whole.replace(/^0+(?=\d)/, "")}${fraction === "" ? "" : `.${fraction}`}`;
}

const CPF = /^\d{11}$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;

const SHOWN_AS_WRITTEN = /^[0-9A-Z]{3}\.[0-9A-Z]{3}(\/[0-9A-Z]{4})?$/;

/** What a mask shows of the document that is written, whole or masked; null for what is none. Never in an address. */
export function shownOfDocument(typed: string): string | null {
  const text = fold(typed).trim().toUpperCase();
  const signs = normaliseDocument(text);
  if (CPF.test(signs)) return signs.slice(3, 9);
  if (CNPJ.test(signs)) return signs.slice(2, 12);
  return text.includes("*") || SHOWN_AS_WRITTEN.test(text) ? signs.replaceAll("*", "") : null;
}

export const isOfDocument = (typed: string): boolean =>
  shownOfDocument(typed) !== null || /^\d{6,}$/.test(withoutSeparators(typed));

/** A document, and the part of it that a mask shows, is stopped before it is sent: neither belongs in an address. */
export const NO_DOCUMENT = [
  "(?!(?:.*\\d){11})",
  "(?!(?:[\\s.,\\/\\-]*\\d){6,}[\\s.,\\/\\-]*$)",
  "(?!(?:.*\\s)?[\\dA-Za-z]{3}\\.[\\dA-Za-z]{3}(?:\\/[\\dA-Za-z]{4})?(?:\\s.*)?$)",
  "[^*]{1,120}",
].join("");

/** Without accents and capital letters. */
export const folded = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
