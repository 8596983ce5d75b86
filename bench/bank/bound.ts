import { say } from "@/scripts/program.mjs";

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
