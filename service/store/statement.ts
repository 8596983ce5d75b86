import type { Query, SQL } from "drizzle-orm";
import { PgDialect, type PgColumn } from "drizzle-orm/pg-core";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import type { Db, Tx } from "./db";

/** What the columns of the answer are, in the order in which the text selects them. */
type Fields = Record<string, PgColumn | SQL>;

/** Asks with the values of the text's placeholders; answers the rows. */
export type Statement<Selected extends Fields> = (
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
