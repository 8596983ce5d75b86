import { createHash } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";

const migrationsFolder = join(process.cwd(), "lib/store/migrations");

export function dumpFile(): string {
  const version = createHash("sha256").update(JSON.stringify(readMigrationFiles({ migrationsFolder })));
  return join(tmpdir(), `retaguarda-console-${process.getuid?.() ?? 0}-${version.digest("hex").slice(0, 16)}.tar`);
}

/** Once per machine: migrating takes seconds, loading a fraction. */
export async function setup(): Promise<void> {
  const file = dumpFile();
  if (existsSync(file)) return;
  const client = await PGlite.create();
  await migrate(drizzle(client), { migrationsFolder });
  const dump = await client.dumpDataDir("none");
  await client.close();
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()), { mode: 0o600 });
  renameSync(draft, file);
}
