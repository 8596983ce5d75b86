import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const listed = (...args: string[]) =>
  execFileSync("git", ["ls-files", ...args], { encoding: "utf8" })
    .trim()
    .split("\n");
const folders = new Set(listed().map((path) => path.split("/")[0]));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

/** `lib/kyc/queue.ts`, without placeholders (`lib/<area>/view.ts`, `lib/*`), patterns and URLs. */
const pathsIn = (code: string) =>
  code
    .split(/[\s,]+/)
    .map((word) => word.replace(/[.:;/]+$/, ""))
    .filter((word) => /^[\w@.()[\]/-]+$/.test(word) && word.includes("/") && folders.has(word.split("/")[0]));

describe("what the documents name exists", () => {
  // The handbook's pages name pictures and pages by a notation of their own, which their own test checks.
  it.each(listed("*.md", ":!lib/help"))("in %s", (document) => {
    const text = readFileSync(document, "utf8");
    const quoted = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code = ""]) => code);
    const links = Array.from(text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g), ([, to = ""]) =>
      join(dirname(document), to),
    );
    const commands = quoted.flatMap((code) => Array.from(code.matchAll(/npm run ([\w:-]+)/g), ([, name = ""]) => name));
    expect([...quoted.flatMap(pathsIn), ...links].filter((path) => !existsSync(path))).toEqual([]);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});
