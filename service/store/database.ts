import type { Db } from "./db";

/** An open, migrated database. */
export type Database = { db: Db; close: () => Promise<void> };
