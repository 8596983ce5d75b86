import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { GATEWAY_ERRORS } from "@/lib/contract/errors";
import { WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import { WEBHOOK_HEADERS } from "@/lib/contract/webhooks";
import { controlRoutes } from "@/service/control/routes";
import { operations } from "@/service/gateway/operations";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

const document = read("docs/conformance.md");
const files = new Map(
  Array.from(document.matchAll(/^\[(.+?)\]: \.\.\/(\S+)$/gm), ([, label = "", path = ""]) => [label, path] as const),
);

type Row = { line: number; statement: string; shown: string };

/** The rows of every table; one without a statement goes on with the statement above it. */
const rows: readonly Row[] = document.split("\n").flatMap((text, index) => {
  const [, statement, shown, ...more] = text.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  if (!text.startsWith("|") || statement === undefined || shown === undefined) return [];
  if (/^(-+|Statement)$/.test(statement)) return [];
  return [{ line: index + 1, statement, shown: more.length > 1 ? "more than two cells" : shown }];
});

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\`(?:[^\`\\]|\\.)*\``;
const TITLE = new RegExp(String.raw`(\w+)?\(\s*(${QUOTED}),\s*(?:async\s*)?(?:\(|\w+ =>)`, "g");

/** What a test file calls its tests and its groups: texts that stand before a function. Skipped tests show nothing. */
function titlesOf(path: string): { tests: string[]; groups: string[] } {
  const found = Array.from(read(path).matchAll(TITLE), ([, caller = "", quoted = ""]) => {
    return { caller, title: quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1") };
  });
  const titles = (isMeant: (caller: string) => boolean) =>
    found.filter(({ caller }) => isMeant(caller)).map(({ title }) => title);
  return {
    tests: titles((caller) => !/^(describe|skip|todo)$/.test(caller)),
    groups: titles((caller) => caller === "describe"),
  };
}

/** Why what is named in a row is no test; undefined when it is one. */
function faultOf(shown: string): string | undefined {
  if (/^(cannot be observed|not ours): \S/.test(shown)) return undefined;
  const [, label = "", chain = ""] = /^\[(.+?)\] › (.+)$/.exec(shown) ?? [];
  if (label === "") return "names neither a test nor why there is none";
  const path = files.get(label);
  if (path === undefined || !existsSync(join(root, path))) return `there is no file for [${label}]`;
  const { tests, groups } = titlesOf(path);
  const title = chain.split(" › ").at(-1) ?? "";
  const unknown = chain
    .split(" › ")
    .slice(0, -1)
    .find((group) => !groups.includes(group));
  if (unknown !== undefined) return `${path} has no group "${unknown}"`;
  return tests.includes(title) ? undefined : `${path} has no test "${title}"`;
}

describe("the table of conformance", () => {
  test("names for each statement a test that exists, or says why there is none", () => {
    expect(rows.length).toBeGreaterThan(300);
    const faults = rows.flatMap(({ line, shown }) => {
      const fault = faultOf(shown);
      return fault === undefined ? [] : [`line ${line}: ${fault}`];
    });
    expect(faults).toEqual([]);
  });

  test("names no file that it does not use", () => {
    const used = new Set(rows.map(({ shown }) => /^\[(.+?)\]/.exec(shown)?.[1]));
    expect([...files.keys()].filter((label) => !used.has(label))).toEqual([]);
  });
});

describe("the check of the table", () => {
  test.each([
    ["", "names neither a test nor why there is none"],
    ["not ours:", "names neither a test nor why there is none"],
    ["[tokens/tokens]", "names neither a test nor why there is none"],
    ["[tokens/nothing] › a token", "there is no file for [tokens/nothing]"],
    ["[tokens/tokens] › a token is a", 'service/tokens/tokens.test.ts has no test "a token is a"'],
    ["[gateway/gateway] › access › the body last", 'service/gateway/gateway.test.ts has no test "the body last"'],
    [
      "[gateway/gateway] › excess › a restricted client may query",
      'service/gateway/gateway.test.ts has no group "excess"',
    ],
    ["[gateway/gateway] › the tenant id", 'service/gateway/gateway.test.ts has no test "the tenant id"'],
    ["[gateway/gateway] › access › a restricted client may query", undefined],
    ["cannot be observed: the interface names no path", undefined],
  ])("says of %j: %j", (shown, fault) => expect(faultOf(shown)).toBe(fault));
});

/** The part of the document under the heading, up to the next one of its level or above. */
function under(heading: string): string {
  const [, level = "", rest = ""] =
    new RegExp(`^(#+) ${heading.replaceAll(/[.*+?^${"$"}{}()|[\\]\\\\]/g, "\\$&")}\n(.*)`, "ms").exec(document) ?? [];
  return rest.split(new RegExp(`^#{1,${level.length || 1}} `, "m"))[0] ?? "";
}

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const properties = "properties" in schema ? Object.keys(Object(schema.properties)) : [];
  return [...properties, ...Object.values(schema).flatMap(fieldsOf)];
}

const STATUSES = [
  "200",
  "202",
  "204",
  "400",
  "401",
  "402",
  "403",
  "404",
  "405",
  "409",
  "412",
  "422",
  "429",
  "500",
  "503",
];

const wire = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

describe("nothing is left out of it:", () => {
  test.each(Object.values(operations).map(({ name, ...rest }) => [name, rest] as const))(
    "%s has its section, with every field that it takes and gives",
    (name, { input, answer }) => {
      const section = under(name);
      const fields = new Set([...fieldsOf(wire(input)), ...fieldsOf(wire(answer))]);
      expect(section).not.toBe("");
      expect([...fields].filter((field) => !new RegExp(`\\b${field}\\b`).test(section))).toEqual([]);
    },
  );

  test.each([
    ...GATEWAY_ERRORS,
    ...WEBHOOK_EVENTS,
    ...Object.values(WEBHOOK_HEADERS),
    ...controlRoutes.map(({ method, path }) => `${method} ${path}`),
    ...STATUSES,
  ])("%s", (name) => {
    expect(rows.filter(({ statement }) => statement.includes(name))).not.toEqual([]);
  });
});
