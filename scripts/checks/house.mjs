import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { Refusal, root, runProgram, say } from "../program.mjs";
import { chainsIn } from "./chains.mjs";

const APART = /\.test\.tsx?$|\.config\.(ts|mjs)$|\.d\.ts$|^(e2e|bench|security|test)\/|\/migrations\//;

/** Every file of the repository, including uncommitted ones. */
export const listFiles = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 })
    .split("\n")
    .filter((path) => path !== "" && existsSync(join(root, path)));

const listSources = () => listFiles().filter((path) => /\.(ts|tsx|mjs)$/.test(path));

/** Modules of this repository by path, each with its lines, comment lines and imports, without tests and tools. */
export function readHouse() {
  const paths = listSources().filter((path) => !APART.test(path));
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

const TEST = /((\.isolated|\.long)?\.test|\.spec)\.tsx?$/;
const TITLE = /(?:\b(?:it|test)(?:\.\w+)*|\))\(\s*(["`])((?:\\.|(?!\1)[^\\])*)\1/g;

/** Each test file with its titles; `isStray`: a unit test without a source file of its name beside it. */
export function readTests() {
  const paths = listSources();
  const sources = new Set(paths.map((path) => path.replace(/\.(tsx?|mjs)$/, "")));
  return paths
    .filter((path) => TEST.test(path))
    .map((path) => {
      const titles = [...readFileSync(join(root, path), "utf8").matchAll(TITLE)].map((match) => match[2]);
      return { path, titles, isStray: !path.includes(".spec.") && !sources.has(path.replace(TEST, "")) };
    });
}

const byValue = ({ values, lazy }) => [...values, ...lazy];
const byAny = (file) => [...byValue(file), ...file.types];

const folderOf = (path) => path.split("/").slice(0, 2).join("/");

/** Which folder or file under the top one imports which other there. */
function foldersOf(top, files, importsOf) {
  const folders = new Map();
  for (const [path, file] of files) {
    if (!path.startsWith(`${top}/`)) continue;
    const from = folderOf(path);
    const others = importsOf(file)
      .filter((to) => to.startsWith(`${top}/`))
      .map(folderOf);
    folders.set(from, new Set([...(folders.get(from) ?? []), ...others.filter((to) => to !== from)]));
  }
  return folders;
}

/** Groups of nodes that reach one another; the largest first. */
function knotsIn(graph) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const knots = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const to of graph.get(node) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(node, Math.min(low.get(node), low.get(to)));
    }
    if (low.get(node) !== index.get(node)) return;
    const members = stack.splice(stack.indexOf(node));
    if (members.length > 1) knots.push(members);
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return knots.toSorted((a, b) => b.length - a.length);
}

const pairsIn = (graph) =>
  [...graph].flatMap(([a, to]) => [...to].filter((b) => a < b && graph.get(b)?.has(a)).map((b) => `${a} ${b}`));

/** Two files that import one another, types included. */
const circlesIn = (files) => pairsIn(new Map([...files].map(([path, file]) => [path, new Set(byAny(file))])));

const titlesByLength = (tests) => tests.flatMap(({ titles }) => titles).toSorted((a, b) => b.length - a.length);

/** The figures of `house.json`: each may only decrease. */
export function figuresOf(files, tests) {
  const values = foldersOf("lib", files, byValue);
  const any = foldersOf("lib", files, byAny);
  const knotOf = (top) => knotsIn(foldersOf(top, files, byValue))[0]?.length ?? 0;
  const sum = (name) => [...files.values()].reduce((total, file) => total + file[name], 0);
  return {
    "largest knot of lib, by values": knotsIn(values)[0]?.length ?? 0,
    "largest knot of lib, by any import": knotsIn(any)[0]?.length ?? 0,
    "mutual pairs of lib, by values": pairsIn(values).length,
    "mutual pairs of lib, by any import": pairsIn(any).length,
    "largest knot of components, by values": knotOf("components"),
    "largest knot of service, by values": knotOf("service"),
    "cycles of files": knotsIn(new Map([...files].map(([path, file]) => [path, file.values]))).length,
    "circles of two files, by any import": circlesIn(files).length,
    "files of the longest chain": Math.max(...chainsIn(files).map((chain) => chain.files.length)),
    "unit tests without their source": tests.filter(({ isStray }) => isStray).length,
    "characters of the longest test title": titlesByLength(tests)[0]?.length ?? 0,
    "comments, in % of lines": Math.round((1000 * sum("commentLines")) / sum("lines")) / 10,
  };
}

const limitsFile = new URL("house.json", import.meta.url);
export const readLimits = () => JSON.parse(readFileSync(limitsFile, "utf8"));

/** One sentence for each figure that is worse than its limit. */
export const worsened = (figures, limits) =>
  Object.entries(limits).flatMap(([name, limit]) =>
    figures[name] <= limit ? [] : [`${name}: ${figures[name]}, at most ${limit} (scripts/checks/house.json)`],
  );

await runProgram(import.meta.url, async () => {
  const files = readHouse();
  const tests = readTests();
  const limits = readLimits();
  const figures = figuresOf(files, tests);
  for (const [name, limit] of Object.entries(limits))
    say(`${name.padEnd(56)}${String(figures[name]).padStart(6)}   of ${limit}`);
  for (const chain of chainsIn(files)) {
    say(`${`files to open for ${chain.name}`.padEnd(56)}${String(chain.files.length).padStart(6)}`);
    for (const path of chain.files) say(`    ${path}`);
    for (const step of chain.broken) say(`    nothing leads from ${step}`);
  }
  if (process.argv.includes("--names")) {
    for (const pair of pairsIn(foldersOf("lib", files, byAny))) say(`pair   ${pair}`);
    for (const pair of circlesIn(files)) say(`circle ${pair}`);
    for (const { path, isStray } of tests) if (isStray) say(`test   ${path}`);
    for (const title of titlesByLength(tests).slice(0, 10)) say(`title  ${title}`);
  }
  if (process.argv.includes("--keep")) {
    const better = Object.entries(limits).map(([name, limit]) => [name, Math.min(limit, figures[name])]);
    writeFileSync(limitsFile, `${JSON.stringify(Object.fromEntries(better), null, 2)}\n`);
  }
  const worse = worsened(figures, limits);
  if (worse.length > 0) throw new Refusal(worse.join("\n"));
});
