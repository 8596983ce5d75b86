// @ts-check
import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** Variables that are set already win. */
export function loadEnvFile() {
  const file = resolve(import.meta.dirname, "../.env");
  if (existsSync(file)) process.loadEnvFile(file);
}
