import { join } from "node:path";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import { migrate as migratePg } from "drizzle-orm/node-postgres/migrator";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { migrate as migrateEmbedded } from "drizzle-orm/pglite/migrator";
import { Pool } from "pg";
import { openEmbedded } from "@/lib/embedded";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { type Listen, listenEmbedded, listenOnServer } from "./listen";
import * as schema from "./schema";

export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export type Store = { db: Db; listen: Listen; close: () => Promise<void> };

const MIGRATION_LOCK = 7_326_001;

export type StoreSettings = { databaseUrl: string | null; dataDir: string };

/** Opens the console's own database and brings its schema up to date. */
export async function openStore({ databaseUrl, dataDir }: StoreSettings): Promise<Store> {
  const migrationsFolder = join(process.cwd(), "lib/store/migrations");
  if (databaseUrl === null) {
    const embedded = await openEmbedded(join(dataDir, "console"));
    const embeddedDb = drizzleEmbedded(embedded.client, { schema });
    await migrateEmbedded(embeddedDb, { migrationsFolder });
    // No daemon does it here: without statistics, and with dead rows in sight, a search among many rows reads all of them.
    await embedded.client.exec("vacuum analyze");
    return { db: embeddedDb, listen: listenEmbedded(embedded.client), close: embedded.close };
  }
  const pool = new Pool({ connectionString: databaseUrl, max: 10 });
  // Without a listener, a server that closes an idle connection would end this process.
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  const connection = await pool.connect();
  await connection.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  await migratePg(drizzlePg(connection), { migrationsFolder });
  await connection.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
  connection.release();
  return { db: drizzlePg(pool, { schema }), listen: listenOnServer(databaseUrl), close: () => pool.end() };
}

declare global {
  var retaguardaStore: Promise<Store> | undefined;
}

async function openOwn(): Promise<Store> {
  const opened = await openStore(env());
  const close = () => {
    globalThis.retaguardaStore = undefined;
    return opened.close();
  };
  return { ...opened, close };
}

/** The one store of this process: Next loads modules several times, PGlite must be opened once. Once closed, it opens anew. */
export function store(): Promise<Store> {
  globalThis.retaguardaStore ??= openOwn();
  return globalThis.retaguardaStore;
}

export async function db(): Promise<Db> {
  return (await store()).db;
}
