/** What a cell may hold; null is an empty one. */
export type Cell = string | number | null;

/** First in a file: with it spreadsheets read UTF-8. */
export const CSV_START = "\uFEFF";

// A reader that parts cells at another sign begins one there: a delimiter in a text is taken for one.
const DELIMITERS = /([;,|\t\r\n]+)/;
const BLANKS = /^[\s\p{Cc}\p{Cf}"']*/u;
// What makes a spreadsheet compute, full-width as some of them fold it.
const COMPUTES = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** A number that ends its cell stays one. */
const NUMBER = /^\s*-\d+(?:\.\d+)?[\]}"]*$/;
const PLAIN_NUMBER = /^-?\d+([.,]\d+)?$/;

/** From the end on, for blanks and line ends may stand between the beginning of a cell and what computes in it. */
function defused(text: string): string {
  const parts = text.split(DELIMITERS);
  let computes = false;
  for (let at = parts.length - 1; at >= 0; at -= 2) {
    const piece = parts[at] ?? "";
    const rest = piece.replace(BLANKS, "");
    const isFirst = at === 0;
    if (rest === "") computes &&= (parts[at + 1] ?? "").trim() === "";
    else computes = COMPUTES.test(rest) && (isFirst || !NUMBER.test(piece));
    if (computes && !isFirst) parts[at] = `'${piece}`;
  }
  return `${computes || /^\p{Cc}/u.test(text) ? "'" : ""}${parts.join("")}`;
}

function written(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  return PLAIN_NUMBER.test(text) ? text : `"${defused(text).replaceAll('"', '""')}"`;
}

/**
 * One line of a CSV file (RFC 4180, with `;` as spreadsheets in Portuguese expect it). Every text is quoted; where a spreadsheet
 * would compute, at whatever sign it parts cells, an apostrophe makes it a text there; a plain number stays one.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(written).join(";")}\r\n`;
}
