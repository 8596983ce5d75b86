import { say } from "@/scripts/program.mjs";

const MINUTE_MS = 60_000;

/** The most that happened in any 60 seconds. */
export function busiestMinute(atMs: readonly number[]): number {
  const times = atMs.toSorted((one, other) => one - other);
  let first = 0;
  let most = 0;
  times.forEach((ms, index) => {
    while ((times[first] ?? ms) <= ms - MINUTE_MS) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

/** The smallest of them that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

/** What was measured, and whether it is as promised. */
export type Bound = { what: string; is: string; isMet: boolean };

type Promised = { exactly: number } | { atMost: number } | { atLeast: number } | { below: number };

/** Holds a figure to what is promised; `what` names its unit. */
export function bound(what: string, measured: number, promised: Promised): Bound {
  if ("exactly" in promised) {
    const isMet = measured === promised.exactly;
    return { what, is: isMet ? `${measured}` : `${measured}, not ${promised.exactly}`, isMet };
  }
  if ("atMost" in promised) {
    return { what, is: `${measured} (at most ${promised.atMost})`, isMet: measured <= promised.atMost };
  }
  if ("atLeast" in promised) {
    return { what, is: `${measured} (at least ${promised.atLeast})`, isMet: measured >= promised.atLeast };
  }
  return { what, is: `${measured} (below ${promised.below})`, isMet: measured < promised.below };
}

/** Prints each on a line of its own; true when all are met. */
export function printBounds(bounds: readonly Bound[]): boolean {
  for (const { what, is, isMet } of bounds) say(`${isMet ? "✓" : "✗"} ${what}: ${is}`);
  return bounds.every(({ isMet }) => isMet);
}
