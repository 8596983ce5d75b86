// @ts-check
import { writeLine } from "./log.mjs";

const MINUTE_MS = 60_000;

/**
 * Counts what was refused by its status, or by what it was, and tells of it a minute after the first: one line, however many there were.
 * @param {(refused: Record<string, number>) => void} tell
 */
export function createTally(tell) {
  /** @type {Map<number | string, number>} */
  const counts = new Map();

  function tellAll() {
    tell(Object.fromEntries(counts));
    counts.clear();
  }

  return (/** @type {number | string} */ status) => {
    if (counts.size === 0) setTimeout(tellAll, MINUTE_MS).unref();
    counts.set(status, (counts.get(status) ?? 0) + 1);
  };
}

/** As a line of the console's log, in the form of its other lines. @param {Record<string, number>} refused */
export const logRefused = (refused) => writeLine(40, "the door refused requests", { refused });
