import { completeCnpj, completeCpf, isCnpj, isCpf, isDocument, withDroppedZeros, withoutFilling } from "./check-digits";
import { documentSigns, normaliseDocument, type Place, readingsOf } from "./fold";
import { fold } from "./signs";

export { completeCnpj, completeCpf, isCnpj, isCpf, isDocument };

/** With the points and the dash that people write: `529.982.247-25`, `12.ABC.345/01DE-35`. */
export function formatDocument(document: string): string {
  return document.length === 11
    ? `${document.slice(0, 3)}.${document.slice(3, 6)}.${document.slice(6, 9)}-${document.slice(9)}`
    : `${document.slice(0, 2)}.${document.slice(2, 5)}.${document.slice(5, 8)}/${document.slice(8, 12)}-${document.slice(12)}`;
}

/** The middle digits only: `***.456.789-**` for a CPF, `**.345.678/9012-**` for a CNPJ. */
export function maskDocument(document: string): string {
  return document.length === 11
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/${document.slice(8, 12)}-**`;
}

const APART = "[^\\p{L}\\p{N}]*";
const digits = (...sizes: number[]) => sizes.map((size) => `\\d{${size}}`).join(APART);
const signs = (...sizes: number[]) => sizes.map((size) => `[\\dA-Z]{${size}}`).join(APART);
// A lookahead, since one may begin within another.
const CPF_WITHIN = new RegExp(`(?<!\\d)(?=(0*${digits(3, 3, 3, 2)})(?!\\d))`, "gu");
const CNPJ_WITHIN = new RegExp(`(?<!\\d)(?=(0*${digits(2, 3, 3, 4, 2)})(?!\\d))`, "gu");
const LETTERED_CNPJ_WITHIN = new RegExp(
  `(?:(?<![\\dA-Z])|(?<=CNPJ))(?=(${signs(2, 3, 3, 4)}${APART}\\d{2})(?!\\d))`,
  "giu",
);
const SPACED_CNPJ_WITHIN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?=((?:[\\dA-Z][^\\p{L}\\p{N}]+){12}\\d[^\\p{L}\\p{N}]+\\d)(?![\\p{L}\\p{N}]))`,
  "giu",
);
const SPACED_CPF_WITHIN = /(?<![\p{L}\p{N}])(?=((?:\d[^\p{L}\p{N}]+){10}\d)(?![\p{L}\p{N}]))/gu;
const GROUPED_DIGITS = /(?<!\d)\d+(?:[^\p{L}\p{N}]+\d+)+/gu;

/** A UUID, or a hash in hexadecimal digits. */
const LONG_ID = /(?<![\da-z])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:0x)?[\da-f]{32,128})(?![\da-z])/gi;

const COMPUTER = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/;

