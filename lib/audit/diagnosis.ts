import { type ChainRow, hashAfter } from "./chain";

/** What became of a row whose hash is not the one it must have; `edited` is what nothing else explains. */
export type RowFault = "edited" | "missing" | "inserted" | "reordered";

/** A stretch of the record, in its order, around its first bad row, which is the one at `at`. */
export type Surroundings = { rows: readonly ChainRow[]; at: number };

/** How many rows put in at one place are still recognised as such. */
const MOST_PUT_IN = 50;

/** The hash that the row would have in another place. */
const hashAt = (previous: string, row: ChainRow, seq: number) => hashAfter(previous, { ...row, seq });

/** What this row says belongs further on. */
function isFromFurtherOn({ rows, at }: Surroundings): boolean {
  const row = rows[at];
  if (row === undefined) return false;
  return rows.slice(at + 1).some((other, index) => {
    const before = [rows[at + index]?.hash ?? "", other.hash, row.hash];
    const own = before.map((hash) => hashAt(hash, row, other.seq));
    return own.includes(row.hash) || own.includes(other.hash);
  });
}

/** The place from which this row was pushed back by what was put in before it. */
function placeBefore(rows: readonly ChainRow[], place: number): number | null {
  const row = rows[place];
  if (row === undefined) return null;
  const nearest = rows.slice(Math.max(1, place - MOST_PUT_IN), place);
  const own = nearest.find(({ seq }) => {
    const before = rows.find((candidate) => candidate.seq === seq - 1);
    return before !== undefined && hashAt(before.hash, row, seq) === row.hash;
  });
  return own?.seq ?? null;
}

/** The row after this one has moved up: what stood before the two was taken out. */
function hasLostOneBefore({ rows, at }: Surroundings): boolean {
  const [row, after] = [rows[at], rows[at + 1]];
  if (row === undefined || after === undefined) return false;
  return rows.some((_, gap) => gap > 0 && hashAt(row.hash, after, after.seq + gap) === after.hash);
}

/**
 * Names what was done around the first bad row by asking which deed explains the hashes that are still there, and where it
 * begins.
 */
export function diagnose(found: Surroundings): { kind: RowFault; seq: number } {
  const { rows, at } = found;
  const seq = rows[at]?.seq ?? 0;
  if (isFromFurtherOn(found)) return { kind: "reordered", seq };
  for (let place = at; place <= at + MOST_PUT_IN; place += 1) {
    // A forged row may have been given the hash that fits: then the first bad one is a row after it.
    const own = placeBefore(rows, place);
    if (own !== null) return { kind: "inserted", seq: Math.min(own, seq) };
  }
  if (hasLostOneBefore(found)) return { kind: "missing", seq };
  return { kind: "edited", seq };
}
