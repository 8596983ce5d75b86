import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { Client } from "pg";
import { z } from "zod";
import type { DatabaseSettings } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";

const MIGRATION_LOCK = 7_326_001;
const CONNECTED_WITHIN_MS = 10_000;

export const migrationsFolder = () => join(process.cwd(), "lib/db/migrations");

/** A name with several addresses fails once for each of them. */
const reasonOf = (failure: unknown): string =>
  failure instanceof AggregateError ? failure.errors.map(reasonOf).join(", ") : String(failure);

type Setting = "DATABASE_URL" | "MIGRATION_DATABASE_URL";

async function connected<T>(setting: Setting, url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECTED_WITHIN_MS });
  try {
    await client.connect();
  } catch (error) {
    throw new SettingError(`${setting}: cannot be connected to: ${reasonOf(error)}`);
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

type Account = { name: string; database: string; mayMigrate: boolean };

async function readAccount(client: Client): Promise<Account> {
  const { rows } = await client.query<Account>(`SELECT current_user AS name, current_database() AS database,
    has_database_privilege(current_database(), 'CREATE') AS "mayMigrate"`);
  const [account] = rows;
  if (account === undefined) throw new Error("the server did not say who is connected");
  return account;
}

const ours = () => readMigrationFiles({ migrationsFolder: migrationsFolder() }).map((one) => one.folderMillis);

type Querying = { query: (text: string) => Promise<{ rows: unknown[] }> };

const Migrated = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);
type Migrated = { first: number; last: number };

/** 0 before the first one, and when the account may not read it. */
async function migrated(client: Querying): Promise<Migrated> {
  const { rows: known } = await client.query(
    `SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = 'drizzle' AND relname = '__drizzle_migrations' AND has_schema_privilege(relnamespace, 'USAGE')`,
  );
  if (known.length === 0) return { first: 0, last: 0 };
  const { rows } = await client.query(
    `SELECT coalesce(min(created_at), 0)::text AS first, coalesce(max(created_at), 0)::text AS last
     FROM drizzle.__drizzle_migrations`,
  );
  return Migrated.parse(rows)[0];
}

/** Throws `SettingError` for tables of a version that this one cannot migrate. */
export async function refuseOtherVersions(client: Querying): Promise<void> {
  const { first, last } = await migrated(client);
  if (last > Math.max(...ours())) {
    throw new SettingError(
      "the database's tables are those of a newer version: start that version, or restore a copy from before it",
    );
  }
  if (first > 0 && first < Math.min(...ours())) {
    throw new SettingError("the database's tables are those of a version before 0.2.0: begin with an empty database");
  }
}

/** One process at a time; others wait. */
async function bringUpToDate(client: Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
  await refuseOtherVersions(client);
  await migrate(drizzle(client), { migrationsFolder: migrationsFolder() });
  await client.query("SELECT pg_advisory_unlock($1)", [MIGRATION_LOCK]);
}

/** Only rows, and append-only for the audit record. One transaction, so that the rights never exceed this. */
async function grantWork(owner: Client, account: string): Promise<void> {
  const worker = owner.escapeIdentifier(account);
  await owner.query(`
    GRANT USAGE ON SCHEMA public, drizzle TO ${worker};
    GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO ${worker};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${worker};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${worker};
    REVOKE UPDATE, DELETE ON audit_event FROM ${worker};
    REVOKE INSERT, UPDATE, DELETE ON audit_head FROM ${worker};`);
}

async function migrateAsOwner(url: string, worker: Account): Promise<void> {
  await connected("MIGRATION_DATABASE_URL", url, async (client) => {
    const owner = await readAccount(client);
    if (owner.database !== worker.database) {
      throw new SettingError(`MIGRATION_DATABASE_URL: names the database ${owner.database}, and DATABASE_URL another`);
    }
    if (owner.name === worker.name) {
      throw new SettingError(
        "MIGRATION_DATABASE_URL: names the account of DATABASE_URL: give the console one of its own",
      );
    }
    await bringUpToDate(client);
    await grantWork(client, worker.name);
  });
}

async function requireCurrent(client: Client): Promise<void> {
  await refuseOtherVersions(client);
  if ((await migrated(client)).last >= Math.max(...ours())) return;
  throw new SettingError(
    "DATABASE_URL: its account may not change tables, and they are not those of this version: run npm run migrate with MIGRATION_DATABASE_URL",
  );
}

/** Refuses a superuser and a member of the owner. */
async function requireLeastRights(client: Client): Promise<void> {
  const { rows } = await client.query<{ record: boolean; tables: boolean }>(`SELECT
    has_table_privilege('audit_event', 'UPDATE, DELETE, TRUNCATE')
      OR has_table_privilege('audit_head', 'INSERT, UPDATE, DELETE, TRUNCATE') AS record,
    has_schema_privilege('public', 'CREATE') AS tables`);
  if (rows[0]?.record !== false) {
    throw new SettingError(
      "DATABASE_URL: its account may change the audit record: it must be neither a superuser nor a member of the owner",
    );
  }
  if (rows[0].tables) {
    throw new SettingError("DATABASE_URL: its account may make tables: REVOKE CREATE ON SCHEMA public FROM PUBLIC");
  }
}

/** By `MIGRATION_DATABASE_URL` when set. Without that right, tables must be current. Throws `SettingError`. */
export async function prepareServer(
  url: string,
  { migrationDatabaseUrl }: Pick<DatabaseSettings, "migrationDatabaseUrl">,
) {
  await connected("DATABASE_URL", url, async (client) => {
    const worker = await readAccount(client);
    if (migrationDatabaseUrl === null && worker.mayMigrate) return bringUpToDate(client);
    if (migrationDatabaseUrl === null) await requireCurrent(client);
    else await migrateAsOwner(migrationDatabaseUrl, worker);
    return requireLeastRights(client);
  });
}
