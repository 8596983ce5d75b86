import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { z } from "zod";

export const migrationsFolder = fileURLToPath(new URL("migrations", import.meta.url));

/** One line for people. */
export class OtherVersionError extends Error {
  override name = "OtherVersionError";
}

type Querying = { query: (text: string) => Promise<{ rows: unknown[] }> };

const Applied = z.tuple([z.object({ first: z.coerce.number(), last: z.coerce.number() })]);

/** Throws `OtherVersionError` when the first or last applied migration is none of ours. */
export async function refuseOtherVersions(client: Querying): Promise<void> {
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
