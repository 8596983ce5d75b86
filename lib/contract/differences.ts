import { LosslessNumber } from "lossless-json";
import type { z } from "zod";
import { type Schema, wireSchema } from "./json-schema";

export const DIFFERENCE_KINDS = ["MISSING", "RETYPED", "UNKNOWN"] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** UNKNOWN: the contract does not know the field. `found` and `documented` are types of JSON; empty when there is none. */
export type Difference = {
  is: DifferenceKind;
  /** `data.transactions[].amount`; empty for the answer itself, `*` for a name that may be a value. */
  field: string;
  found: string;
  documented: string;
};

const MAX_ENTRIES = 50;
const MAX_UNKNOWN = 40;
/** A map's key may be a document, an address or an e-mail. */
const FIELD_NAME = /^(?!(?:.*\d){3})[A-Za-z_][\w-]{0,39}$/;

export const namedField = (name: string): string => (FIELD_NAME.test(name) ? name : "*");

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof LosslessNumber) return /^-?\d+$/.test(value.value) ? "integer" : "number";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

const branchesOf = (schema: Schema): Schema[] =>
  [schema.anyOf ?? schema.oneOf ?? [schema]].flat().filter((one) => typeof one !== "boolean");

const typesOf = (schema: Schema): string[] =>
  branchesOf(schema).flatMap(({ type }) => (type === undefined ? [] : type));

const isAnything = (schema: Schema): boolean => branchesOf(schema).some(({ type }) => type === undefined);

const fits = (found: string, type: Schema["type"]): boolean =>
  [type].flat().some((one) => one === found || (one === "number" && found === "integer"));

const within = (field: string, name: string) => (field === "" ? name : `${field}.${name}`);

function unknownIn(value: object, known: readonly string[], field: string): Difference[] {
  const unknown = Object.entries(value).filter(([name]) => !known.includes(name));
  const named = unknown.length > MAX_UNKNOWN ? [["*", {}] as const] : unknown;
  return named.map(([name, one]) => ({
    is: "UNKNOWN",
    field: within(field, namedField(name)),
    found: typeOf(one),
    documented: "",
  }));
}

function fieldsOf(value: object, { properties = {}, required = [], additionalProperties }: Schema, field: string) {
  const found = new Map<string, unknown>(Object.entries(value));
  const known = Object.entries(properties).flatMap(([name, schema]): Difference[] => {
    if (typeof schema === "boolean") return [];
    const one = found.get(name);
    const isRequired = required.includes(name);
    const path = within(field, name);
    if (one === undefined)
      return isRequired ? [{ is: "MISSING", field: path, found: "", documented: typesOf(schema).join(" | ") }] : [];
    return one === null && !isRequired ? [] : compare(one, schema, path);
  });
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  return isOpen ? known : [...known, ...unknownIn(value, Object.keys(properties), field)];
}

function compareAs(value: unknown, schema: Schema, field: string): Difference[] {
  const { items } = schema;
  if (Array.isArray(value)) {
    if (typeof items !== "object" || Array.isArray(items)) return [];
    return value.slice(0, MAX_ENTRIES).flatMap((one: unknown) => compare(one, items, `${field}[]`));
  }
  if (typeof value !== "object" || value === null || value instanceof LosslessNumber) return [];
  return schema.properties === undefined ? [] : fieldsOf(value, schema, field);
}

function compare(value: unknown, schema: Schema, field: string): Difference[] {
  if (isAnything(schema)) return [];
  const found = typeOf(value);
  const fitting = branchesOf(schema).filter(({ type }) => fits(found, type));
  if (fitting.length === 0) return [{ is: "RETYPED", field, found, documented: typesOf(schema).join(" | ") }];
  const [fewest = []] = fitting
    .map((branch) => compareAs(value, branch, field))
    .toSorted((one, other) => one.length - other.length);
  return fewest;
}

const schemas = new WeakMap<z.ZodType, Schema>();

function schemaOf(documented: z.ZodType): Schema {
  const known = schemas.get(documented) ?? wireSchema(documented);
  schemas.set(documented, known);
  return known;
}

const keyOf = ({ is, field, found }: Difference) => `${is} ${field} ${found}`;

/**
 * How an answer differs from the documented one, each difference once. An absent or null optional field is none; of a
 * list the first 50 entries are compared. No value of the answer is in the result.
 */
export function differencesIn(documented: z.ZodType, answer: unknown): Difference[] {
  const all = compare(answer, schemaOf(documented), "");
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}
