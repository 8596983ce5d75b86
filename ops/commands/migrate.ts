import { readDatabaseSettings } from "@/lib/settings/env";
import { prepareServer } from "@/lib/db/migration";
import { runCommandLine, UsageError } from "./command-line";

const USAGE = `usage: npm run migrate
Brings the tables of DATABASE_URL up to date, by the account of MIGRATION_DATABASE_URL where it is set, which then lets the
account of DATABASE_URL work with them. Needs no other setting. Without it the console does so by itself when it starts.`;

await runCommandLine(USAGE, async () => {
  const settings = readDatabaseSettings(process.env);
  if (settings.databaseUrl === null) {
    throw new UsageError("DATABASE_URL is not set: the embedded database is brought up to date by the console");
  }
  await prepareServer(settings.databaseUrl, settings);
  console.log("The tables are those of this version.");
});
