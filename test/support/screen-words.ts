import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

const IMPORTED = /(?:from|import\() ?"((?:@\/|\.)[^"]+)"/g;
const SPACES = /Translations(?:<[^>]*>)?\((?:"([\w.-]+)")?\)/g;
const STRINGS = /"([\w./?-]+)"|`([^`\n]*)`/g;

const known = new Set(
  ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => posix.join(folder, path))
      .filter((path) => /\.tsx?$/.test(path)),
  ),
);

function found(from: string, to: string): string | undefined {
  const base = to.startsWith("@/") ? to.slice(2) : posix.join(posix.dirname(from), to);
  return ["", ".ts", ".tsx"].map((ending) => base + ending).find((path) => known.has(path));
}

type Source = { imports: string[]; spaces: string[]; keys: string[] };

const sources = new Map<string, Source>();

const patternOf = (template: string) => template.replaceAll(/\$\{[^}]*\}/g, "*");

function sourceOf(path: string): Source {
  const kept = sources.get(path);
  if (kept !== undefined) return kept;
  const text = readFileSync(join(process.cwd(), path), "utf8");
  const imports = Array.from(text.matchAll(IMPORTED), ([, to = ""]) => found(path, to)).filter(
    (to) => to !== undefined,
  );
  const spaces = Array.from(text.matchAll(SPACES), ([, space = ""]) => space);
  const keys = Array.from(text.matchAll(STRINGS), ([, plain, template = ""]) => plain ?? patternOf(template));
  const source = { imports, spaces, keys };
  sources.set(path, source);
  return source;
}

/** What a screen is made of: what its page loads, first or later. */
function modulesOf(path: string): Source[] {
  const seen = new Set([path]);
  for (const one of seen) for (const to of sourceOf(one).imports) seen.add(to);
  return [...seen].map(sourceOf);
}

const PATTERN = /^(?=.*[a-z])[\w.*/?-]*\*[\w.*/?-]*$/i;

const fits = (pattern: string, key: string): boolean =>
  pattern === key ||
  (PATTERN.test(pattern) &&
    new RegExp(`^${pattern.replaceAll(/[.?]/g, String.raw`\$&`).replaceAll("*", String.raw`[\w./?-]+`)}$`).test(key));

/** Whether some module of the page names this message, whole or by a space and the rest. */
export function screenHas(page: string): (key: string) => boolean {
  const modules = modulesOf(page);
  const spaces = new Set(modules.flatMap((one) => one.spaces));
  const keys = [...new Set(modules.flatMap((one) => one.keys))];
  return (key) => {
    const parts = key.split(".");
    return parts.some((_, nth) => {
      const space = parts.slice(0, nth).join(".");
      return spaces.has(space) && keys.some((pattern) => fits(pattern, parts.slice(nth).join(".")));
    });
  };
}
