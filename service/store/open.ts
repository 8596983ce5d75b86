import { fileURLToPath } from "node:url";
import type { PGlite } from "@electric-sql/pglite";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle as onServer } from "drizzle-orm/node-postgres";
import { migrate as migrateOnServer } from "drizzle-orm/node-postgres/migrator";
import { drizzle as onPglite } from "drizzle-orm/pglite";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import { Client, Pool } from "pg";
import { z } from "zod";
import { openEmbedded } from "@/lib/db/embedded";
import type { Database } from "./transaction";

export const migrationsFolder = fileURLToPath(new URL("migrations", import.meta.url));

/** One line for people. */
export class OtherVersionError extends Error {
  override name = "OtherVersionError";
}

type Querying = { query: (text: string) => Promise<{ rows: unknown[] }> };

const Applied = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);

/** Throws `OtherVersionError` when the first or last applied migration is unknown. */
async function refuseOtherVersions(client: Querying): Promise<void> {
  const known = await client.query("SELECT FROM pg_class WHERE oid = to_regclass('drizzle.__drizzle_migrations')");
  if (known.rows.length === 0) return;
  const { rows } = await client.query(
    "SELECT min(created_at)::text AS first, max(created_at)::text AS last FROM drizzle.__drizzle_migrations",
  );
  const [{ first, last }] = Applied.parse(rows);
  const ours = readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis);
  if (last > Math.max(...ours))
    throw new OtherVersionError("the database was written by a newer version of the service; start that one");
  if (first > 0 && first < Math.min(...ours))
    throw new OtherVersionError("the database was written by a version before 0.2.0; begin with an empty one");
}

export async function migrateEmbedded(client: PGlite): Promise<void> {
  await refuseOtherVersions(client);
  await migratePglite(onPglite(client), { migrationsFolder });
}

/** Throws `EmbeddedDatabaseError`. */
export async function openEmbeddedDatabase(directory: string): Promise<Database> {
  const { client, close } = await openEmbedded(directory);
  await migrateEmbedded(client).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { db: onPglite(client), close };
}

const CONNECTIONS = 20;
/** Advisory locks: while migrating, and while serving. */
const MIGRATING = 7_263_841_001;
const SERVING = 7_263_841_002;

/** One line for people. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
}

export async function migrateServer(client: Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATING]);
  await refuseOtherVersions(client);
  await migrateOnServer(onServer(client), { migrationsFolder });
  await client.query("SELECT pg_advisory_unlock($1)", [MIGRATING]);
}

/** Detects within half a minute that a machine is gone, and frees its claim. */
const NOTICE_DEATH = "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/** One service per database, since limits and revocations are in memory. The lock dies with its connection. */
async function claim(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number | null; claimed: boolean }>(
    `SELECT pg_try_advisory_lock($1) AS claimed,
       (SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE locktype = 'advisory' AND granted AND datname = current_database()
          AND classid::bigint << 32 | objid::bigint = $1 LIMIT 1) AS pid`,
    [SERVING],
  );
  const [row] = rows;
  if (row?.claimed) return;
  throw new DatabaseError(`the database is in use by another service (its backend ${row?.pid ?? "is unknown"})`);
}

async function prepare(keeper: Client): Promise<void> {
  await keeper.connect();
  await claim(keeper);
  await migrateServer(keeper);
}

/** `onLost`: called when the claim is lost. */
export async function openServerDatabase(url: string, onLost: (error: Error) => void): Promise<Database> {
  const connection = { connectionString: url, application_name: "retaguarda-service" };
  const keeper = new Client({ ...connection, keepAlive: true, options: NOTICE_DEATH });
  let isClosing = false;
  keeper.on("error", (error) => {
    if (!isClosing) onLost(new DatabaseError(`the database was lost (${error.message})`));
  });
  await prepare(keeper).catch(async (error: unknown) => {
    isClosing = true;
    await keeper.end();
    throw error;
  });
  // Statements that need no answer in between are sent together.
  const pool = new Pool({ ...connection, max: CONNECTIONS, pipeline: true });
  // The pool has dropped the connection; the next query reports it to its caller.
  pool.on("error", () => undefined);
  return {
    db: onServer(pool),
    close: async () => {
      isClosing = true;
      await pool.end();
      await keeper.end();
    },
  };
}
