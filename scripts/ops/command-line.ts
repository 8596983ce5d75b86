import { CommandRefusal } from "@/lib/process/command";
import { EmbeddedDatabaseError } from "@/lib/process/embedded";
import { loadEnvFile } from "@/door/env-file.mjs";
import { SettingError } from "@/lib/settings/setting";

/** What was typed makes no sense: answered with how it is meant to be used. */
export class UsageError extends Error {}

function complain(error: unknown, usage: string): void {
  process.exitCode = 1;
  if (error instanceof UsageError) console.error(`${error.message}\n${usage}`);
  else if (error instanceof CommandRefusal || error instanceof SettingError || error instanceof EmbeddedDatabaseError) {
    console.error(error.message);
  } else throw error;
}

/** Runs a command line to its end, with the settings of `.env`: exit code 1 and a sentence for what a person can put right. */
export async function runCommandLine(usage: string, main: () => Promise<void>): Promise<void> {
  loadEnvFile();
  await Promise.resolve()
    .then(main)
    .catch((error: unknown) => complain(error, usage));
}
