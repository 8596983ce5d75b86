import { setTimeout as pause } from "node:timers/promises";
import type { Actor } from "@/lib/permission/grant";
import { AppError } from "@/lib/errors/app-error";
import { isZero } from "@/lib/text/format";
import { entryIdentity } from "./kept-entries";
import { entryMatches } from "./search-statement";
import { type Asking, pagesOf, readStatement, type Statement, type StatementRow } from "./statement";

export type AnyRow = Statement["rows"][number];

/** Reads this many pages at once and the rest a second apart, to leave calls for people at their screens. */
const PAGES_AT_ONCE = 20;
const PACE_MS = 1_000;
const PATIENCE_MS = 180_000;

type Wait = (ms: number) => Promise<unknown>;

export function patientReader(wait: Wait = pause): typeof readStatement {
  let read = 0;
  return async function readPatiently(actor, asking, limit) {
    read += 1;
    if (read > PAGES_AT_ONCE) await wait(PACE_MS);
    for (let waitedMs = 0; ;) {
      try {
        return await readStatement(actor, asking, limit);
      } catch (error) {
        const isSpent = error instanceof AppError && error.kind === "rate-limited" && waitedMs < PATIENCE_MS;
        if (!isSpent) throw error;
        const ms = Math.max(error.details.retryAfterMs ?? 0, PACE_MS);
        await wait(ms);
        waitedMs += ms;
      }
    }
  };
}

/** Each entry once, though pages overlap where newer ones came meanwhile. */
export async function* entryPages(
  actor: Actor,
  asking: Asking,
): AsyncGenerator<{ rows: AnyRow[]; isDoubtful: boolean }> {
  const told = new Set<string>();
  const isFirst = (row: AnyRow): boolean => {
    const identity = "fields" in row ? null : entryIdentity(row);
    if (identity === null) return true;
    const isNew = !told.has(identity);
    told.add(identity);
    return isNew;
  };
  for await (const { rows, doubts } of pagesOf(actor, asking, patientReader())) {
    const fresh = rows.filter((row) => isFirst(row) && entryMatches(row, asking.filter));
    yield { rows: fresh, isDoubtful: doubts.some((doubt) => doubt !== "total") };
  }
}

export async function* entriesOf(actor: Actor, asking: Asking): AsyncGenerator<AnyRow[]> {
  for await (const { rows, isDoubtful } of entryPages(actor, asking)) {
    // A file that may lack entries must not look whole.
    if (isDoubtful) throw new AppError("malformed", { code: "statement-incomplete" });
    yield rows;
  }
}

export const signed = ({ amount, direction }: StatementRow): string | null =>
  direction === null ? null : `${direction === "DEBIT" && !isZero(amount) ? "-" : ""}${amount.replace("-", "")}`;
