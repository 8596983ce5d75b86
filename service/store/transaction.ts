import type { Db, Tx } from "./db";

const RETRIES = 5;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

/** PostgreSQL's code of a failed statement, whichever engine and wrapper it came through. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return sqlState(error.cause);
}

function isLostRace(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/**
 * Runs `work` in a transaction and gives its result; a throw rolls all of it back. A lost race (deadlock or
 * serialisation failure) is run again, so `work` must touch nothing but `tx`.
 * On the embedded engine a query on `db` inside `work` would wait for itself: use `tx`.
 */
export async function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (attempt >= RETRIES || !isLostRace(error)) throw error;
    }
  }
}
