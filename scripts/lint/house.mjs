import { dirname, posix, relative, sep } from "node:path";
import {
  actionFiles,
  boundaries,
  catchers,
  environmentReaders,
  faceOfArea,
  firstArea,
  floorExceptions,
  floors,
  restricted,
  testFiles,
  wholeFloors,
  writes,
} from "./boundaries.mjs";

const pathFromRoot = (context) => relative(context.cwd, context.filename).split(sep).join("/");

const withoutExtension = (path) => path.replace(/\.(mjs|js|tsx?)$/, "");

function target(source, file) {
  if (source.startsWith("@/")) return { module: withoutExtension(source.slice(2)) };
  if (source.startsWith(".")) return { module: withoutExtension(posix.join(dirname(file), source)) };
  return { package: source };
}

const fits = (patterns, name) => patterns.some((pattern) => pattern.test(name));

const floorOf = (path) => floors.indexOf(/^lib\/([a-z-]+)/.exec(path)?.[1]);

/** Why one file of lib may not import another; undefined when it may. */
function floorRefusal(file, module) {
  if (testFiles.test(file) || !file.startsWith("lib/") || !module.startsWith("lib/")) return undefined;
  if (actionFiles.test(`${module}.ts`)) return "actions are entered from screens alone";
  if (floorExceptions.some(({ from, to }) => from.test(file) && to.test(module))) return undefined;
  const from = floorOf(file);
  const to = floorOf(module);
  if (from < to) return "lib imports downwards alone (floors in scripts/lint/boundaries.mjs)";
  const isWhole =
    from === to ||
    to < floors.indexOf(firstArea) ||
    wholeFloors.includes(floors[from]) ||
    wholeFloors.includes(floors[to]);
  return isWhole || faceOfArea.test(module)
    ? undefined
    : "areas know only queries, inputs, records and views of another";
}

function refusal(file, source, { isType, names }) {
  // Plain Node does not resolve `@/`.
  const isPlain = file.endsWith(".mjs");
  if (!isPlain && source.startsWith(".") && source.split("/").includes(".."))
    return "another folder is imported through @/";
  const wanted = target(source, file);
  const name = wanted.module ?? wanted.package;
  const guarded = restricted.find((entry) => entry.module.test(name));
  if (guarded && !(isType && guarded.typesAreFree) && !guarded.only.test(file) && !testFiles.test(file))
    return guarded.says;
  const write = writes.find((entry) => entry.names[name]?.some((one) => names?.includes(one) ?? !isType));
  if (write && !write.only.test(file) && !testFiles.test(file)) return write.says;

  const climbing = wanted.module && floorRefusal(file, wanted.module);
  if (climbing) return climbing;

  const row = boundaries.find((entry) => entry.from.test(file));
  if (!row) return undefined;
  if (wanted.package) {
    if (row.packages && !fits(row.packages, name)) return row.says;
    if (row.notPackages && fits(row.notPackages, name)) return row.says;
    return undefined;
  }
  const isBeside = dirname(name) === dirname(file) && (isType || !row.forBrowsers);
  if (isBeside || fits(row.house, name)) return undefined;
  if (isType && row.types && fits(row.types, name)) return undefined;
  return row.says;
}

const importsTypesOnly = (node) =>
  node.importKind === "type" ||
  node.exportKind === "type" ||
  (node.specifiers?.length > 0 && node.specifiers.every((specifier) => specifier.importKind === "type"));

/** The values imported by name; undefined for a whole module. */
function namesIn({ specifiers }) {
  if (specifiers?.some(({ type }) => type === "ImportNamespaceSpecifier")) return undefined;
  const values = specifiers?.filter(({ importKind }) => importKind !== "type");
  return values?.map(({ imported, local }) => (imported ?? local).name);
}

function eachSource(report) {
  const visit = (source, taken) => typeof source?.value === "string" && report(source, source.value, taken);
  const declared = (node) => {
    const isType = importsTypesOnly(node);
    visit(node.source, { isType, names: isType ? [] : namesIn(node) });
  };
  return {
    ImportDeclaration: declared,
    ExportNamedDeclaration: declared,
    ExportAllDeclaration: declared,
    ImportExpression: (node) => visit(node.source, { isType: false }),
    TSImportType: (node) => visit(node.source ?? node.argument?.literal, { isType: true }),
  };
}

const importBoundaries = {
  create(context) {
    const file = pathFromRoot(context);
    return eachSource((node, source, taken) => {
      const message = refusal(file, source, taken);
      if (message) context.report({ node, message: `"${source}": ${message}` });
    });
  },
};

