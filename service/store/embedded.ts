import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { openEmbedded } from "@/lib/process/embedded";
import type { Database } from "./transaction";
import { migrationsFolder, refuseOtherVersions } from "./migrate";

export async function migrateEmbedded(client: PGlite): Promise<void> {
  await refuseOtherVersions(client);
  await migrate(drizzle(client), { migrationsFolder });
}

/** Throws `EmbeddedDatabaseError`. */
export async function openEmbeddedDatabase(directory: string): Promise<Database> {
  const { client, close } = await openEmbedded(directory);
  await migrateEmbedded(client).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { db: drizzle(client), close };
}
