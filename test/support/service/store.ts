import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { drizzle as drizzleServer } from "drizzle-orm/node-postgres";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { Client, Pool } from "pg";
import { inject } from "vitest";
import { readTestDatabaseUrl } from "@/service/settings";
import type { Database, Db } from "@/service/store/transaction";
import { migrateServer } from "@/service/store/open";
import { dumpFile } from "./store-dump";

/** As a database on disk: creating one takes seconds, and copying its thousand files one by one a second. */
export function unpackDump(file: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  execFileSync("tar", ["-xf", file, "-C", directory], { stdio: "ignore" });
}

async function openEmbeddedTest(): Promise<Database> {
  const client = await PGlite.create({ loadDataDir: new Blob([readFileSync(dumpFile())]) });
  return { db: drizzleEmbedded(client), close: () => client.close() };
}

async function administer(url: string, statement: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

async function openServerTest(url: string): Promise<Database> {
  const name = `retaguarda_test_${inject("testRun")}_service_${process.pid}_${threadId}`;
  await administer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const client = new Client({ connectionString: own.href });
  await client.connect();
  await migrateServer(client);
  await client.end();
  const pool = new Pool({ connectionString: own.href, max: 16, pipeline: true });
  // The pool ends before its connections, and a forced drop of the database reports to those left.
  pool.on("error", () => undefined);
  pool.on("connect", (connection) => connection.on("error", () => undefined));
  return { db: drizzleServer(pool), close: () => pool.end() };
}

/**
 * In the replica role the append-only triggers are off. Deleting costs a tenth of truncating every table; one that has
 * outgrown its first page is truncated, as new rows would otherwise fill the gaps and be read out of order.
 */
const EMPTY = sql.raw(`DO $$ DECLARE place record; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR place IN SELECT oid::regclass AS name, pg_relation_size(oid) AS size_bytes
               FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
    IF place.size_bytes > 8192 THEN EXECUTE 'TRUNCATE ' || place.name || ' CASCADE';
    ELSIF place.size_bytes > 0 THEN EXECUTE 'DELETE FROM ' || place.name;
    END IF;
  END LOOP;
  PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence WHERE pg_sequence_last_value(seqrelid) IS NOT NULL;
END $$`);

/** Empties every table and restarts every sequence. */
export async function emptyTables(db: Pick<Db, "execute">): Promise<void> {
  await db.execute(EMPTY);
}

let opened: Promise<Database> | undefined;

/**
 * An empty, migrated database: PGlite in memory, or a database of its own on the server of TEST_DATABASE_URL. One per
 * worker, emptied each time.
 */
export async function emptyDatabase(): Promise<Db> {
  const url = readTestDatabaseUrl();
  opened ??= url ? openServerTest(url) : openEmbeddedTest();
  const { db } = await opened;
  await emptyTables(db);
  return db;
}