/** Other kinds of numbers in any grouping: times, phones, accounts, IP addresses and amounts. */
const OTHER_NUMBERS = new RegExp(
  [
    /(?<!\d)(?:19|20)\d{2}-[01]\d-[0-3]\d(?:[T ]+[0-2]\d:[0-5]\d(?::[0-5]\d)?)?(?!\d)/,
    /(?<!\d)[0-3]\d\/[01]\d\/(?:19|20)\d{2}(?: +[0-2]\d:[0-5]\d(?::[0-5]\d)?)?(?!\d)/,
    /(?<![\d:])[0-2]\d:[0-5]\d:[0-5]\d(?![\d:])/,
    /(?<!\d)(?:\+\d[\d ().-]{8,16}\d|\(\d{2}\) *\d{4,5}[- ]?\d{4}|\d{2} 9?\d{4}-\d{4})(?!\d)/,
    /(?<!\d)\d{4}(?: *\/ *| +)\d{5,10}-\d(?!\d)/,
    COMPUTER,
    /(?:R\$|US\$|[$€£]|BRL|USD|EUR) *\d[\d.,]*/,
    /(?<![\d.,])\d{1,3}(?:(?:\.\d{3})+,|(?:,\d{3})+\.)\d{2}(?![\d.,])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

const OTHER_WORD = /^(?:\d+[.,]\d{2}[;,]?|\d{2}:\d{2}[;,]?)$/;

/** Only documents have this punctuation, whether the check digits are right or not. */
const WRITTEN_IN_FULL = /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;
const BRANCH_OF_A_YEAR = /\/(?:19|20)\d{2}-/;
const AMOUNT = /^\d{3}\.\d{3}\.\d{3},\d{2}$/;

const CALLED_DOCUMENT = /(?:CPF|CNPJ|document[oe]?)[^\p{L}\p{N}]*$/iu;
const CALLED_OTHERWISE =
  /(?<!\p{L})(?:NFS?-?e?|NFC-?e|DANFE|notas?(?: fisca(?:l|is))?|faturas?|invoices?|pedidos?|orders?|contratos?|contracts?|processos?|protocolos?|boletos?)(?:[^\p{L}\p{N}]*n[o.º°]*)?[^\p{L}\p{N}]*$/iu;
const CALLED_COMPUTER =
  /(?:(?<!\p{L})(?:IP(?:v4)?|host|servidor|server|gateway|proxy|client|from|origem|source)[^\p{L}\p{N}]*|:\/\/)$/iu;
const CALLED_AMOUNT = /(?:[$€£] *|(?<!\p{L})(?:BRL|USD|EUR|valor|total|saldo|amount|balance)[^\p{L}\p{N}]*)$/iu;
const ADDS_A_CURRENCY = /^ *(?:BRL|USD|EUR|reais)/i;
const ADDS_A_PORT = /^(?::\d{1,5}|\/\d{1,2})(?!\d)/;

const SEEN_ROUND = 32;

type Surroundings = { before: string; behind: string };

function isOtherNumber(written: string, { before, behind }: Surroundings): boolean {
  if (CALLED_DOCUMENT.test(before)) return false;
  if (AMOUNT.test(written)) return CALLED_AMOUNT.test(before) || ADDS_A_CURRENCY.test(behind);
  return COMPUTER.test(written) && (CALLED_COMPUTER.test(before) || ADDS_A_PORT.test(behind));
}

/** A document's punctuation with wrong check digits means a typing error, unless the text names another kind. */
const isMistyped = (written: string, { before }: Surroundings) =>
  WRITTEN_IN_FULL.test(written) &&
  (CALLED_DOCUMENT.test(before) || !(CALLED_OTHERWISE.test(before) || BRANCH_OF_A_YEAR.test(written)));

const bareOf = (folded: string) => folded.replaceAll(/[^\p{L}\p{N}]/gu, "").toUpperCase();

type Span = { from: number; to: number };
type FoundDocument = Span & { document: string };

/** Replaces what was read, so that no match spans it. */
const READ = "ß";
const blankAll = (text: string, pattern: RegExp) => text.replaceAll(pattern, (found) => READ.repeat(found.length));

function blankSpans(text: string, spans: readonly Span[]): string {
  let blanked = "";
  let at = 0;
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    blanked += text.slice(at, from) + READ.repeat(Math.max(0, to - Math.max(at, from)));
    at = Math.max(at, to);
  }
  return blanked + text.slice(at);
}

/** Digits padded with three zeros may be a CPF and a CNPJ: a CNPJ's mask would show nine of the CPF's. */
function asWritten(written: string, document: string | null): string | null {
  const filled = document?.startsWith("000") === true ? document.slice(3) : "";
  return isCpf(filled) && !WRITTEN_IN_FULL.test(written) ? filled : document;
}

function roundOf(text: string, { from, to }: Span): Surroundings {
  return { before: text.slice(Math.max(0, from - SEEN_ROUND), from), behind: text.slice(to, to + SEEN_ROUND) };
}

function documentAt(text: string, from: number, written: string): FoundDocument[] {
  const to = from + written.length;
  const bare = bareOf(written);
  const document = asWritten(written, isDocument(bare) ? bare : withoutFilling(bare));
  const round = roundOf(text, { from, to });
  if (document === null) return isMistyped(written, round) ? [{ from, to, document: bare }] : [];
  return isOtherNumber(written, round) ? [] : [{ from, to, document }];
}

function* windowsIn(groups: readonly Span[]): Generator<Span> {
  for (const [first, { from }] of groups.entries()) {
    let length = 0;
    for (const group of groups.slice(first, first + 14)) {
      length += group.to - group.from;
      if (length === 11 || length === 14) yield { from, to: group.to };
    }
  }
}

const groupsOf = (run: string, index: number): Span[] =>
  Array.from(run.matchAll(/\d+/g), ({ 0: group, index: at }) => ({
    from: index + at,
    to: index + at + group.length,
  }));

function groupedIn(text: string): FoundDocument[] {
  return Array.from(text.matchAll(GROUPED_DIGITS)).flatMap(({ 0: run, index }) => {
    return Array.from(windowsIn(groupsOf(run, index))).flatMap(({ from, to }) => {
      const written = text.slice(from, to);
      const document = bareOf(written);
      const isOther = written.split(/ +/).every((word) => OTHER_WORD.test(word));
      return isDocument(document) && !isOther ? [{ from, to, document }] : [];
    });
  });
}

const PATTERNS = [CNPJ_WITHIN, LETTERED_CNPJ_WITHIN, SPACED_CNPJ_WITHIN, CPF_WITHIN, SPACED_CPF_WITHIN];

function writtenInFolded(folded: string): FoundDocument[] {
  const text = blankAll(folded, LONG_ID);
  const found = PATTERNS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern)).flatMap(({ 1: written = "", index }) => documentAt(text, index, written)),
  );
  return [...found, ...groupedIn(blankSpans(blankAll(text, OTHER_NUMBERS), found))];
}

