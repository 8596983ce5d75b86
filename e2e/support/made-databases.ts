import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Creating the two embedded databases takes most of a product's first start, so they are made once for a run, migrated
 * and empty, and copied. Not with E2E_DATABASE_URL, where nearly all products have their own on that server. The
 * product shared by all stories makes its own, as any first start does. Returns what removes them again.
 */
export async function makeDatabases(): Promise<() => void> {
  if (process.env["E2E_DATABASE_URL"] !== undefined) return () => undefined;
  // Every worker loads this file, and only the first process of a run opens a database.
  const [{ openStore }, { openEmbeddedDatabase }] = await Promise.all([
    import("@/lib/db/connection"),
    import("@/service/store/open"),
  ]);
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-made-"));
  const opened = await Promise.all([
    openStore({ databaseUrl: null, dataDir: folder }),
    openEmbeddedDatabase(join(folder, "service")),
  ]);
  await Promise.all(opened.map(({ close }) => close()));
  process.env["E2E_MADE_DATABASES"] = folder;
  return () => rmSync(folder, { recursive: true });
}

/** Copies this run's databases, if any, into an empty data directory. */
export function copyDatabases(dataDir: string): void {
  const folder = process.env["E2E_MADE_DATABASES"];
  if (folder === undefined || existsSync(join(dataDir, "console")) || existsSync(join(dataDir, "service"))) return;
  cpSync(folder, dataDir, { recursive: true });
}
