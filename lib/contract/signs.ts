// Without zod, as browsers fold typed text, too.
export const WHITE = /[\p{White_Space}\u2800]/u;
/** Combining marks, formats, controls and fillers: invisible between two digits. */
const UNSEEN = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/u;
const DASH = /[\p{Dash}\p{Pc}\u00af\u02d7\u2043\u2500\u2501\u2796\u30fc]/u;
const DOT = /[\u00b7\u2022\u2027\u2219\u22c5\u3002\u30fb\u066b\u06d4]/;
const SLASH = /[\\|\u2044\u2215\u2571\u29f8]/;
const COMMA = /['\u2019\u060c\u066c\u201a\u3001]/;

const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));

function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  let zero = code;
  while (isDigit(zero - 1)) zero -= 1;
  return String((code - zero) % 10);
}

function plainSign(sign: string): string {
  if (WHITE.test(sign)) return " ";
  if (DASH.test(sign)) return "-";
  if (UNSEEN.test(sign)) return "";
  if (/\p{Nd}/u.test(sign)) return digitOf(sign);
  if (DOT.test(sign)) return ".";
  if (SLASH.test(sign)) return "/";
  if (COMMA.test(sign)) return ",";
  // Fractions and circled numbers are not digits.
  return /\p{No}/u.test(sign) ? sign : sign.normalize("NFKC");
}

const known = new Map<string, string>();

export function plainOf(sign: string): string {
  const plain = known.get(sign) ?? plainSign(sign);
  if (known.size < 4_096) known.set(sign, plain);
  return plain;
}

export const PLAIN = /^[\t\n\r\x20-\x26\x28-\x5b\x5d\x5e\x60-\x7b\x7d\x7e]*$/;

/** The text as people read it: digits, dashes, spaces, points and full-width letters in ASCII, nothing invisible. */
export function fold(text: string): string {
  return PLAIN.test(text) ? text.replaceAll(/\s/g, " ") : Array.from(text, plainOf).join("");
}