type WrittenDocument = Place & { document: string };

function writtenIn(text: string): WrittenDocument[] {
  if (text.length < 11 || !/\p{N}/u.test(text)) return [];
  return readingsOf(text).flatMap(({ folded, placeOf }) =>
    writtenInFolded(folded).map(({ from, to, document }) => ({ ...placeOf(from, to), document })),
  );
}

/**
 * The text with every CPF and CNPJ masked, in any characters: those with valid check digits, and those with full
 * punctuation even without. Other numbers and UUIDs stay whole.
 */
export function maskWithin(text: string): string {
  let masked = "";
  let at = 0;
  for (const { from, to, document } of writtenIn(text).toSorted((one, other) => one.from - other.from)) {
    if (from >= at) masked += text.slice(at, from) + maskDocument(document);
    at = Math.max(at, to);
  }
  return masked + text.slice(at);
}

/** The places of the CPFs and CNPJs that `maskWithin` masks; they may overlap. */
export const documentsWithin = (text: string): Place[] =>
  writtenIn(text).map(({ word, from, to }) => ({ word, from, to }));

/** Two documents pasted without anything between them. */
const GLUED = /(?<![\p{L}\p{N}])(?:\d{22}|\d{25}|\d{28})(?![\p{L}\p{N}])/u;

const gluedIn = (run: string): string[] =>
  [11, 14].map((at) => [run.slice(0, at), run.slice(at)]).find((parts) => parts.every(isDocument)) ?? [];

/** None of a text that is one itself. A mistyped document in full punctuation is one, too. */
function namedWithin(typed: string): ReadonlySet<string> {
  if (isDocument(normaliseDocument(typed))) return new Set();
  const glued = gluedIn(GLUED.exec(fold(typed))?.[0] ?? "");
  return new Set([...glued, ...documentsWithin(typed).map(({ word }) => normaliseDocument(word))]);
}

/** Of words around one document the document alone, as in `CPF: 529.982.247-25 (Maria)`; any other text as it is. */
export function documentAmong(typed: string): string {
  const [only = "", another] = namedWithin(typed);
  return isDocument(only) && another === undefined ? only : typed;
}

/** Whether more than one person or company is named, one of them perhaps mistyped. */
export const holdsSeveral = (typed: string): boolean => namedWithin(typed).size > 1;

const RUN_OF_DIGITS = /(?<!\d)\d+(?:[^\p{L}\p{N}]+\d+)*/gu;
const WITHIN_WORD = /[\p{L}_][^\s\p{L}\p{N}]*$/u;
const ENDS_IN_WORD = /^[^\s\p{L}\p{N}]*[\p{L}_]/u;
const ADDS_A_LETTER = /^[\p{L}_]/u;
const AFTER_A_LETTER = /[\p{L}_]$/u;
/** Where the groups of a document end: `529.982.247-25`, `11.222.333/0001-81`. */
const ENDS: Readonly<Record<number, readonly number[]>> = { 11: [3, 6, 9, 11], 14: [2, 5, 8, 12, 14] };

