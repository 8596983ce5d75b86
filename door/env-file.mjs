// @ts-check
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Adds what `.env` beside `package.json` says to the environment, of a checkout or an installation; what is set already holds. */
export function loadEnvFile() {
  const file = resolve(import.meta.dirname, "../.env");
  if (existsSync(file)) process.loadEnvFile(file);
}
