import { join } from "node:path";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { dumpFileOf, makeDump } from "./database-dump";

const migrationsFolder = join(process.cwd(), "lib/db/migrations");

export const dumpFile = () => dumpFileOf("console", migrationsFolder);

export const setup = () => makeDump(dumpFile(), (client) => migrate(drizzle(client), { migrationsFolder }));