/** Whether digits as many as a document's are grouped as one, or stand apart from any word. */
function isShapedAsDocument(text: string, run: readonly Span[], found: Span): boolean {
  const groups = run.filter(({ from, to }) => from >= found.from && to <= found.to);
  const sizes = groups.map(({ from, to }) => to - from);
  const ends = sizes.map((_, nth) => sizes.slice(0, nth + 1).reduce((sum, size) => sum + size, 0));
  const grouped = ENDS[ends.at(-1) ?? 0] ?? [];
  const { before, behind } = roundOf(text, found);
  if (CALLED_DOCUMENT.test(before)) return true;
  if (CALLED_OTHERWISE.test(before) || BRANCH_OF_A_YEAR.test(text.slice(found.from, found.to))) return false;
  if (ends.every((end) => grouped.includes(end)) || sizes.every((size) => size === 1))
    return !(AFTER_A_LETTER.test(before) || ADDS_A_LETTER.test(behind));
  return groups.length === run.length && !WITHIN_WORD.test(before) && !ENDS_IN_WORD.test(behind);
}

const LEAST_AMONG_WORDS = 6;
const NUMBER_AMONG_WORDS = /(?<![\p{L}\p{N}]|[\p{L}\p{N}][^\s\p{L}\p{N}:;,=(<["']+)\d[\d.,/-]*/gu;
const LABELLED_NUMBER = /(?<=CPF|CNPJ|doc|document[oe])[^\p{L}\p{N}]*\d[\d.,/ -]*/giu;
const CALLED_ACCOUNT =
  /(?<!\p{L})(?:contas?|accounts?|c\/?c|ag(?:[êe]ncia)?|branch)(?:[^\p{L}\p{N}]*n[o.º°]*)?[^\p{L}\p{N}]*$/iu;
/** One check digit after a dash, or two decimals: an account, or an amount. */
const SHORT_END = /(?:-\d|,\d{2})[.,/-]*$/;

function restorableIn(folded: string): string[] {
  const text = blankAll(blankAll(folded, LONG_ID), OTHER_NUMBERS);
  const alone = Array.from(text.matchAll(NUMBER_AMONG_WORDS)).flatMap(({ 0: number, index }) => {
    const { before, behind } = roundOf(text, { from: index, to: index + number.length });
    const isOther = CALLED_OTHERWISE.test(before) || CALLED_ACCOUNT.test(before) || SHORT_END.test(number);
    return isOther || ADDS_A_LETTER.test(behind) ? [] : [number];
  });
  const labelled = Array.from(text.matchAll(LABELLED_NUMBER), ({ 0: number }) => number);
  return [...alone, ...labelled].map(bareOf).filter(({ length }) => length >= LEAST_AMONG_WORDS);
}

/** CPF and CNPJ whose leading zeros a spreadsheet may have dropped, as the whole text or among its words. */
export function restoredDocuments(typed: string): string[] {
  const whole = withDroppedZeros(documentSigns(typed));
  if (whole.length > 0 || documentsWithin(typed).length > 0) return whole;
  return [...new Set(readingsOf(typed).flatMap(({ folded }) => restorableIn(folded)))].flatMap(withDroppedZeros);
}

/**
 * Whether a text may hold a CPF or CNPJ, and so may be in no address: with wrong check digits too, in any grouping,
 * among words, or without its leading zeros. Ids, hashes and numbers that are called otherwise are none.
 */
export function mayHoldDocument(text: string): boolean {
  if (!/\p{N}/u.test(text)) return false;
  if (documentsWithin(text).length > 0 || isDocument(normaliseDocument(text))) return true;
  const isShaped = readingsOf(text).some(({ folded }) => {
    const rest = blankAll(blankAll(folded, LONG_ID), OTHER_NUMBERS);
    if (GLUED.test(rest)) return true;
    return Array.from(rest.matchAll(RUN_OF_DIGITS)).some(({ 0: written, index }) => {
      const run = groupsOf(written, index);
      return Array.from(windowsIn(run)).some((found) => isShapedAsDocument(rest, run, found));
    });
  });
  return isShaped || restoredDocuments(text).length > 0;
}

export type NamedDocument =
  | { kind: "one"; document: string }
  | { kind: "restored"; documents: string[] }
  | { kind: "several" | "mistyped" | "none" };

/** The one reading of a typed or pasted document for every look-up, alone or among words. */
export function namedDocument(typed: string): NamedDocument {
  if (holdsSeveral(typed)) return { kind: "several" };
  const document = normaliseDocument(documentAmong(typed));
  if (isDocument(document)) return { kind: "one", document };
  const documents = restoredDocuments(typed);
  if (documents.length > 0) return { kind: "restored", documents };
  return { kind: mayHoldDocument(typed) ? "mistyped" : "none" };
}