/** zod weighs more than a screen. */
const contractInBrowser = {
  create(context) {
    let runsInBrowser = false;
    return {
      Program: (node) => {
        runsInBrowser = node.body.some((statement) => statement.directive === "use client");
      },
      ImportDeclaration: (node) => {
        if (!runsInBrowser || importsTypesOnly(node)) return;
        if (!/^(zod|@\/lib\/contract\/.+)$/.test(node.source.value)) return;
        context.report({
          node,
          message: "client code takes the contract's types only (import type, or import() on demand)",
        });
      },
    };
  },
};

const serverActions = {
  create(context) {
    if (actionFiles.test(pathFromRoot(context))) return {};
    return {
      ExpressionStatement: (node) => {
        if (node.directive === "use server")
          context.report({ node, message: `"use server" stands in lib/*/actions.ts only` });
      },
    };
  },
};

/** A clause that never throws takes every error for the one it means. */
const narrowCatch = {
  create(context) {
    if (fits(catchers, pathFromRoot(context))) return {};
    const clauses = [];
    return {
      CatchClause: (node) => clauses.push({ node, throws: false }),
      ThrowStatement: () => {
        const around = clauses.at(-1);
        if (around) around.throws = true;
      },
      "CatchClause:exit": () => {
        const { node, throws } = clauses.pop();
        const message = "catch narrows to the one error that is meant, and throws every other again";
        if (!throws) context.report({ node, message });
      },
    };
  },
};

const settledOne = {
  create: (context) => ({
    CallExpression: ({ callee, arguments: [list] }) => {
      const isSettled = callee.object?.name === "Promise" && callee.property?.name === "allSettled";
      if (!isSettled || list?.elements?.length !== 1) return;
      context.report({ node: list, message: "one promise is awaited in a try, or by then(answer, error)" });
    },
  }),
};

const ASKS_FOR_THE_STORE = new Set(["db", "store"]);

const isTransaction = (node) => node?.type === "CallExpression" && node.callee.property?.name === "transaction";

/** Not even through a closure: `tx` holds the only connection, or one of ten. */
const besideTransaction = {
  create(context) {
    const open = [];
    const enter = (node) => {
      if (isTransaction(node.parent)) open.push({ node, outer: node.parent.callee.object.name });
    };
    const leave = (node) => {
      if (open.at(-1)?.node === node) open.pop();
    };
    const report = (node) =>
      context.report({ node, message: "inside a transaction the store is asked through its tx alone" });
    return {
      ArrowFunctionExpression: enter,
      "ArrowFunctionExpression:exit": leave,
      FunctionExpression: enter,
      "FunctionExpression:exit": leave,
      CallExpression: (node) => {
        if (open.length > 0 && ASKS_FOR_THE_STORE.has(node.callee.name)) report(node);
      },
      MemberExpression: ({ object }) => {
        if (open.some(({ outer }) => outer !== undefined && outer === object.name)) report(object);
      },
    };
  },
};

const environment = {
  create(context) {
    if (environmentReaders.test(pathFromRoot(context))) return {};
    const message = "settings are read in lib/settings/env.ts and service/settings.ts";
    return {
      MemberExpression: (node) => {
        const property = node.computed ? node.property.value : node.property.name;
        if (node.object.name === "process" && property === "env") context.report({ node, message });
      },
      VariableDeclarator: (node) => {
        if (node.init?.name !== "process" || node.id.type !== "ObjectPattern") return;
        if (node.id.properties.some((property) => property.key?.name === "env")) context.report({ node, message });
      },
      ImportDeclaration: (node) => {
        if (!/^(node:)?process$/.test(node.source.value)) return;
        if (node.specifiers.some((specifier) => specifier.imported?.name === "env")) context.report({ node, message });
      },
    };
  },
};

const LOOP = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const EACH = /^(map|flatMap|forEach|reduce)$/;

/** Whether a call repeats within one transaction, or else the named function that makes it. */
function placeOf(call) {
  for (let [inner, node] = [call, call.parent]; node; [inner, node] = [node, node.parent]) {
    if (LOOP.test(node.type) && inner === node.body) return { isRepeated: true };
    if (!FUNCTION.test(node.type)) continue;
    const { parent } = node;
    const taker = parent.type === "CallExpression" && parent.callee !== node ? parent.callee.property?.name : undefined;
    if (taker === "transaction") return {};
    if (EACH.test(taker)) return { isRepeated: true };
    const name = node.id?.name ?? (parent.type === "VariableDeclarator" ? parent.id.name : undefined);
    if (name) return { name };
  }
  return {};
}

