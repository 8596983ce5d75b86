/** What a cell may hold; null is an empty one. */
export type Cell = string | number | null;

/** First in a file: with it spreadsheets read UTF-8. */
export const CSV_START = "\uFEFF";

// What makes a spreadsheet compute: also after blanks and control characters, and full-width as some of them fold it.
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\p{Cc}]/u;
const PLAIN_NUMBER = /^-?\d+([.,]\d+)?$/;

function written(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  const inert = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/**
 * One line of a CSV file (RFC 4180, with `;` as spreadsheets in Portuguese expect it). A text that a spreadsheet would
 * compute gets an apostrophe before it, which makes it a text there; a plain number stays one.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(";")}\r\n`;
}
