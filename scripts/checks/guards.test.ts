import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { allowed, violations } from "@/scripts/lint/planted";

const Report = z.object({
  diagnostics: z.array(z.object({ filename: z.string(), code: z.string().default(""), message: z.string() })),
});

const root = resolve(import.meta.dirname, "../..");
const house = mkdtempSync(join(tmpdir(), "retaguarda-planted-"));
let reported: z.infer<typeof Report>["diagnostics"] = [];

function write(file: string, text: string) {
  mkdirSync(dirname(join(house, file)), { recursive: true });
  writeFileSync(join(house, file), text);
}

/** A house of its own, under the very rules of this one, where each planted file stands at its place. */
beforeAll(() => {
  const rules = z.looseObject({}).parse(JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")));
  write(".oxlintrc.json", JSON.stringify({ ...rules, jsPlugins: [join(root, "scripts/lint/house.mjs")] }));
  write("tsconfig.json", readFileSync(join(root, "tsconfig.json"), "utf8"));
  symlinkSync(join(root, "node_modules"), join(house, "node_modules"));
  for (const { file, code } of [...violations, ...allowed]) write(file, code);

  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  const run = spawnSync(process.execPath, [oxlint, "--type-aware", "--format=json"], { cwd: house, encoding: "utf8" });
  if (!run.stdout.startsWith("{")) throw new Error(`oxlint reported nothing: ${run.stdout}${run.stderr}`);
  reported = Report.parse(JSON.parse(run.stdout)).diagnostics;
});

afterAll(() => rmSync(house, { recursive: true }));

const said = (file: string) =>
  reported.filter(({ filename }) => filename === file).map(({ code, message }) => `${code} ${message}`);

test.each(violations)("lint reports $file: $says", ({ file, says }) => {
  expect(said(file)).toContainEqual(expect.stringContaining(says));
});

test.each(allowed)("lint lets $file be", ({ file }) => {
  expect(said(file)).toEqual([]);
});
