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
 * What memory learns of a transaction: `committed` runs once it holds, before its caller goes on; `abandoned` when it
 * was rolled back, or when nobody knows whether it was.
 */
export type Effect = { committed: () => void; abandoned?: () => void };

const effectsOf = new WeakMap<Tx, Effect[]>();

/** Has the effect told when the transaction ends. A savepoint's effects are its transaction's once it holds. */
export function afterCommit(tx: Tx, effect: Effect): void {
  const effects = effectsOf.get(tx);
  if (!effects) throw new Error("this transaction was not begun by transaction() or savepoint()");
  effects.push(effect);
}

/**
 * Runs `work` in a transaction and gives its result; a throw rolls all of it back. A lost race (deadlock or
 * serialisation failure) is run again, so `work` must touch nothing but `tx`.
 * On the embedded engine a query on `db` inside `work` would wait for itself: use `tx`.
 */
export async function transaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    const effects: Effect[] = [];
    try {
      const result = await db.transaction((tx) => {
        effectsOf.set(tx, effects);
        return work(tx);
      });
      effects.forEach(({ committed }) => committed());
      return result;
    } catch (error) {
      effects.forEach(({ abandoned }) => abandoned?.());
      if (attempt >= RETRIES || !isLostRace(error)) throw error;
    }
  }
}

/** Runs `work` so that a throw rolls back what it did and leaves the transaction around it as it was. */
export async function savepoint<Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const effects: Effect[] = [];
  let holds = false;
  try {
    const result = await tx.transaction((inner) => {
      effectsOf.set(inner, effects);
      return work(inner);
    });
    holds = true;
    return result;
  } finally {
    effects.forEach((effect) => (holds ? afterCommit(tx, effect) : effect.abandoned?.()));
  }
}
