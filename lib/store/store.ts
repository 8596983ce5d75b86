import { join } from "node:path";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { migrate as migrateEmbedded } from "drizzle-orm/pglite/migrator";
import { Pool } from "pg";
import { openEmbedded } from "@/lib/process/embedded";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/process/log";
import { requireDataKey } from "./canary";
import { breakingOff, type Listen, listenEmbedded, listenOnServer } from "./listen";
import { migrationsFolder, prepareServer, refuseOtherVersions } from "./migration";
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

/** A new connection, or a free one of the pool. */
const CONNECTED_WITHIN_MS = 5_000;
/** By the server's own clock. */
const STATEMENT_WITHIN_MS = 20_000;
/** A server that is there has answered or refused by then: the socket is dead, and another one takes its place. */
const SILENT_FOR_MS = STATEMENT_WITHIN_MS + 5_000;

/** Opens the console's own database and brings its schema up to date. */
export async function openStore(settings: StoreSettings): Promise<Store> {
  const { databaseUrl, migrationDatabaseUrl = null, dataDir } = settings;
  if (databaseUrl === null) {
    const embedded = await openEmbedded(join(dataDir, "console"));
    const embeddedDb = drizzleEmbedded(embedded.client, { schema });
    await refuseOtherVersions(embedded.client).catch(async (error: unknown) => {
      await embedded.close();
      throw error;
    });
    await migrateEmbedded(embeddedDb, { migrationsFolder: migrationsFolder() });
    // No daemon does it here: without statistics, and with dead rows in sight, a search among many rows reads all of them.
    await embedded.client.exec("vacuum analyze");
    return { db: embeddedDb, listen: listenEmbedded(embedded.client), close: embedded.close };
  }
  await prepareServer(databaseUrl, { migrationDatabaseUrl });
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: CONNECTED_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    keepAlive: true,
    stream: () => breakingOff(SILENT_FOR_MS),
  });
  // Without a listener, a server that closes an idle connection would end this process.
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  // Nor may one that breaks in the middle of a transaction, which the pool does not listen to.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return { db: drizzlePg(pool, { schema }), listen: listenOnServer(databaseUrl), close: () => pool.end() };
}

declare global {
  var retaguardaStore: Promise<Store> | undefined;
}

async function openOwn(): Promise<Store> {
  const opened = await openStore(env());
  await requireDataKey(opened.db).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
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
