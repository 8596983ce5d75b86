import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client, Pool } from "pg";
import type { Database } from "./transaction";
import { migrationsFolder, refuseOtherVersions } from "./migrate";

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
  await migrate(drizzle(client), { migrationsFolder });
  await client.query("SELECT pg_advisory_unlock($1)", [MIGRATING]);
}

/** Notices within half a minute that a machine is gone, and frees its claim. */
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

/** `onLost`: the claim is gone. */
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
  // Statements that need no answer in between go out together.
  const pool = new Pool({ ...connection, max: CONNECTIONS, pipeline: true });
  // The pool has dropped the connection; the next query tells whoever needs one.
  pool.on("error", () => undefined);
  return {
    db: drizzle(pool),
    close: async () => {
      isClosing = true;
      await pool.end();
      await keeper.end();
    },
  };
}
