import { join } from "node:path";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { migrate as migrateEmbedded } from "drizzle-orm/pglite/migrator";
import { Pool } from "pg";
import { openEmbedded } from "@/lib/embedded";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { type Listen, listenEmbedded, listenOnServer } from "./listen";
import { migrationsFolder, prepareServer } from "./migration";
import * as schema from "./schema";

export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export type Store = { db: Db; listen: Listen; close: () => Promise<void> };

export type StoreSettings = {
  databaseUrl: string | null;
  /** Whose tables they are, where `databaseUrl` names an account that only works with them. */
  migrationDatabaseUrl?: string | null;
  dataDir: string;
};

/** Opens the console's own database and brings its schema up to date. */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { databaseUrl, migrationDatabaseUrl = null, dataDir } = settings;
  if (databaseUrl === null) {
    const embedded = await openEmbedded(join(dataDir, "console"));
    const embeddedDb = drizzleEmbedded(embedded.client, { schema });
    await migrateEmbedded(embeddedDb, { migrationsFolder: migrationsFolder() });
    // No daemon does it here: without statistics, and with dead rows in sight, a search among many rows reads all of them.
    await embedded.client.exec("vacuum analyze");
    return { db: embeddedDb, listen: listenEmbedded(embedded.client), close: embedded.close };
  }
  await prepareServer(databaseUrl, { migrationDatabaseUrl });
  const pool = new Pool({ connectionString: databaseUrl, max: 10 });
  // Without a listener, a server that closes an idle connection would end this process.
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
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
