import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";
import { root } from "../program.mjs";

const FOLDERS = ["app", "components", "lib"];
const TEST = /\.test\.tsx?$/;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

const childrenOf = (node) =>
  Object.entries(node)
    .filter(([name, child]) => name !== "parent" && child !== null && typeof child === "object")
    .flatMap(([, child]) =>
      Array.isArray(child) ? child.filter((one) => one !== null && typeof one === "object") : [child],
    );

/** The possible keys of an argument, with `*` for any part. Null when the code does not say. */
function keysIn(argument) {
  if (argument?.type === "Literal" && typeof argument.value === "string") return [argument.value];
  if (argument?.type === "TemplateLiteral") return [argument.quasis.map(({ value }) => value.cooked).join("*")];
  if (argument?.type !== "ConditionalExpression") return null;
  const yes = keysIn(argument.consequent);
  const no = keysIn(argument.alternate);
  return yes && no && [...yes, ...no];
}

const isAsking = (node) => node?.type === "CallExpression" && node.callee.name === "useTranslations";

/** `t.rich` and the like, which name a sentence as `t` does. */
const isFormatting = ({ type, object, property, computed }) =>
  type === "MemberExpression" &&
  !computed &&
  object.type === "Identifier" &&
  /^(rich|markup|raw|has)$/.test(property.name);

const spaceOf = ({ arguments: [space] }) => (space === undefined ? "" : (space.value ?? "*"));

function namesIn(body) {
  const names = new Map();
  const walk = (node) => {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier" && isAsking(node.init)) {
      names.set(node.id.name, spaceOf(node.init));
    }
    for (const child of childrenOf(node)) if (!FUNCTION.test(child.type)) walk(child);
  };
  for (const child of childrenOf(body)) if (!FUNCTION.test(child.type)) walk(child);
  return names;
}

function patternsIn(part) {
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
    if (node.type === "CallExpression" && isFormatting(node.callee)) {
      const { object } = node.callee;
      const asked = scopes.find((names) => names.has(object.name))?.get(object.name);
      if (asked !== undefined) {
        add(asked, keysIn(node.arguments[0]));
        for (const argument of node.arguments) visit(argument, node, inside);
        return;
      }
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
  visit(part, null, []);
  return found;
}

export const patternsOf = (text) => patternsIn(parseSync("module.tsx", text).program);

const nameOf = (node) => node.name ?? node.value;

/** The names used in a part, and the modules it loads; `isLate` is false for a page rendered on the server. */
function mentionsIn(part, text) {
  const names = new Set();
  const loads = [];
  const walk = (node) => {
    if (/^(JSX)?Identifier$/.test(node.type)) names.add(node.name);
    if (node.type === "ImportExpression") {
      loads.push({ to: node.source.value, isLate: !/dynamic\(\s*\(\) =>\s*$/.test(text.slice(0, node.start)) });
    }
    childrenOf(node).forEach(walk);
  };
  walk(part);
  return { names, loads: loads.filter(({ to, isLate }) => typeof to === "string" && !isLate).map(({ to }) => to) };
}

const boundIn = (pattern) =>
  pattern.type === "Identifier" ? [pattern.name] : childrenOf(pattern).flatMap((child) => boundIn(child));

const declaredIn = ({ type, id, declarations }) =>
  type === "VariableDeclaration" ? declarations.flatMap((one) => boundIn(one.id)) : id ? [id.name] : [];

/** A module's exports, and the names that each part uses. A part without a name is always used. */
function partsOf(text, program) {
  const imports = new Map();
  const exports = new Map();
  const parts = [];
  const everything = [];
  const add = (node, defines) =>
    parts.push({
      defines,
      patterns: text.includes("useTranslations(") ? patternsIn(node) : [],
      ...mentionsIn(node, text),
    });
  const read = (node) => {
    if ((node.importKind ?? node.exportKind) === "type") return;
    const from = node.source?.value;
    if (node.type === "ImportDeclaration") {
      for (const { local, imported, type, importKind } of node.specifiers) {
        const name = type === "ImportNamespaceSpecifier" ? "*" : imported ? nameOf(imported) : "default";
        if (importKind !== "type") imports.set(local.name, { from, name });
      }
    } else if (node.type === "ExportAllDeclaration") everything.push(from);
    else if (node.type === "ExportDefaultDeclaration") {
      exports.set("default", { name: "default" });
      add(node.declaration, ["default", ...declaredIn(node.declaration)]);
    } else if (node.type === "ExportNamedDeclaration" && node.declaration === null) {
      for (const { local, exported, exportKind } of node.specifiers) {
        if (exportKind !== "type") exports.set(nameOf(exported), { name: nameOf(local), from });
      }
    } else if (node.type === "ExportNamedDeclaration") {
      const names = declaredIn(node.declaration);
      for (const name of names) exports.set(name, { name });
      add(node.declaration, names);
    } else add(node, declaredIn(node));
  };
  program.body.forEach(read);
  return { imports, exports, parts, everything };
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
      const { program } = parseSync(path, text);
      const { directive } = program.body[0] ?? {};
      return [path, { text, directive, at: (to) => resolve(path, to), ...partsOf(text, program) }];
    }),
  );
}

function patternsFrom(modules, entries) {
  const found = new Set();
  const seen = new Set();
  const isNew = (key) => !seen.has(key) && seen.add(key);
  /** `name`: an export, `*` for all of them, `#x` for a local name x. */
  const visit = (path, name, isAbove) => {
    const known = modules.get(path);
    if (known === undefined || known.directive === "use server") return;
    const isBrowsers = isAbove || known.directive === "use client";
    if (!isNew(`${path} ${name} ${isBrowsers}`)) return;
    const { imports, exports, parts, everything, at } = known;
    const goOn = (to, wanted) => visit(at(to), wanted, isBrowsers);
    const use = ({ names, patterns, loads }) => {
      if (isBrowsers) for (const pattern of patterns) found.add(pattern);
      for (const one of names) visit(path, `#${one}`, isBrowsers);
      for (const to of loads) goOn(to, "*");
    };
    for (const part of parts) if (part.defines.length === 0 && isNew(`${path} ${isBrowsers}`)) use(part);
    if (name.startsWith("#")) {
      const own = name.slice(1);
      const imported = imports.get(own);
      if (imported) goOn(imported.from, imported.name);
      for (const part of parts) if (part.defines.includes(own)) use(part);
      return;
    }
    const wanted = name === "*" ? [...exports.keys()] : [name];
    for (const one of wanted) {
      const { from, name: inside } = exports.get(one) ?? {};
      if (from) goOn(from, inside);
      else if (inside) visit(path, `#${inside}`, isBrowsers);
    }
    for (const from of everything) goOn(from, name);
  };
  for (const entry of entries) visit(entry, "*", false);
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

/** The keys that each page's and layout's own modules need, without those of the layouts around it. */
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
