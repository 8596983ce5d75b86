import type { KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { publicKeyFrom, publicKeyText, signingKey } from "@/lib/audit/head";
import { CommandRefusal } from "@/lib/db/command";
import { EmbeddedDatabaseError } from "@/lib/db/embedded";
import { loadEnvFile } from "@/server/env-file.mjs";
import { readAuditKey } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";

export class UsageError extends Error {}

function complain(error: unknown, usage: string): void {
  process.exitCode = 1;
  if (error instanceof UsageError) console.error(`${error.message}\n${usage}`);
  else if (error instanceof CommandRefusal || error instanceof SettingError || error instanceof EmbeddedDatabaseError) {
    console.error(error.message);
  } else throw error;
}

/** With the settings of `.env`; exit code 1 and one sentence for a fixable error. */
export async function runCommandLine(usage: string, main: () => Promise<void>): Promise<void> {
  loadEnvFile();
  await Promise.resolve()
    .then(main)
    .catch((error: unknown) => complain(error, usage));
}

export function readArguments<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split(". ")[0] : "");
  }
}

/** Whether the command was given `--name`. Throws `UsageError` for any other argument. */
export const isAsked = (name: string): boolean =>
  readArguments({ options: { [name]: { type: "boolean" } } }).values[name] === true;

export function readPublicKey(file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    publicKeyFrom(text);
    return text;
  } catch {
    throw new UsageError(`${file} holds no public key`);
  }
}

export const ownPublicKey = (): string => publicKeyText(signingKey(readAuditKey(process.env))).trimEnd();

export function knownKeys(files: readonly string[] | undefined): KeyObject[] {
  if (files !== undefined) return files.map(readPublicKey).map(publicKeyFrom);
  try {
    return [publicKeyFrom(ownPublicKey())];
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw new SettingError(`${error.message}. Set AUDIT_KEY to that of the desk, or name its public key with --key.`);
  }
}

export const numbers = new Intl.NumberFormat("en-US");
