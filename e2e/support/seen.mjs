// @ts-check
import { appendFileSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";

/** A search reads this much at once. */
const FILE_BYTES = 16_000_000;

let file = 0;
let written = 0;
/** @type {number | undefined} */
let opened;

/** The folder where a run's processes record what they know and see; undefined outside of such a run. */
export const gathering = () => process.env["E2E_CANARIES"];

/**
 * Records a text for the search at the end of the run.
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
  // Opened once, because a run writes tens of thousands of lines.
  opened ??= openSync(join(folder, `seen-${process.pid}-${file}.jsonl`), "a");
  appendFileSync(opened, line);
}

/**
 * These are searched for from now on and in everything recorded earlier; `shown` answers may hold each.
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
