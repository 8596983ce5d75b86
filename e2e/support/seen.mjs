// @ts-check
import { appendFileSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** So much is read at once when it is searched. */
const FILE_BYTES = 16_000_000;

let file = 0;
let written = 0;
/** @type {number | undefined} */
let opened;

/** Where the processes of a run gather what they know and what they saw; nothing is gathered outside of one. */
export const gathering = () => process.env["E2E_CANARIES"];

/**
 * Keeps what was there for the search at the end of the run.
 * @param {string} place
 * @param {string} text
 */
export function putDown(place, text) {
  const folder = gathering();
  if (folder === undefined) return;
  const line = `${place.replaceAll(/\s+/g, " ")}\t${text.replaceAll("\n", String.raw`\n`)}\n`;
  if (opened !== undefined && written > FILE_BYTES) {
    closeSync(opened);
    [file, written, opened] = [file + 1, 0, undefined];
  }
  written += line.length;
  // Opened once: an answer is put down in three lines, and a run sees tens of thousands of answers.
  opened ??= openSync(join(folder, `seen-${process.pid}-${file}.jsonl`), "a");
  appendFileSync(opened, line);
}

/**
 * From now on, and in all that was seen before, these are looked for; `shown` answers may hold each.
 * @param {string} kind
 * @param {readonly string[]} values
 * @param {number} shown
 */
export function putCanaries(kind, values, shown) {
  const folder = gathering();
  if (folder === undefined) return;
  const lines = values.map((value) => `${JSON.stringify({ kind, value, shown })}\n`);
  appendFileSync(join(folder, `canaries-${process.pid}.jsonl`), lines.join(""));
}