/** The first row locks the end of a tenant's record; functions of this file that record are followed by name. */
const recordInLoop = {
  create(context) {
    const file = pathFromRoot(context);
    if (!file.startsWith("lib/") || testFiles.test(file)) return {};
    const calls = [];
    return {
      CallExpression: (node) => {
        if (node.callee.type === "Identifier") calls.push(node);
      },
      "Program:exit": () => {
        const recording = new Set(["record", "recordAll"]);
        const message = "rows of one transaction are recorded at its end, by one recordAll outside any loop";
        // A set also iterates over values added meanwhile.
        for (const name of recording)
          for (const call of calls.filter(({ callee }) => callee.name === name)) {
            const place = placeOf(call);
            if (place.name) recording.add(place.name);
            if (place.isRepeated) context.report({ node: call, message });
          }
      },
    };
  },
};

/** Orders that may need a second person go through these, and through functions named like `orderCoins`. */
const ORDERS = /^(executeOrPropose|proposeToComplete|completeAlone|order[A-Z].*)$/;
const REFUSES = /^(refuse|require)([A-Z].*)?$/;
/** Checked again where the id is claimed. */
const ASKED_AGAIN = new Set(["refuseClaimed"]);
const KINDS = new Set(["defineWrite", "defineChange"]);

const isEmpty = ({ type, name, body }) =>
  (type === "Identifier" && name === "nothing") ||
  (FUNCTION.test(type) && body.type === "BlockStatement" && body.body.length === 0);

const throwsConflict = ({ argument }) =>
  argument?.type === "NewExpression" &&
  argument.callee.name === "AppError" &&
  argument.arguments[0]?.value === "conflict";

/** The outermost function around a node; null at the top of its file, and inside a transaction. */
function functionAround(inner) {
  let found = null;
  for (let node = inner.parent; node; node = node.parent) {
    if (!FUNCTION.test(node.type)) continue;
    if (isTransaction(node.parent)) return null;
    found = node;
  }
  return found;
}

const nameOfFunction = ({ id, parent }) =>
  id?.name ?? (parent.type === "VariableDeclarator" ? parent.id.name : undefined);

const nameOf = ({ name, value }) => name ?? value;

const PERFORMED = "a write that may need a second person is ordered, never performed";

/** A write's conditions are checked where its id is claimed, as two concurrent ones pass any earlier check. */
const checkInside = {
  create(context) {
    const file = pathFromRoot(context);
    if (
      !/^lib\/[a-z-]+\//.test(file) ||
      testFiles.test(file) ||
      /^lib\/approvals\/(propose|define-write|complete)\.ts$/.test(file)
    )
      return {};
    const calls = [];
    const refusals = [];
    const message = "what must hold of a write is checked by its validate, in the transaction that claims its id";
    return {
      CallExpression: (node) => {
        const { name } = node.callee;
        if (name === undefined) return;
        calls.push({ name, around: functionAround(node) });
        if (REFUSES.test(name) && !ASKED_AGAIN.has(name)) refusals.push(node);
      },
      MemberExpression: ({ property }) => {
        if (nameOf(property) === "perform") context.report({ node: property, message: PERFORMED });
      },
      Property: ({ key, value, parent }) => {
        if (parent.type === "ObjectPattern" && nameOf(key) === "perform")
          context.report({ node: key, message: PERFORMED });
        if (nameOf(key) === "validate" && isEmpty(value)) context.report({ node: value, message });
      },
      ThrowStatement: (node) => {
        if (throwsConflict(node)) refusals.push(node);
      },
      "Program:exit": () => {
        const inside = calls.filter(({ around }) => around);
        const kinds = new Set(inside.filter(({ name }) => KINDS.has(name)).map(({ around }) => around));
        const ordering = new Set(inside.filter(({ name }) => ORDERS.test(name)).map(({ around }) => around));
        const named = [...inside.map(({ around }) => around), ...refusals.map(functionAround)].filter(
          (one) => one && !kinds.has(one),
        );
        // A set also iterates over values added meanwhile.
        for (const one of ordering) {
          const called = new Set(calls.filter(({ around }) => around === one).map(({ name }) => name));
          for (const other of named) if (called.has(nameOfFunction(other))) ordering.add(other);
        }
        for (const node of refusals) if (ordering.has(functionAround(node))) context.report({ node, message });
      },
    };
  },
};

export default {
  meta: { name: "house" },
  rules: {
    boundaries: importBoundaries,
    "contract-in-browser": contractInBrowser,
    "server-actions": serverActions,
    "narrow-catch": narrowCatch,
    "settled-one": settledOne,
    environment,
    "beside-transaction": besideTransaction,
    "record-in-loop": recordInLoop,
    "check-inside": checkInside,
  },
};
