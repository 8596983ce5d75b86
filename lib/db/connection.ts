import { join } from "node:path";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { migrate as migrateEmbedded } from "drizzle-orm/pglite/migrator";
import { Pool } from "pg";
import { openEmbedded } from "./embedded";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { requireDataKey } from "./canary";
import { breakingOff, type Listen, listenEmbedded, listenOnServer } from "./listen";
import { migrationsFolder, prepareServer, refuseOtherVersions } from "./migration";

export type Db = PgDatabase<PgQueryResultHKT>;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** `bulk`: for megabytes; on a server by connections of its own, so that what is in a hurry never waits for one. */
export type Store = { db: Db; bulk: Db; listen: Listen; close: () => Promise<void> };

export type StoreSettings = {
  databaseUrl: string | null;
  /** The owner, where `databaseUrl` names an account that may not change tables. */
  migrationDatabaseUrl?: string | null;
  dataDir: string;
};

const CONNECTED_WITHIN_MS = 5_000;
/** By the server's clock. */
const STATEMENT_WITHIN_MS = 20_000;
/** Later the socket is dead, and another one takes its place. */
const SILENT_FOR_MS = STATEMENT_WITHIN_MS + 5_000;

function openPool(connectionString: string, max: number): Pool {
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECTED_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    keepAlive: true,
    stream: () => breakingOff(SILENT_FOR_MS),
  });
  // Without a listener, a closed idle connection would end this process.
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  // Nor one that breaks in a transaction, which the pool does not listen to.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

export async function openStore(settings: StoreSettings): Promise<Store> {
  const { databaseUrl, migrationDatabaseUrl = null, dataDir } = settings;
  if (databaseUrl === null) {
    const embedded = await openEmbedded(join(dataDir, "console"));
    const embeddedDb = drizzleEmbedded(embedded.client);
    await refuseOtherVersions(embedded.client).catch(async (error: unknown) => {
      await embedded.close();
      throw error;
    });
    await migrateEmbedded(embeddedDb, { migrationsFolder: migrationsFolder() });
    // No daemon does it here, and without statistics the planner reads whole tables.
    await embedded.client.exec("vacuum analyze");
    return { db: embeddedDb, bulk: embeddedDb, listen: listenEmbedded(embedded.client), close: embedded.close };
  }
  await prepareServer(databaseUrl, { migrationDatabaseUrl });
  const [pool, bulkPool] = [openPool(databaseUrl, 10), openPool(databaseUrl, 2)];
  const close = async () => {
    await Promise.all([pool.end(), bulkPool.end()]);
  };
  const bulk = drizzlePg(bulkPool);
  return { db: drizzlePg(pool), bulk, listen: listenOnServer(databaseUrl), close };
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

/** One per process, though Next loads modules several times. */
export function store(): Promise<Store> {
  globalThis.retaguardaStore ??= openOwn();
  return globalThis.retaguardaStore;
}

export async function db(): Promise<Db> {
  return (await store()).db;
}
