import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@/lib/db/connection";
import { openEmbeddedDatabase } from "@/service/store/open";

/**
 * Making the two embedded databases takes most of a product's first start, copying them next to nothing: they are made once
 * for a run, migrated and empty; not where E2E_DATABASE_URL names a server, on which nearly all products have their own. The
 * product that all stories share makes its own, as anybody's first start does. Returns what removes them again.
 */
export async function makeDatabases(): Promise<() => void> {
  if (process.env["E2E_DATABASE_URL"] !== undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), "retaguarda-made-"));
  const opened = await Promise.all([
    openStore({ databaseUrl: null, dataDir: folder }),
    openEmbeddedDatabase(join(folder, "service")),
  ]);
  await Promise.all(opened.map(({ close }) => close()));
  process.env["E2E_MADE_DATABASES"] = folder;
  return () => rmSync(folder, { recursive: true });
}

/** Gives a data directory in which there is nothing yet the databases that were made for this run, if they were. */
export function copyDatabases(dataDir: string): void {
  const folder = process.env["E2E_MADE_DATABASES"];
  if (folder === undefined || existsSync(join(dataDir, "console")) || existsSync(join(dataDir, "service"))) return;
  cpSync(folder, dataDir, { recursive: true });
}
