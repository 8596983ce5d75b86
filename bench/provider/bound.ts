import { say } from "@/scripts/program.mjs";

/** A measured figure and whether it meets its limit. */
export type Bound = { what: string; is: string; isMet: boolean };

type Promised = { exactly: number } | { atMost: number } | { atLeast: number };

/** Compares a figure with its limit; `what` names its unit. */
export function bound(what: string, measured: number, promised: Promised): Bound {
  const said = (words: string, isMet: boolean) => ({ what, is: `${measured} (${words})`, isMet });
  if ("exactly" in promised) return said(`must be ${promised.exactly}`, measured === promised.exactly);
  if ("atMost" in promised) return said(`at most ${promised.atMost}`, measured <= promised.atMost);
  return said(`at least ${promised.atLeast}`, measured >= promised.atLeast);
}

/** Prints one line each; true when all are met. */
export function printBounds(bounds: readonly Bound[]): boolean {
  for (const { what, is, isMet } of bounds) say(`${isMet ? "✓" : "✗"} ${what}: ${is}`);
  return bounds.every(({ isMet }) => isMet);
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
