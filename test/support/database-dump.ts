import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { readMigrationFiles } from "drizzle-orm/migrator";

/** The dump of a migrated, empty database, named by its migrations. */
export function dumpFileOf(name: string, migrationsFolder: string): string {
  const version = createHash("sha256").update(JSON.stringify(readMigrationFiles({ migrationsFolder })));
  return join(
    process.cwd(),
    "node_modules/.cache/retaguarda-tests",
    `${name}-${version.digest("hex").slice(0, 16)}.tar`,
  );
}

/** Makes it if missing: migrating takes seconds, loading a fraction. */
export async function makeDump(file: string, migrate: (client: PGlite) => Promise<void>): Promise<void> {
  if (existsSync(file)) return;
  const client = await PGlite.create();
  await migrate(client);
  const dump = await client.dumpDataDir("none");
  await client.close();
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()), { mode: 0o600 });
  renameSync(draft, file);
}
