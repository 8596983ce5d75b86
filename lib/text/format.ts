import { readIso, TIME_ZONE } from "./time";

/** A provider's amount may be no decimal. */
export const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

export const isToTheCent = (decimal: string): boolean => !/\.\d{3,}$/.test(decimal);

export const isZero = (decimal: string): boolean => !/[1-9]/.test(decimal);

export const LOCALES = ["pt-BR", "en"] as const;
export type Locale = (typeof LOCALES)[number];

const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Building an Intl formatter costs far more than using it. */
function cached<T extends Intl.NumberFormat | Intl.DateTimeFormat>(
  key: string,
  build: () => T,
  is: (made: unknown) => made is T,
): T {
  const made = formatters.get(key);
  if (is(made)) return made;
  const fresh = build();
  formatters.set(key, fresh);
  return fresh;
}

const isNumberFormat = (made: unknown): made is Intl.NumberFormat => made instanceof Intl.NumberFormat;
const isDateFormat = (made: unknown): made is Intl.DateTimeFormat => made instanceof Intl.DateTimeFormat;

const MINUS = "\u2212";

/** With the minus sign U+2212; text that is no decimal is returned unchanged. */
export function formatDecimal(text: string, locale: Locale, options: Intl.NumberFormatOptions): string {
  const format = cached(
    `${locale} ${JSON.stringify(options)}`,
    () => new Intl.NumberFormat(locale, options),
    isNumberFormat,
  );
  return isDecimal(text) ? format.format(text).replace("-", MINUS) : text;
}

export const plusOf = (decimal: string): string => (decimal.startsWith("-") || isZero(decimal) ? "" : "+");

export const signOf = (direction: "in" | "out"): string => (direction === "in" ? "+" : MINUS);

const DECIMAL_MARK: Record<Locale, string> = { "pt-BR": ",", en: "." };

/** `R$ 1.234,56`, to the last digit. */
export function formatBrl(decimal: string, locale: Locale): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  if (!isDecimal(decimal) || fraction.length <= 2) {
    return formatDecimal(decimal, locale, { style: "currency", currency: "BRL" });
  }
  const head = formatDecimal(whole, locale, { style: "currency", currency: "BRL", maximumFractionDigits: 0 });
  return `${head}${DECIMAL_MARK[locale]}${fraction}`;
}

/** Keeps every digit, but no trailing zeros. */
export function formatCrypto(decimal: string, locale: Locale): string {
  if (!isDecimal(decimal)) return decimal;
  const [whole = "", fraction = ""] = decimal.split(".");
  // Intl stops at 20 decimals on Node 20; a token may carry more.
  const digits = /^\d*[1-9]/.exec(fraction)?.[0] ?? "";
  const head = formatDecimal(whole, locale, {});
  return digits === "" ? head : `${head}${DECIMAL_MARK[locale]}${digits}`;
}

const SIGNIFICANT = 8;

/** `formatCrypto` in two: its first eight significant digits, never rounded, and what is left; up to eight decimals are whole. */
export function splitCrypto(decimal: string, locale: Locale): { head: string; tail: string } {
  const exact = formatCrypto(decimal, locale);
  const [whole = "", fraction = ""] = decimal.split(".");
  if (fraction.replace(/0+$/, "").length <= SIGNIFICANT) return { head: exact, tail: "" };
  const before = whole.replace(/^-?0*/, "").length;
  const zeros = before > 0 ? 0 : (/^0*/.exec(fraction)?.[0].length ?? 0);
  const kept = fraction.slice(0, zeros + Math.max(0, SIGNIFICANT - before));
  const head = formatCrypto(kept === "" ? whole : `${whole}.${kept}`, locale);
  return isDecimal(decimal) ? { head, tail: exact.slice(head.length) } : { head: exact, tail: "" };
}

/** Of a round figure beside an axis: `R$ 1,5 mi`, `0,0005`. */
export function formatShort(decimal: string, locale: Locale, isReais: boolean): string {
  const isSmall = /^-?0\.00/.test(decimal) && !isZero(decimal);
  if (isSmall && !isReais) return formatCrypto(decimal, locale);
  const unit = isReais ? ({ style: "currency", currency: "BRL", minimumFractionDigits: 0 } as const) : {};
  return formatDecimal(decimal, locale, { ...unit, notation: "compact", maximumFractionDigits: 2 });
}

