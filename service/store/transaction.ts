import type { Query, SQL } from "drizzle-orm";
import { type PgColumn, type PgDatabase, PgDialect, type PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";

export type Database = { db: Db; close: () => Promise<void> };

export type Db = PgDatabase<PgQueryResultHKT>;

export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export type Reader = Pick<Db, "select" | "selectDistinct" | "$count" | "execute" | "with">;

/** In the order in which the text selects them. */
type Fields = Record<string, PgColumn | SQL>;

type Statement<Selected extends Fields> = (
  db: Db | Tx,
  values: Record<string, unknown>,
) => Promise<SelectResultFields<Selected>[]>;

const dialect = new PgDialect();

/** Written once per process and prepared once per connection: the query builder costs more than asking. */
export function statement<Selected extends Fields>(name: string, fields: Selected, text: SQL): Statement<Selected> {
  type Rows = SelectResultFields<Selected>[];
  const columns = Object.entries(fields).map(([key, field]) => ({ path: [key], field }));
  let query: Query | undefined;
  return (db, values) => {
    query ??= dialect.sqlToQuery(text);
    const { session } = db._;
    return session.prepareQuery<{ execute: Rows; all: Rows; values: Rows }>(query, columns, name, true).execute(values);
  };
}

const RETRIES = 5;
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";

/** Whichever engine and wrapper it came through. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return sqlState(error.cause);
}

function isLostRace(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/** `committed` runs before the caller goes on; `abandoned` on a rollback or an unknown end. */
type Effect = { committed: () => void; abandoned?: () => void };

const effectsOf = new WeakMap<Tx, Effect[]>();

/** A savepoint's effects are its transaction's once it holds. */
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

/** A throw rolls back `work` alone. */
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
