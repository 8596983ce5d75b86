import { isDocument, withoutFilling } from "./check-digits";
import { fold, PLAIN, plainOf, WHITE } from "./signs";

export type Place = { word: string; from: number; to: number };

export type FoldedText = { folded: string; placeOf: (from: number, to: number) => Place };

type Unit = { sign: string; from: number; to: number };

const PERCENT = /%(?:[0-7][\da-f]|[c-f][\da-f](?:%[89ab][\da-f]){1,3})/gi;
const MARKUP = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,20});|\\u(?:[\da-f]{4}|\{[\da-f]{1,6}\})|\\x[\da-f]{2}/gi;
const ESCAPE = new RegExp(`${PERCENT.source}|${MARKUP.source}`, "gi");

const signAt = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : " ");

/** The character behind a URL, HTML or program escape; a named HTML entity is read as a space. */
function unescaped(escape: string): string {
  if (escape.startsWith("%")) return new TextDecoder().decode(bytesOf(escape));
  const digits = /[\da-f]+/i.exec(escape.replace(/^&#x|^&#|^\\[ux]/i, ""))?.[0] ?? "";
  if (/^(?:&#x|\\)/i.test(escape)) return signAt(Number.parseInt(digits, 16));
  if (escape.startsWith("&#")) return signAt(Number(digits));
  return escape.toLowerCase() === "&amp;" ? "&" : " ";
}

const bytesOf = (escape: string) => Uint8Array.from(escape.split("%").slice(1), (byte) => Number.parseInt(byte, 16));

function unescapedUnits(units: readonly Unit[], escapes: RegExp): Unit[] | null {
  const text = units.map(({ sign }) => sign).join("");
  if (text.search(escapes) === -1) return null;
  const owners = units.flatMap((unit) => Array.from({ length: unit.sign.length }, () => unit));
  const between = (from: number, to?: number) =>
    owners.slice(from, to).filter((unit, nth, some) => unit !== some[nth - 1]);
  const read: Unit[][] = [];
  let at = 0;
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    const before = between(at, index);
    at = index + escape.length;
    const from = owners[index]?.from ?? 0;
    const to = owners[at - 1]?.to ?? 0;
    read.push(
      before,
      Array.from(unescaped(escape), (sign) => ({ sign, from, to })),
    );
  }
  return [...read, between(at)].flat();
}

function readingOf(text: string, units: Iterable<Unit>): FoldedText {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = "";
  for (const { sign, from, to } of units) {
    const plain = plainOf(sign);
    folded += plain;
    for (let unit = 0; unit < plain.length; unit += 1) {
      starts.push(from);
      ends.push(to);
    }
  }
  const placeOf = (first: number, end: number) => {
    const from = starts[first] ?? 0;
    const to = ends[end - 1] ?? 0;
    return { word: text.slice(from, to), from, to };
  };
  return { folded, placeOf };
}

function unitsOf(text: string): Unit[] {
  let at = 0;
  return Array.from(text, (sign) => {
    const from = at;
    at += sign.length;
    return { sign, from, to: at };
  });
}

const ESCAPED_MAX = 4;

/** The text as it is and with its escapes decoded, of each kind and of both, repeated while any remain. */
export function readingsOf(text: string): FoldedText[] {
  const isPlain = PLAIN.test(text);
  const units = isPlain ? [] : unitsOf(text);
  const placeOf = (from: number, to: number) => ({ word: text.slice(from, to), from, to });
  const readings = [isPlain ? { folded: fold(text), placeOf } : readingOf(text, units)];
  if (text.search(ESCAPE) === -1) return readings;
  for (const escapes of [ESCAPE, PERCENT, MARKUP]) {
    let read = unescapedUnits(unitsOf(text), escapes);
    for (let times = 0; read !== null && times < ESCAPED_MAX; times += 1) {
      const reading = readingOf(text, read);
      if (readings.every(({ folded }) => folded !== reading.folded)) readings.push(reading);
      read = unescapedUnits(read, escapes);
    }
  }
  return readings;
}

export function finderIn(text: string): (pattern: RegExp) => Place[] {
  const readings = readingsOf(text);
  return (pattern) =>
    readings.flatMap(({ folded, placeOf }) =>
      Array.from(folded.matchAll(pattern), ({ 0: found, index }) => placeOf(index, index + found.length)),
    );
}

const SEPARATORS = /[ .,/-]/g;

/** Without the points, dashes, spaces and commas between groups of a number. */
export const withoutSeparators = (text: string): string => fold(text).replaceAll(SEPARATORS, "");

const SHAPED = /^(?:\d{11}|[0-9A-Z]{12}\d{2})$/;
const LABEL = /^(?:CPF\/?CNPJ|CPF|CNPJ|documento?|doc|chave(?: pix)?|pix)[ :=#./-]*/i;
const LABEL_APART = /^(?:CPF|CNPJ|doc)[^\p{L}\p{N}]/iu;
const LABELLED = /^(?:CPF|CNPJ|DOC|PIX)\d{10,11}$/;
const BEFORE = " \"'<([{:;,";
const BEHIND = " \"'>)]}:;,";

function withoutEdges(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && BEFORE.includes(text.charAt(from))) from += 1;
  while (to > from && BEHIND.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

const signsOf = (folded: string): string =>
  withoutEdges(folded)
    .replace(LABEL, "")
    .replaceAll(/[^\p{L}\p{N}*•]/gu, "")
    .toUpperCase();

/** The letters and digits of a typed document, without its label; a mask's asterisks stay. */
export const documentSigns = (typed: string): string => signsOf(fold(typed));

const bareOf = (folded: string) => folded.replaceAll(SEPARATORS, "").toUpperCase();

/** Upper case, without punctuation, padding, label and surroundings; text that is no document stays recognisable. */
export function normaliseDocument(typed: string): string {
  for (const { folded } of readingsOf(typed)) {
    const signs = signsOf(folded);
    const bare = LABEL_APART.test(withoutEdges(folded)) ? signs : bareOf(folded);
    for (const one of [bare, signs, signs.replaceAll(/[*•]/g, "")]) {
      const document = isDocument(one) ? one : withoutFilling(one);
      if (document !== null) return document;
    }
  }
  const bare = bareOf(fold(typed));
  if (SHAPED.test(bare) && !LABELLED.test(bare)) return bare;
  const signs = documentSigns(typed);
  return /^(?:\d{11}|\d{14})$/.test(signs) ? signs : bare;
}

const WITHIN_EDGES = /[^\s;,](?:.*[^\s;,])?/s;
const QUOTED = /^(?:"([^"]*)"|'([^']*)'|“([^”]*)”|‘([^’]*)’|<([^<>]*)>)$/;

/** An id, key or address without what was pasted along: invisible characters, quotes and cell ends. */
export function pasted(text: string): string {
  const visible = text
    .normalize("NFC")
    .replaceAll(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (sign) => (WHITE.test(sign) ? " " : ""));
  const [bare = ""] = WITHIN_EDGES.exec(visible) ?? [];
  const quoted = QUOTED.exec(bare)
    ?.slice(1)
    .find((inner) => inner !== undefined);
  return quoted === undefined ? bare : quoted.trim();
}

const AROUND_A_WORD = /^[([{<"'“‘]+|[)\]}>"'”’.,;:!?]+$/g;

/** The words of a pasted text, and with them the parts of links and of `name:value`, as `pasted` reads each. */
export function pastedWords(text: string): { words: string[]; parts: string[] } {
  const words = pasted(text)
    .split(/[\s,;|]+/)
    .map((word) => pasted(word.replaceAll(AROUND_A_WORD, "")))
    .filter((word) => word !== "");
  const parts = words.flatMap((word) => [word, ...word.split(/[/?#&=:]+/)]);
  return { words: [...new Set(words)], parts: [...new Set(parts)] };
}

export function unwrappedEmail(text: string): string {
  const bare = pasted(text).replace(/^(?:[^<>@]* )?<([^<>]+)>$/, "$1");
  return (/^mailto:([^?]*)/i.exec(bare)?.[1] ?? bare).trim();
}

export const pastedEmail = (text: string): string => unwrappedEmail(text.normalize("NFKC"));
