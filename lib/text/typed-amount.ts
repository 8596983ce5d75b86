import { fold } from "@/lib/contract/fold";

export const withoutCurrency = (text: string): string =>
  fold(text)
    .trim()
    .replace(/^(?:R\$|BRL) ?/i, "");

const UNGROUPED = /^(\d+)(?:[.,](\d{1,2}))?$/;
/** Groups of exactly three with one separator throughout, and another one before the decimals. */
const GROUPED = /^([1-9]\d{0,2}([ .,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;

type Amount = { whole: string; cents: string; isSure: boolean };

/** `isSure`: false for `1.234`, which may be thousands or thousandths. */
function amountIn(text: string): Amount | null {
  const plain = fold(text).trim();
  const [, digits, few = ""] = UNGROUPED.exec(plain) ?? [];
  if (digits !== undefined) return { whole: digits, cents: few, isSure: true };
  const [, groups, by, cents = ""] = GROUPED.exec(plain) ?? [];
  if (groups === undefined || cents.length > 2) return null;
  return { whole: groups.replaceAll(/\D/g, ""), cents, isSure: by === " " || cents !== "" };
}

/** An amount to search for, `1.234,56` or `1,234.56`, as a decimal string; null for anything else. */
export function readAmount(text: string): string | null {
  const amount = amountIn(withoutCurrency(text));
  if (amount === null || amount.whole.length > 15) return null;
  return amount.cents === "" ? amount.whole : `${amount.whole}.${amount.cents}`;
}

/** Reais to pay or to limit, with two decimals: `5000`, `5000,5`, `5.000,00`, `5 000,00`; null for other text. */
export function readReais(text: string): string | null {
  const amount = amountIn(text);
  if (amount?.isSure !== true) return null;
  return `${amount.whole.replace(/^0+(?=\d)/, "")}.${amount.cents.padEnd(2, "0")}`;
}

/** Coins with all their decimals: `0,5`, `1.234,5678`; null for other text, `ambiguous` for `1.234`. */
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
