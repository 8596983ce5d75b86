import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";

/** Where the one set of migrations of both engines lies. */
export const migrationsFolder = fileURLToPath(new URL("migrations", import.meta.url));

/** The database was written by a newer version of the service. The message is one line for people. */
export class NewerDatabaseError extends Error {
  override name = "NewerDatabaseError";
}

/** Throws `NewerDatabaseError` when the last migration applied to the database is none of ours. */
export function refuseNewer(lastAppliedMs: number | undefined): void {
  const newest = Math.max(...readMigrationFiles({ migrationsFolder }).map((migration) => migration.folderMillis));
  if (lastAppliedMs === undefined || lastAppliedMs <= newest) return;
  throw new NewerDatabaseError("the database was written by a newer version of the service; start that one");
}
