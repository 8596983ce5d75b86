import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

export type Database = { db: Db; close: () => Promise<void> };

export type Db = PgDatabase<PgQueryResultHKT>;

export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export type Reader = Pick<Db, "select" | "selectDistinct" | "$count" | "execute" | "with">;

const RETRIES = 5;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

/** From any engine and wrapper. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return sqlState(error.cause);
}

function isLostRace(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/** `committed` runs before the caller continues; `abandoned` on a rollback or an unknown end. */
type Effect = { committed: () => void; abandoned?: () => void };

const effectsOf = new WeakMap<Tx, Effect[]>();

/** A savepoint's effects join its transaction's once it is released. */
export function afterCommit(tx: Tx, effect: Effect): void {
  const effects = effectsOf.get(tx);
  if (!effects) throw new Error("this transaction was not begun by transaction() or savepoint()");
  effects.push(effect);
}

/** Retries deadlocks and serialisation failures, so `work` must touch nothing but `tx`. */
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

/** An error rolls back `work` alone. */
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
