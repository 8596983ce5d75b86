import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { GATEWAY_ERRORS } from "@/lib/contract/errors";
import { controlRoutes } from "@/service/control/routes";
import { describeService } from "@/service/openapi/document";
import type { Schema } from "@/lib/contract/json-schema";

const root = resolve(import.meta.dirname, "../..");
export const PAGE = "docs/conformance.md";

const Content = z.object({ "application/json": z.object({ schema: z.custom<Schema>() }) });
const Answer = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  content: Content.optional(),
});
const Parameter = z.object({
  $ref: z.string().optional(),
  name: z.string().optional(),
  required: z.boolean().optional(),
});
const Operation = z.object({
  summary: z.string(),
  description: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), Answer),
});
type Operation = z.infer<typeof Operation>;
const Description = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.object({ post: Operation })),
  components: z.object({
    schemas: z.record(z.string(), z.custom<Schema>()),
    responses: z.record(z.string(), Answer),
    parameters: z.record(z.string(), Parameter),
  }),
});

const { paths, webhooks, components } = Description.parse(describeService("http://127.0.0.1:4010"));

const nameIn = (reference = "") => reference.slice(reference.lastIndexOf("/") + 1);
const fieldName = (name: string, isRequired: boolean) => `\`${name}\`${isRequired ? "" : " (optional)"}`;

function fieldsOf(schema: Schema, prefix = ""): string[] {
  if (schema.$ref !== undefined) return fieldsOf(components.schemas[nameIn(schema.$ref)] ?? {}, prefix);
  const { properties = {}, required = [], items, oneOf = [], anyOf = [] } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const inner = typeof field === "boolean" ? [] : fieldsOf(field, `${prefix}${name}.`);
    return inner.length > 0 ? inner : [fieldName(`${prefix}${name}`, required.includes(name))];
  });
  const within = typeof items === "object" && !Array.isArray(items) ? fieldsOf(items, `${prefix.slice(0, -1)}[].`) : [];
  return [...own, ...within, ...[...oneOf, ...anyOf].flatMap((one) => fieldsOf(one, prefix))];
}

function listed(label: string, fields: readonly string[]): string[] {
  return fields.length === 0 ? [] : [`${label}: ${[...new Set(fields)].join(", ")}.`];
}

const bodyOf = (content?: z.infer<typeof Content>) => (content ? fieldsOf(content["application/json"].schema) : []);

function taken({ parameters, requestBody }: Operation): string[] {
  const named = parameters.map((given) => {
    const { name = "", required = false } = { ...components.parameters[nameIn(given.$ref)], ...given };
    return fieldName(name, required);
  });
  return listed("Takes", [...named, ...bodyOf(requestBody?.content)]);
}

function sourcesIn(folder: string, ending: string) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(ending))
    .toSorted()
    .map((path) => ({ path: `${folder}/${path}`, source: readFileSync(join(root, folder, path), "utf8") }));
}

const tests = sourcesIn("service", ".test.ts");
const support = sourcesIn("test/support/service", ".ts");

/** The tests that name it themselves, else those whose support does. */
function shownBy(what: RegExp): string {
  const naming = tests.filter(({ source }) => what.test(source));
  const helpers = support.filter(({ source }) => what.test(source)).map(({ path }) => `"@/${path.slice(0, -3)}"`);
  const supported = tests.filter(({ source }) => helpers.some((helper) => source.includes(helper)));
  const found = naming.length > 0 ? naming : supported;
  return `Shown by ${found.map(({ path }) => `\`${path}\``).join(", ") || "no test"}.`;
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Its path, or method and path when another method shares the path. */
function asking(method: string, path: string, isShared: boolean): RegExp {
  const address = escaped(path).replaceAll(/\\\{\w+\\\}/g, String.raw`[^\s"'/]+`);
  return new RegExp(`${isShared ? String.raw`${method}["',\s]+(?:\`|")?` : ""}${address}(?![\\w/])`);
}

const isDone = (status: string) => status === "200" || status === "201";

function section(method: string, path: string, operation: Operation): string[] {
  const answers = Object.entries(operation.responses);
  const isShared = Object.keys(paths[path] ?? {}).length > 1;
  return [
    `### ${method} ${path}`,
    `${operation.summary}. ${operation.description.replaceAll(/\s+/g, " ")}`,
    ...taken(operation),
    ...answers.flatMap(([status, { content }]) => (isDone(status) ? listed(`Gives ${status}`, bodyOf(content)) : [])),
    `Else ${answers.flatMap(([status, { $ref }]) => (isDone(status) ? [] : [`${status} ${nameIn($ref)}`])).join(", ")}.`,
    shownBy(asking(method, path, isShared)),
  ];
}

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => section(method.toUpperCase(), path, operation)),
);

const events = Object.entries(webhooks).flatMap(([event, { post }]) => [
  `### ${event}`,
  `${post.summary}. ${post.description}`,
  ...taken(post),
  shownBy(new RegExp(`"${event}"`)),
]);

const refusals = Object.entries(components.responses).map(([name, { description }]) => `- ${name}: ${description}`);
const errors = GATEWAY_ERRORS.map((error) => `- \`${error}\`. ${shownBy(new RegExp(error))}`);
const control = controlRoutes.map(({ method, path }) => {
  const isShared = controlRoutes.filter((other) => other.path === path).length > 1;
  return `- \`${method} ${path}\`. ${shownBy(asking(method, path, isShared))}`;
});

/** The service's description of itself, with the test files for each part. */
export function conformancePage(): string {
  const parts = [
    "# Conformance",
    "Written by `npm run conformance` from the service's description of itself (`service/openapi`, and `/openapi.json`, which has the rule of each field) and from its tests. What the interface leaves open is told in [the service's own page](../service/README.md).",
    "## Operations",
    ...operations,
    "## Events",
    ...events,
    "## Refusals",
    refusals.join("\n"),
    "## Errors of the gateway",
    errors.join("\n"),
    "## Control routes",
    control.join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(join(root, PAGE), conformancePage());
