import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "../program.mjs";

const FOLDERS = ["app", "components", "lib"];
const TEST = /\.test\.tsx?$|(^|[-/])testing\.tsx?$/;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

const childrenOf = (node) =>
  Object.entries(node)
    .filter(([name, child]) => name !== "parent" && child !== null && typeof child === "object")
    .flatMap(([, child]) =>
      Array.isArray(child) ? child.filter((one) => one !== null && typeof one === "object") : [child],
    );

/** What a key may be: `*` stands for any part of it. Null where the text does not say. */
function keysIn(argument) {
  if (argument?.type === "Literal" && typeof argument.value === "string") return [argument.value];
  if (argument?.type === "TemplateLiteral") return [argument.quasis.map(({ value }) => value.cooked).join("*")];
  if (argument?.type !== "ConditionalExpression") return null;
  const [yes, no] = [keysIn(argument.consequent), keysIn(argument.alternate)];
  return yes && no && [...yes, ...no];
}

const isAsking = (node) => node?.type === "CallExpression" && node.callee.name === "useTranslations";

const spaceOf = ({ arguments: [space] }) => (space === undefined ? "" : (space.value ?? "*"));

function namesIn(body) {
  const names = new Map();
  const look = (node) => {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && isAsking(node.init)) {
      names.set(node.id.name, spaceOf(node.init));
    }
    for (const child of childrenOf(node)) if (!FUNCTION.test(child.type)) look(child);
  };
  for (const child of childrenOf(body)) if (!FUNCTION.test(child.type)) look(child);
  return names;
}

export function patternsOf(text) {
  const { program } = parseSync("module.tsx", text);
  const found = new Set();
  const add = (space, patterns) => {
    for (const pattern of patterns ?? ["**"]) found.add(space === "" ? pattern : `${space}.${pattern}`);
  };
  const visit = (node, around, scopes) => {
    const [inner] = scopes;
    const inside = FUNCTION.test(node.type) || inner === undefined ? [namesIn(node), ...scopes] : scopes;
    if (isAsking(node) && around?.type !== "VariableDeclarator") {
      add(spaceOf(node), around?.callee === node ? keysIn(around.arguments[0]) : null);
    }
    const space = node.type === "Identifier" ? scopes.find((names) => names.has(node.name))?.get(node.name) : undefined;
    const isName =
      (around?.type === "VariableDeclarator" && around.id === node) ||
      (around?.type === "MemberExpression" && around.property === node && !around.computed) ||
      (around?.type === "Property" && around.key === node && !around.shorthand);
    if (space !== undefined && !isName) {
      add(space, around?.callee === node ? keysIn(around.arguments[0]) : null);
    }
    for (const child of childrenOf(node)) visit(child, node.type ? node : around, inside);
  };
  visit(program, null, []);
  return found;
}

const isOfType = (entries) => entries.length > 0 && entries.every(({ isType }) => isType);

function importsOf(path, text, module, resolve) {
  const now = module.staticImports.filter(({ entries }) => !isOfType(entries)).map((one) => one.moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest && !isType) now.push(moduleRequest.value);
  }
  const late = module.dynamicImports.map(({ moduleRequest, start }) => ({
    to: text.slice(moduleRequest.start, moduleRequest.end).replaceAll(/["'`]/g, ""),
    isLate: !/dynamic\(\s*\(\) =>\s*$/.test(text.slice(0, start)),
  }));
  const here = (to) => resolve(path, to);
  return {
    now: [...now, ...late.filter(({ isLate }) => !isLate).map(({ to }) => to)].map(here).filter(Boolean),
    late: late
      .filter(({ isLate }) => isLate)
      .map(({ to }) => here(to))
      .filter(Boolean),
  };
}

function readModules() {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => posix.join(folder, path)),
  ).filter((path) => /\.tsx?$/.test(path) && !TEST.test(path));
  const known = new Set(paths);
  const resolve = (from, to) => {
    const base = to.startsWith("@/") ? to.slice(2) : to.startsWith(".") ? posix.join(posix.dirname(from), to) : null;
    return base === null ? undefined : ["", ".ts", ".tsx"].map((end) => base + end).find((path) => known.has(path));
  };
  return new Map(
    paths.map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const { module, program } = parseSync(path, text);
      const patterns = text.includes("useTranslations(") ? patternsOf(text) : new Set();
      const { directive } = program.body[0] ?? {};
      return [path, { text, directive, patterns, ...importsOf(path, text, module, resolve) }];
    }),
  );
}

function patternsFrom(modules, entries) {
  const found = new Set();
  const seen = new Set();
  const visit = (path, isAbove) => {
    const known = modules.get(path);
    if (known === undefined || known.directive === "use server") return;
    const isBrowsers = isAbove || known.directive === "use client";
    if (seen.has(`${path} ${isBrowsers}`)) return;
    seen.add(`${path} ${isBrowsers}`);
    if (isBrowsers) for (const pattern of known.patterns) found.add(pattern);
    for (const to of known.now) visit(to, isBrowsers);
  };
  for (const entry of entries) visit(entry, false);
  return found;
}

function leavesOf(messages, above = "") {
  return Object.entries(messages).flatMap(([name, value]) =>
    typeof value === "string" ? [above + name] : leavesOf(value, `${above}${name}.`),
  );
}

const escaped = (text) => text.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);

export function chosen(leaves, patterns) {
  const wanted = [...patterns].map((pattern) => {
    const parts = pattern.split(/(\*\*?)/).map((part) => (part.startsWith("*") ? ".*" : escaped(part)));
    return { pattern, is: new RegExp(`^${parts.join("")}$`) };
  });
  for (const { pattern, is } of wanted) {
    if (!leaves.some((leaf) => is.test(leaf))) throw new Error(`No sentence is called ${pattern}.`);
  }
  return leaves.filter((leaf) => wanted.some(({ is }) => is.test(leaf)));
}

const BESIDE = ["error", "not-found", "global-error", "loading"];

/** By page and layout, the keys that its own modules ask for at once, without those of the layouts around it. */
export function clientKeys() {
  const modules = readModules();
  const leaves = leavesOf(JSON.parse(readFileSync(join(root, "messages/en.json"), "utf8")));
  const own = new Map();
  for (const [path, { text }] of modules) {
    if (!/^app\/.*(page|layout)\.tsx$/.test(path)) continue;
    const [, named] = /(?:<ClientMessages of=|screen\()"([^"]+)"/.exec(text) ?? [];
    if (named !== undefined && `${named}.tsx` !== path) throw new Error(`${path} calls itself ${named}.`);
    const beside = path.endsWith("layout.tsx")
      ? BESIDE.map((name) => posix.join(posix.dirname(path), `${name}.tsx`))
      : [];
    const entries = [path, ...beside.filter((one) => modules.has(one))];
    own.set(path.replace(/\.tsx$/, ""), new Set(chosen(leaves, patternsFrom(modules, entries))));
  }
  const around = (of) =>
    [...own.keys()].filter((one) => one !== of && one.endsWith("layout") && of.startsWith(one.replace(/layout$/, "")));
  return Object.fromEntries(
    [...own].map(([of, keys]) => [
      of,
      [...keys].filter((key) => !around(of).some((layout) => own.get(layout).has(key))),
    ]),
  );
}
