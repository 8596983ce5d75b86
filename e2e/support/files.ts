import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file under a folder by its path in it, byte for byte a sign. */
export function filesUnder(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, "latin1")]));
}
