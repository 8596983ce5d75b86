import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle as drizzleServer } from "drizzle-orm/node-postgres";
import { drizzle as drizzleEmbedded } from "drizzle-orm/pglite";
import { Client, Pool } from "pg";
import { afterAll } from "vitest";
import { readTestDatabaseUrl } from "@/service/settings";
import type { Database } from "./database";
import type { Db } from "./db";
import { migrateEmbedded } from "./embedded";
import { migrationsFolder } from "./migrate";
import { migrateServer } from "./server";

/** The migrated embedded database as a file: making one takes seconds, loading it a fraction. */
async function migratedDump(): Promise<Blob> {
  const version = createHash("sha256").update(JSON.stringify(readMigrationFiles({ migrationsFolder })));
  const file = join(
    tmpdir(),
    `retaguarda-service-${process.getuid?.() ?? 0}-${version.digest("hex").slice(0, 16)}.tar`,
  );
  if (!existsSync(file)) {
    const client = await PGlite.create();
    await migrateEmbedded(client);
    const dump = await client.dumpDataDir("none");
    await client.close();
    writeFileSync(`${file}.${process.pid}`, Buffer.from(await dump.arrayBuffer()), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Blob([readFileSync(file)]);
}

async function openEmbeddedTest(): Promise<Database> {
  const client = await PGlite.create({ loadDataDir: await migratedDump() });
  return { db: drizzleEmbedded(client), close: () => client.close() };
}

async function administer(url: string, statement: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(statement);
  await admin.end();
}

async function openServerTest(url: string): Promise<Database> {
  const name = `retaguarda_test_${process.pid}_${Date.now()}`;
  await administer(url, `CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const client = new Client({ connectionString: own.href });
  await client.connect();
  await migrateServer(client);
  await client.end();
  const pool = new Pool({ connectionString: own.href, max: 16 });
  const close = async () => {
    await pool.end();
    await administer(url, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { db: drizzleServer(pool), close };
}

/** Empties every table; in the replica role the append-only triggers stand aside. */
const EMPTY = `DO $$ BEGIN
  SET LOCAL session_replication_role = replica;
  EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('%I', tablename), ', ') || ' RESTART IDENTITY CASCADE'
           FROM pg_tables WHERE schemaname = 'public');
END $$`;

let opened: Promise<Database> | undefined;

/**
 * An empty, migrated database: PGlite in memory, or a database of its own on the server of TEST_DATABASE_URL. One per
 * test file, emptied each time.
 */
export async function emptyDatabase(): Promise<Db> {
  const url = readTestDatabaseUrl();
  opened ??= url ? openServerTest(url) : openEmbeddedTest();
  const { db } = await opened;
  await db.execute(sql.raw(EMPTY));
  return db;
}

afterAll(async () => {
  await (await opened)?.close();
});
