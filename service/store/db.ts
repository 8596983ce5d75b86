import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** Either engine: the embedded PostgreSQL or a server. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** An open transaction. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** What a read needs: it runs alike inside and outside a transaction. */
export type Reader = Pick<Db, "select" | "selectDistinct" | "$count" | "execute" | "with">;
