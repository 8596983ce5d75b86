import { parseArgs } from "node:util";
import { CommandRefusal } from "@/lib/process/command";
import { EmbeddedDatabaseError } from "@/lib/process/embedded";
import { loadEnvFile } from "@/server/env-file.mjs";
import { SettingError } from "@/lib/settings/setting";

export class UsageError extends Error {}

function complain(error: unknown, usage: string): void {
  process.exitCode = 1;
  if (error instanceof UsageError) console.error(`${error.message}\n${usage}`);
  else if (error instanceof CommandRefusal || error instanceof SettingError || error instanceof EmbeddedDatabaseError) {
    console.error(error.message);
  } else throw error;
}

/** With the settings of `.env`; exit code 1 and one sentence for what a person can put right. */
export async function runCommandLine(usage: string, main: () => Promise<void>): Promise<void> {
  loadEnvFile();
  await Promise.resolve()
    .then(main)
    .catch((error: unknown) => complain(error, usage));
}

/** Whether the command was given `--name`. Throws `UsageError` for anything else that it was given. */
export function isAsked(name: string): boolean {
  try {
    return parseArgs({ options: { [name]: { type: "boolean" } } }).values[name] === true;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split(". ")[0] : "");
  }
}