/** `+2,3%`, from tenths of a per cent. */
export function formatPerMille(perMille: number, locale: Locale): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" } as const;
  return formatDecimal(String(perMille / 1_000), locale, { style: "percent", ...digits });
}

export function formatCount(count: number, locale: Locale): string {
  return formatDecimal(String(count), locale, {});
}

/** Beyond it a list says only that there are more. */
export const COUNTED_MAX = 9_999;

export const formatCountUpTo = (count: number, locale: Locale): string =>
  count > COUNTED_MAX ? `${formatCount(COUNTED_MAX, locale)}+` : formatCount(count, locale);

const SHAPES = {
  "pt-BR": {
    date: { day: "2-digit", month: "2-digit", year: "numeric" },
    dateTime: { day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" },
    day: { day: "2-digit", month: "2-digit" },
  },
  en: {
    date: { day: "2-digit", month: "short", year: "numeric" },
    dateTime: { day: "2-digit", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
    day: { day: "2-digit", month: "short" },
  },
} as const satisfies Record<Locale, Record<string, Intl.DateTimeFormatOptions>>;

// Day before month in English too: readers in Brazil must never wonder which comes first.
const INTL_LOCALE: Record<Locale, string> = { "pt-BR": "pt-BR", en: "en-GB" };

/** An ISO instant or a day; a day has no time. Anything else is shown as written. */
function formatInstant(iso: string, locale: Locale, shape: Intl.DateTimeFormatOptions): string {
  const read = readIso(iso);
  if (read === null || (read.isDay && shape.day === undefined)) return iso;
  const { weekday, day, month, year } = shape;
  const options = read.isDay ? { ...(weekday && { weekday }), day, month, ...(year !== undefined && { year }) } : shape;
  const build = () =>
    new Intl.DateTimeFormat(INTL_LOCALE[locale], { ...options, timeZone: TIME_ZONE, hourCycle: "h23" });
  return cached(`${locale} ${JSON.stringify(options)}`, build, isDateFormat)
    .format(read.ms)
    .replace(", ", " ");
}

/** In São Paulo: `12/11/2026 14:03`, in English `12 Nov 2026 14:03`. */
export function formatDateTime(iso: string, locale: Locale): string {
  return formatInstant(iso, locale, SHAPES[locale].dateTime);
}

/** Never broken over lines. */
export const unbroken = (text: string): string => text.replaceAll(" ", "\u00a0");

/** In São Paulo: `12/11/2026`. */
export function formatDate(iso: string, locale: Locale): string {
  return formatInstant(iso, locale, SHAPES[locale].date);
}

/** `14:03:22` in São Paulo. */
export function formatTime(iso: string, locale: Locale): string {
  return formatInstant(iso, locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

const HALF_A_DAY_MS = 12 * 60 * 60_000;

/** When something was read: `14:03:22`, with its day when that may not be today. */
export const formatAsOf = (iso: string, locale: Locale): string =>
  Date.now() - Date.parse(iso) > HALF_A_DAY_MS ? formatDateTime(iso, locale) : formatTime(iso, locale);

/** `14:03` in São Paulo; empty without a time. */
export function formatClock(iso: string, locale: Locale): string {
  const read = readIso(iso);
  return read === null || read.isDay ? "" : formatInstant(iso, locale, { hour: "2-digit", minute: "2-digit" });
}

export const formatWeekday = (iso: string, locale: Locale): string =>
  formatInstant(iso, locale, { weekday: "short", ...SHAPES[locale].date });

/** In São Paulo: `21/11` and `14:03:22,123`. */
export function formatMoment(iso: string, locale: Locale): { day: string; time: string } {
  return {
    day: formatInstant(iso, locale, SHAPES[locale].day),
    time: formatInstant(iso, locale, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      fractionalSecondDigits: 3,
    }),
  };
}
