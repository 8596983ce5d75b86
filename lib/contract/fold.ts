// Without zod: browsers fold what is typed, too.

const WHITE = /[\p{White_Space}\u2800]/u;
/** Combining marks, formats, controls and fillers: nobody sees them between two digits. */
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
  // Fractions and numbers in circles are no digits of a number.
  return /\p{No}/u.test(sign) ? sign : sign.normalize("NFKC");
}

const known = new Map<string, string>();

function plainOf(sign: string): string {
  const plain = known.get(sign) ?? plainSign(sign);
  if (known.size < 4_096) known.set(sign, plain);
  return plain;
}

const PLAIN = /^[\t\n\r\x20-\x26\x28-\x5b\x5d\x5e\x60-\x7b\x7d\x7e]*$/;

/** The text as a reader takes it in: its digits, dashes, spaces, points and full-width letters in ASCII, nothing unseen. */
export function fold(text: string): string {
  return PLAIN.test(text) ? text.replaceAll(/\s/g, " ") : Array.from(text, plainOf).join("");
}

export type Place = { word: string; from: number; to: number };

/** Finds the places of the text where its fold matches a global pattern. `folded` is what it matched. */
export function finderIn(text: string): (pattern: RegExp) => (Place & { folded: string })[] {
  const isPlain = PLAIN.test(text);
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = isPlain ? fold(text) : "";
  let at = 0;
  for (const sign of isPlain ? "" : text) {
    const plain = plainOf(sign);
    folded += plain;
    for (let unit = 0; unit < plain.length; unit += 1) {
      starts.push(at);
      ends.push(at + sign.length);
    }
    at += sign.length;
  }
  return (pattern) =>
    Array.from(folded.matchAll(pattern), (match) => {
      const found = match[1] ?? match[0];
      const last = match.index + found.length - 1;
      const [from, to] = isPlain ? [match.index, last + 1] : [starts[match.index] ?? 0, ends[last] ?? 0];
      return { word: text.slice(from, to), from, to, folded: found };
    });
}

/** Without the points, dashes, spaces and commas that stand between groups of a number. */
export const withoutSeparators = (text: string): string => fold(text).replaceAll(/[ .,/-]/g, "");

const SHAPED = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/;
const LABEL = /^(?:CPF\/?CNPJ|CPF|CNPJ)[ :=#./-]*/i;
const BEFORE = " \"'<([{:;,";
const BEHIND = " \"'>)]}:;,";

function withoutEdges(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && BEFORE.includes(text.charAt(from))) from += 1;
  while (to > from && BEHIND.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Without punctuation, what it is called and what stands round it, letters raised; no document stays recognisable. */
export function normaliseDocument(typed: string): string {
  const bare = withoutSeparators(typed).toUpperCase();
  if (SHAPED.test(bare) && !/^(?:CPF|CNPJ)\d{11}$/.test(bare)) return bare;
  const unlabelled = withoutSeparators(withoutEdges(fold(typed)).replace(LABEL, "")).toUpperCase();
  return SHAPED.test(unlabelled) ? unlabelled : bare;
}

/** An id, a key or an address as it was meant, without what came along with a copy. */
export const pasted = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (sign) => (WHITE.test(sign) ? " " : ""))
    .trim();

export function pastedEmail(text: string): string {
  const bare = pasted(text)
    .normalize("NFKC")
    .replace(/^(?:[^<>@]* )?<([^<>]+)>$/, "$1");
  return (/^mailto:([^?]*)/i.exec(bare)?.[1] ?? bare).trim();
}
