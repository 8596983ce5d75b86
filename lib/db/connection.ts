import type { Socket } from "node:net";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { migrate as migrateEmbedded } from "drizzle-orm/pglite/migrator";
import { Pool } from "pg";
import { openEmbedded } from "./embedded";
import { env } from "@/lib/settings/env";
import { log } from "@/lib/log/log";
import { followPool } from "@/lib/metrics/follow";
import { requireDataKey } from "./canary";
import { breakingOff, type Listen, listenEmbedded, listenOnServer } from "./listen";
import { migrationsFolder, prepareServer, refuseOtherVersions } from "./migration";
import { watchSilence } from "./silence";
import { givingTurns } from "./turns";
import { guardTransactions, refuseBeside, TRANSACTION_WITHIN_MS } from "./transaction";

export type Db = PgDatabase<PgQueryResultHKT>;
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** `bulk`: for megabytes; on a server over its own connections, so that urgent queries never wait for it. */
export type Store = {
  db: Db;
  bulk: Db;
  listen: Listen;
  close: () => Promise<void>;
  /** Throws inside a transaction of this store. */
  refuseBeside: () => void;
};

export type StoreSettings = {
  databaseUrl: string | null;
  /** The owner's account, when `databaseUrl` may not change tables. */
  migrationDatabaseUrl?: string | null;
  dataDir: string;
};

const CONNECTED_WITHIN_MS = 5_000;
/** Enforced by the server. */
const STATEMENT_WITHIN_MS = 20_000;
/** Beyond this the socket is dead and is replaced; an idle transaction ends earlier. */
const SILENT_FOR_MS = TRANSACTION_WITHIN_MS + 5_000;

type Opening = { max: number; sockets: Set<Socket> };

function openPool(connectionString: string, { max, sockets }: Opening): Pool {
  const connect = () => {
    const socket = breakingOff(SILENT_FOR_MS);
    sockets.add(socket);
    return socket.once("close", () => sockets.delete(socket));
  };
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECTED_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    idle_in_transaction_session_timeout: TRANSACTION_WITHIN_MS,
    keepAlive: true,
    stream: connect,
  });
  // Without a listener, a closed idle connection would end this process.
  pool.on("error", (error) => log.warn({ err: error }, "database connection lost"));
  // The pool does not listen to connections that are in a transaction.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Requires tables that are up to date. */
export function embeddedStore(client: PGlite, close: () => Promise<void>): Store {
  const opened = drizzleEmbedded(client);
  guardTransactions(opened, { of: client, pool: null, through: givingTurns() });
  return { db: opened, bulk: opened, listen: listenEmbedded(client), close, refuseBeside: () => refuseBeside(client) };
}

function serverStore(databaseUrl: string): Store {
  const sockets = new Set<Socket>();
  const silence = watchSilence(databaseUrl, () => sockets.forEach((socket) => socket.destroy()));
  const open = (name: string, max: number) => {
    const pool = openPool(databaseUrl, { max, sockets });
    followPool(name, pool);
    const opened = drizzlePg(pool);
    guardTransactions(opened, { of: silence, pool, through: silence.through });
    return { pool, opened };
  };
  const people = open("people", 10);
  const bulk = open("bulk", 2);
  const close = async () => {
    silence.end();
    await Promise.all([people.pool.end(), bulk.pool.end()]);
  };
  return {
    db: people.opened,
    bulk: bulk.opened,
    listen: listenOnServer(databaseUrl),
    close,
    refuseBeside: () => refuseBeside(silence),
  };
}

export async function openStore(settings: StoreSettings): Promise<Store> {
  const { databaseUrl, migrationDatabaseUrl = null, dataDir } = settings;
  if (databaseUrl === null) {
    const embedded = await openEmbedded(join(dataDir, "console"));
    await refuseOtherVersions(embedded.client).catch(async (error: unknown) => {
      await embedded.close();
      throw error;
    });
    await migrateEmbedded(drizzleEmbedded(embedded.client), { migrationsFolder: migrationsFolder() });
    // The embedded store has no autovacuum, and without statistics the planner reads whole tables.
    await embedded.client.exec("vacuum analyze");
    return embeddedStore(embedded.client, embedded.close);
  }
  await prepareServer(databaseUrl, { migrationDatabaseUrl });
  return serverStore(databaseUrl);
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
export async function store(): Promise<Store> {
  globalThis.retaguardaStore ??= openOwn();
  const opened = await globalThis.retaguardaStore;
  opened.refuseBeside();
  return opened;
}

export async function db(): Promise<Db> {
  return (await store()).db;
}
