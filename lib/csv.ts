/** What a cell may hold; null is an empty one. */
export type Cell = string | number | null;

/** First in a file: with it spreadsheets read UTF-8. */
export const CSV_START = "\uFEFF";

// What makes a spreadsheet compute: also after blanks, quotes and control characters, and full-width as some of them fold it.
const COMPUTES = String.raw`(?=[\s\p{Cc}\p{Cf}"']*[=+\-@\uff1d\uff0b\uff0d\uff20])`;
/** A number that ends its cell stays one. */
const NUMBER = String.raw`(?!\s*-\d+(?:\.\d+)?[\]}"]*(?:[;,|\t\r\n]|$))`;
const AT_START = new RegExp(`^(?=\\p{Cc})|^${COMPUTES}`, "u");
// A reader that parts cells at another sign begins one there: a delimiter in a text is taken for one.
const AFTER_DELIMITER = new RegExp(`([;,|\\t\\r\\n]+)${NUMBER}${COMPUTES}`, "gu");
const PLAIN_NUMBER = /^-?\d+([.,]\d+)?$/;

function written(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  if (PLAIN_NUMBER.test(text)) return text;
  return `"${text.replace(AFTER_DELIMITER, "$1'").replace(AT_START, "'").replaceAll('"', '""')}"`;
}

/**
 * One line of a CSV file (RFC 4180, with `;` as spreadsheets in Portuguese expect it). Every text is quoted; where a spreadsheet
 * would compute, at whatever sign it parts cells, an apostrophe makes it a text there; a plain number stays one.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(";")}\r\n`;
}
