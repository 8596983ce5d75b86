import type { Query, SQL } from "drizzle-orm";
import { type PgColumn, type PgDatabase, PgDialect, type PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";

/** An open, migrated database. */
export type Database = { db: Db; close: () => Promise<void> };

/** Either engine: the embedded PostgreSQL or a server. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** An open transaction. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** What a read needs: it runs alike inside and outside a transaction. */
export type Reader = Pick<Db, "select" | "selectDistinct" | "$count" | "execute" | "with">;

/** What the columns of the answer are, in the order in which the text selects them. */
type Fields = Record<string, PgColumn | SQL>;

/** Asks with the values of the text's placeholders; answers the rows. */
type Statement<Selected extends Fields> = (
  db: Db | Tx,
  values: Record<string, unknown>,
) => Promise<SelectResultFields<Selected>[]>;

const dialect = new PgDialect();

/**
 * A statement for what is asked all the time: its text is written once in the life of the process, where the query builder
 * writes it anew each time at greater cost than asking, and by its name a server parses and plans it once a connection.
 */
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
type Effect = { committed: () => void; abandoned?: () => void };

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
