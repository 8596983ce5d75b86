import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { Refusal, root, runProgram, say } from "../program.mjs";
import { chainsIn } from "./chains.mjs";

const APART = /\.test\.tsx?$|\.config\.(ts|mjs)$|\.d\.ts$|^(e2e|bench|security|test)\/|\/migrations\//;
const SHORT_LINES = 80;
const FULL_FOLDER = 20;

const list = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 })
    .split("\n")
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && existsSync(join(root, path)));

/** Modules of this repository by path, each with its lines, its comment lines and what it imports; tests and tools apart. */
export function readHouse() {
  const paths = list().filter((path) => !APART.test(path));
  const known = new Set(paths);
  const resolve = (from, specifier) => {
    const base = specifier.startsWith("@/")
      ? specifier.slice(2)
      : specifier.startsWith(".")
        ? posix.join(posix.dirname(from), specifier)
        : null;
    return base === null
      ? undefined
      : ["", ".ts", ".tsx", ".mjs"].map((end) => base + end).find((path) => known.has(path));
  };
  const files = new Map();
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    const { module, comments } = parseSync(path, text);
    const values = new Set();
    const types = new Set();
    const lazy = new Set();
    for (const { moduleRequest, entries } of module.staticImports) {
      const to = resolve(path, moduleRequest.value);
      const isType = entries.length > 0 && entries.every((entry) => entry.isType);
      if (to) (isType ? types : values).add(to);
    }
    for (const { entries } of module.staticExports) {
      for (const { moduleRequest, isType } of entries) {
        const to = moduleRequest && resolve(path, moduleRequest.value);
        if (to) (isType ? types : values).add(to);
      }
    }
    for (const { moduleRequest } of module.dynamicImports) {
      const to = resolve(path, text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/["'`]/g, ""));
      if (to) lazy.add(to);
    }
    const lines = text.split("\n").length - 1;
    const commentLines = comments.reduce((sum, { start, end }) => sum + text.slice(start, end).split("\n").length, 0);
    files.set(path, { lines, commentLines, values, types, lazy });
  }
  return files;
}

/** The paths of the bench, tests apart. */
export const readBench = () => list().filter((path) => path.startsWith("bench/") && !path.endsWith(".test.ts"));

const importsOf = ({ values, types, lazy }) => new Set([...values, ...types, ...lazy]);

const IMPORTED_BY_NEXT = /^app\/.*\/(error|page|layout)\.tsx$/;

/** Files under 80 lines that one module of their own folder imports and no other does, each with that module. */
export function lonely(files) {
  const importers = new Map([...files.keys()].map((path) => [path, new Set()]));
  for (const [path, file] of files) for (const to of importsOf(file)) importers.get(to).add(path);
  const isLazy = (path) => [...files.values()].some(({ lazy }) => lazy.has(path));
  return [...importers].flatMap(([path, who]) => {
    const [only] = who;
    const isLonely =
      who.size === 1 &&
      !IMPORTED_BY_NEXT.test(path) &&
      files.get(path).lines < SHORT_LINES &&
      dirname(only) === dirname(path);
    return isLonely && !isLazy(path) ? [[path, only]] : [];
  });
}

function valueCycles(files) {
  const [index, low, stack, cycles] = [new Map(), new Map(), [], []];
  const visit = (path) => {
    index.set(path, index.size);
    low.set(path, index.get(path));
    stack.push(path);
    for (const to of files.get(path).values) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(path, Math.min(low.get(path), low.get(to)));
    }
    if (low.get(path) !== index.get(path)) return;
    const members = stack.splice(stack.indexOf(path));
    if (members.length > 1) cycles.push(members);
  };
  for (const path of files.keys()) if (!index.has(path)) visit(path);
  return cycles;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function fullFolders(files) {
  const folders = new Map();
  for (const path of files.keys()) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  return [...folders].filter(([, entries]) => entries > FULL_FOLDER).toSorted((a, b) => b[1] - a[1]);
}

const linesIn = (files) => sum([...files.values()].map(({ lines }) => lines));

/** What `house.json` holds: each may only become less. `bench` stands apart from `files`; `comments` in percent of lines. */
export function figuresOf(files, bench) {
  const entries = [...files.keys()].filter((path) => path.startsWith("lib/")).map((path) => path.split("/")[1]);
  const comments = sum([...files.values()].map(({ commentLines }) => commentLines));
  return {
    files: files.size,
    bench: bench.length,
    lonely: lonely(files).length,
    fullFolders: fullFolders(files).length,
    libEntries: new Set(entries).size,
    cycles: valueCycles(files).length,
    comments: Math.round((1000 * comments) / linesIn(files)) / 10,
  };
}

const limitsFile = new URL("house.json", import.meta.url);
export const readLimits = () => JSON.parse(readFileSync(limitsFile, "utf8"));

/** One sentence for each figure that is worse than the one that is kept. */
export const worsened = (figures, limits) =>
  Object.entries(limits).flatMap(([name, limit]) =>
    figures[name] > limit ? [`${name}: ${figures[name]}, at most ${limit} (scripts/checks/house.json)`] : [],
  );

const LABELS = {
  files: "production files",
  bench: "files of the bench",
  lonely: `one neighbour uses it, of under ${SHORT_LINES} lines`,
  fullFolders: `folders of over ${FULL_FOLDER} files`,
  libEntries: "entries of lib",
  cycles: "cycles of values",
  comments: "comments, in % of lines",
};

const flag = (name) => process.argv.includes(name);

await runProgram(import.meta.url, async () => {
  const files = readHouse();
  const figures = figuresOf(files, readBench());
  const limits = readLimits();
  for (const [name, label] of Object.entries(LABELS)) {
    say(`${label.padEnd(48)}${String(figures[name]).padStart(6)}   of ${limits[name]}`);
  }
  say(`${"lines a file".padEnd(48)}${(linesIn(files) / files.size).toFixed(0).padStart(6)}`);
  for (const [folder, entries] of fullFolders(files)) say(`    ${folder} ${entries}`);
  for (const members of valueCycles(files)) say(`    ${members.join(" ")}`);
  for (const { name, files: opened, broken } of chainsIn(files)) {
    say(`${`files to open for ${name}`.padEnd(64)}${opened.length}`);
    for (const step of broken) say(`    nothing leads from ${step}`);
    if (flag("--ways")) for (const path of opened) say(`    ${path}`);
  }
  if (flag("--lonely")) for (const [path, only] of lonely(files)) say(`    ${path} ← ${only}`);
  if (flag("--keep")) {
    const better = Object.entries(limits).map(([name, limit]) => [name, Math.min(limit, figures[name])]);
    writeFileSync(limitsFile, `${JSON.stringify(Object.fromEntries(better), null, 2)}\n`);
  }
  const worse = worsened(figures, limits);
  if (worse.length > 0) throw new Refusal(worse.join("\n"));
});
