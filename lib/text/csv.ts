import { formatClock, formatDate, formatMoment, formatTime, type Locale } from "./format";
import { civilDay, dayOfIso } from "./time";

export type Cell = string | number | null;

export const CSV_START = "\uFEFF";

// A reader that splits at another delimiter starts a cell there.
const DELIMITERS = /([;,|\t\r\n]+)/;
const BLANKS = /^[\s\p{Cc}\p{Cf}"']*/u;
// Characters that make a spreadsheet compute, full-width included.
const COMPUTES = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^\s*-\d+(?:\.\d+)?[\]}"]*$/;
const PLAIN_NUMBER = { "pt-BR": /^-?(?:0|[1-9]\d{0,14})([.,]\d+)?$/, en: /^-?(?:0|[1-9]\d{0,14})(\.\d+)?$/ } as const;
const DELIMITER: Record<Locale, string> = { "pt-BR": ";", en: "," };

/** From the end, since blanks and line ends may precede a formula. */
function atFormulas(text: string, change: (piece: string) => string): string {
  const parts = text.split(DELIMITERS);
  let computes = false;
  for (let at = parts.length - 1; at >= 0; at -= 2) {
    const piece = parts[at] ?? "";
    const rest = piece.replace(BLANKS, "");
    const isFirst = at === 0;
    if (rest === "") computes &&= (parts[at + 1] ?? "").trim() === "";
    else computes = COMPUTES.test(rest) && (isFirst || !NUMBER.test(piece));
    if (computes && !isFirst) parts[at] = change(piece);
  }
  const whole = parts.join("");
  return computes || /^'*\p{Cc}/u.test(text) ? change(whole) : whole;
}

const defused = (text: string): string => atFormulas(text, (piece) => `'${piece}`);

/** The text of a cell that `csvLine` wrote. */
const asWritten = (cell: string): string => atFormulas(cell, (piece) => piece.replace(/^'/, ""));

function written(cell: Cell, locale: Locale): string {
  if (cell === null) return "";
  const text = String(cell);
  return PLAIN_NUMBER[locale].test(text) ? text : `"${defused(text).replaceAll('"', '""')}"`;
}

/** RFC 4180, with `;` in languages with a decimal comma. An apostrophe stops formulas in text; ids have none, as people search for them. */
export function csvLine(cells: readonly Cell[], locale: Locale = "pt-BR"): string {
  return `${cells.map((cell) => written(cell, locale)).join(DELIMITER[locale])}\r\n`;
}

/** A column's header and cell. */
export type CsvColumn<Row, Words, Name extends string = string> = {
  name: Name;
  csv: (row: Row, words: Words) => Cell;
};

export function csvTable<Row, Words extends { locale: Locale }, Name extends string>(
  columns: readonly CsvColumn<Row, Words, Name>[],
  words: Words,
  headerOf: (name: Name) => string,
): { head: string; line: (row: Row) => string } {
  const lineOf = (cellOf: (column: CsvColumn<Row, Words, Name>) => Cell) => csvLine(columns.map(cellOf), words.locale);
  return {
    head: CSV_START + lineOf(({ name }) => headerOf(name)),
    line: (row) => lineOf(({ csv }) => csv(row, words)),
  };
}

export const csvDecimal = (decimal: string, locale: Locale): string =>
  locale === "pt-BR" ? decimal.replace(".", ",") : decimal;

/** A day in São Paulo that a spreadsheet in the language takes for one: `29/11/2026`, in English `2026-11-29`. */
export const csvDay = (iso: string, locale: Locale): string =>
  locale === "en" ? dayOfIso(iso) : formatDate(iso, locale);

/** As `csvDay`, with `13:40` where a time is told. */
export const csvMinute = (iso: string, locale: Locale): string =>
  `${csvDay(iso, locale)} ${formatClock(iso, locale)}`.trim();

/** As `csvDay`, with `13:40:55`. */
export const csvSecond = (iso: string, locale: Locale): string => `${csvDay(iso, locale)} ${formatTime(iso, locale)}`;

/** As `csvSecond`, with its thousandths. */
export const csvMoment = (iso: string, locale: Locale): string =>
  `${csvDay(iso, locale)} ${formatMoment(iso, locale).time}`;

/** `day`: of what it says, `yyyy-MM-dd`; today without one. */
export const csvName = (name: string, locale: Locale, day: string = civilDay(new Date())): string =>
  `${name}-${day}-${locale}.csv`;

const READ_DELIMITERS = [";", ",", "\t", "|"] as const;

export const CSV_LINE_END = /\r\n|\r|\n/;

const SEPARATOR_LINE = /^\ufeff?"?sep=(.)"?(?:\r\n|\r|\n|$)/i;

const QUOTED_CELL = /(^|[;,|\t\r\n])[^\S\r\n]*"(?:[^"]|"")*"/g;

function delimiterOf(text: string): string {
  const [bare = ""] = text.trimStart().replaceAll(QUOTED_CELL, "$1").split(CSV_LINE_END, 1);
  const isOfNumbers = /[;|\t]/.test(bare) && !/(?<!\d),|,(?!\d)/.test(bare);
  const [most = ";"] = READ_DELIMITERS.filter((one) => one !== "," || !isOfNumbers).toSorted(
    (one, other) => bare.split(other).length - bare.split(one).length,
  );
  return most;
}

export type CsvRow = { line: number; cells: string[] };

type ReadCsv = {
  rows: CsvRow[];
  open: number | null;
};

/** RFC 4180; the delimiter is the one after `sep=`, or the most frequent in the first line. */
export function readCsv(text: string): ReadCsv {
  const [head = "", said] = SEPARATOR_LINE.exec(text) ?? [];
  const whole = text.slice(head.length).replace(/^\uFEFF/, "");
  const delimiter = said ?? delimiterOf(whole);
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = head === "" ? 1 : 2;
  let began = line;
  let opened = line;
  const endCell = () => {
    cells.push(asWritten(cell).trim());
    cell = "";
  };
  const endRow = () => {
    endCell();
    if (cells.some((one) => one !== "")) rows.push({ line: began, cells });
    cells = [];
  };
  for (let at = 0; at < whole.length; at += 1) {
    const sign = whole.charAt(at);
    const isEnd = sign === "\n" || (sign === "\r" && whole.charAt(at + 1) !== "\n");
    if (isEnd) line += 1;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (whole.charAt(at + 1) === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell.trim() === "") {
      cell = "";
      isQuoted = true;
      opened = line;
    } else if (sign === delimiter) {
      endCell();
    } else if (isEnd) {
      endRow();
      began = line;
    } else if (sign !== "\r") cell += sign;
  }
  endRow();
  return { rows, open: isQuoted ? opened : null };
}

/** Whether a row has all its columns and no more: an extra one would be lost, a missing one taken for empty. */
export const hasColumns = ({ cells }: CsvRow, least: number, most: number): boolean =>
  cells.length >= least && cells.slice(most).every((cell) => cell === "");
