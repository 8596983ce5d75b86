import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import * as tables from "@/scripts/lint/boundaries.mjs";
import { listFiles } from "./house.mjs";
import { allowed, guardedNames, violations } from "@/test/support/planted";

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

/** A copy of this repository's rules, with each planted file in its place. */
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

test.each(allowed)("lint accepts $file", ({ file }) => {
  expect(said(file)).toEqual([]);
});

test.each(guardedNames)("$module exports the $name that lint guards", ({ module, name }) => {
  const text = readFileSync(join(root, `${module}.ts`), "utf8");
  expect(text).toMatch(new RegExp(`^export (const|async function) ${name}\\b`, "m"));
});

test("lists each write in a list of writes", () => {
  const lists = ["lib/sent-writes.ts", "lib/writes/approvable.ts"]
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  const defined = listFiles()
    .filter((path) => /^lib\/.+\.ts$/.test(path) && !path.endsWith(".test.ts"))
    .flatMap(
      (path) =>
        readFileSync(join(root, path), "utf8").match(/(?<=^const |^export const )\w+(?= = define(Write|Change)\()/gm) ??
        [],
    );
  expect(defined.length).toBeGreaterThan(15);
  expect(defined.filter((name) => !new RegExp(`\\b${name}\\b`).test(lists.slice(lists.indexOf("SENT"))))).toEqual([]);
});

test("gives each folder of lib its floor, and each floor its folder", () => {
  const folders = new Set(listFiles().flatMap((path) => /^lib\/([a-z-]+)(?:\/|\.ts$)/.exec(path)?.[1] ?? []));
  expect(tables.floors.toSorted()).toEqual([...folders].toSorted());
});

const patternsIn = (value: unknown): RegExp[] => {
  if (value instanceof RegExp) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(patternsIn) : [];
};

/** The alternatives of each group of a pattern, by the number of the group. */
function alternativesIn(source: string): string[][] {
  const open: number[][] = [];
  const groups: number[][] = [];
  for (const { 0: sign, index } of source.matchAll(/\\.|\[(?:\\.|[^\]])*\]|\(\??|[|)]/g)) {
    if (sign.startsWith("(")) open.push([index]);
    if (sign === "(") groups.push(open.at(-1) ?? []);
    if (sign === "|") open.at(-1)?.push(index);
    if (sign === ")") open.pop()?.push(index);
  }
  return groups.map((bounds) => bounds.slice(1).map((end, nth) => source.slice((bounds[nth] ?? 0) + 1, end)));
}

function deadIn(pattern: RegExp, names: string[]): string[] {
  const source = `(${pattern.source})`;
  const matches = names.map((name) => new RegExp(source).exec(name));
  return alternativesIn(source).flatMap((alternatives, group) => {
    if (alternatives.length === 1 && group > 0) return [];
    const taken = new Set(matches.map((match) => match?.[group + 1]));
    return alternatives.filter(
      (one) => ![...taken].some((text) => text !== undefined && RegExp(`^(${one})$`).test(text)),
    );
  });
}

const files = listFiles();
const importedIn = (path: string) =>
  [...readFileSync(join(root, path), "utf8").matchAll(/\bfrom "([^"]+)"/g)].map(([, name = ""]) => name);
const sources = files.filter((path) => /\.(mjs|tsx?)$/.test(path));
const modules = sources.map((path) => path.replace(/\.\w+$/, ""));
const names = [...new Set([...files, ...modules, ...sources.flatMap(importedIn)])];

test("names only existing paths in the table of boundaries", () => {
  expect(patternsIn(tables).flatMap((pattern) => deadIn(pattern, names))).toEqual([]);
});

test("counts an alternative without a file as gone", () => {
  const pattern = /^lib\/(kyc\/(queries|decider)|gone|[a-z]+\/actions)$/;
  expect(deadIn(pattern, ["lib/kyc/queries", "lib/kyc/actions"])).toEqual(["gone", "decider"]);
  expect(deadIn(/^lib\/gone\//, ["lib/kyc/queries"])).toEqual(["^lib\\/gone\\/"]);
});
