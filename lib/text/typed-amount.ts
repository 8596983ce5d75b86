import { fold } from "@/lib/contract/signs";

export const withoutCurrency = (text: string): string =>
  fold(text)
    .trim()
    .replace(/^(?:R\$|BRL) ?/i, "")
    .replace(/ ?(?:R\$|BRL|reais)$/i, "");

const UNGROUPED = /^(\d+)(?:[.,](\d+))?$/;
/** Groups of exactly three with one separator throughout, and another one before the decimals. */
const GROUPED = /^([1-9]\d{0,2}([ .,'])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;
const IS_ONLY_GROUPING = /[ ']/;

/** `isSure`: false for `1.234`, which may be thousands or thousandths. */
type Typed = { whole: string; fraction: string; isSure: boolean };

/** What every reader below reads of a number without a sign, in any usual way to group and to write decimals. */
function readTyped(text: string): Typed | null {
  const plain = fold(text).trim();
  const [, groups, by = "", decimals = ""] = GROUPED.exec(plain) ?? [];
  const [, digits, few = ""] = UNGROUPED.exec(plain) ?? [];
  const whole = (groups ?? digits)?.replaceAll(/\D/g, "").replace(/^0+(?=\d)/, "");
  if (whole === undefined) return null;
  if (groups === undefined) return { whole, fraction: few, isSure: true };
  const isSure = IS_ONLY_GROUPING.test(by) || decimals !== "" || groups.split(by).length > 2;
  return { whole, fraction: decimals, isSure };
}

const CENTS = 2;
const SOUGHT_MAX = 15;

/** An amount to search for, `1.234,56` or `1,234.56`, as a decimal string; null for anything else. */
export function readAmount(text: string): string | null {
  const typed = readTyped(withoutCurrency(text));
  if (typed === null || typed.fraction.length > CENTS || typed.whole.length > SOUGHT_MAX) return null;
  return typed.fraction === "" ? typed.whole : `${typed.whole}.${typed.fraction}`;
}

/** Reais to pay or to limit, with two decimals: `R$ 5.000,00`, `5,000.5`, `5000`, `5 000,00`; null for other text. */
export function readReais(text: string): string | null {
  const typed = readTyped(withoutCurrency(text));
  if (typed?.isSure !== true || typed.fraction.length > CENTS) return null;
  return `${typed.whole}.${typed.fraction.padEnd(CENTS, "0")}`;
}

/** Coins with all their decimals: `0,5`, `1.234,5678`; null for other text, `ambiguous` for `1.234`. */
export function readCoins(text: string): string | null {
  const typed = readTyped(text);
  if (typed === null) return null;
  if (!typed.isSure) return "ambiguous";
  const fraction = /^\d*[1-9]/.exec(typed.fraction)?.[0] ?? "";
  return fraction === "" ? typed.whole : `${typed.whole}.${fraction}`;
}
