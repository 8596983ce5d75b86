import type { z } from "zod";
import { Cnpj, Cpf, Document } from "@/lib/contract/document-schema";
import { type Schema, wireSchema } from "@/lib/contract/json-schema";
import { type DocumentedRead, READS } from "@/lib/contract/reads";
import type { Explorable, ExplorableRead, Parameter, ParameterKind } from "./view";

const isExplorable = (name: string): name is Explorable => Object.hasOwn(READS, name) && name !== "getPixKey";

export const EXPLORABLE: readonly Explorable[] = Object.keys(READS).filter(isExplorable);

const DOCUMENTS: readonly unknown[] = [Document, Cpf, Cnpj].map((schema) => wireSchema(schema).pattern);

const KINDS: Readonly<Record<string, ParameterKind>> = { integer: "number", number: "number", boolean: "flag" };

function kindOf({ type, format, pattern, enum: options }: Schema): ParameterKind {
  if (options !== undefined) return "choice";
  if (format === "date") return "date";
  if (pattern !== undefined && DOCUMENTS.includes(pattern)) return "document";
  return KINDS[String(type)] ?? "text";
}

const pathParameter = (name: string): Parameter => ({
  name,
  place: "path",
  kind: "text",
  isRequired: true,
  options: [],
  least: null,
  most: null,
});

function queryParameters(query: z.ZodObject): Parameter[] {
  const { properties = {}, required = [] } = wireSchema(query);
  return Object.entries(properties).flatMap(([name, schema]): Parameter[] => {
    if (typeof schema === "boolean") return [];
    const { enum: options = [], minimum = null, maximum = null } = schema;
    const texts = options.flatMap((one) => (typeof one === "string" ? one : []));
    return [
      {
        name,
        place: "query",
        kind: kindOf(schema),
        isRequired: required.includes(name),
        options: texts,
        least: minimum,
        most: maximum,
      },
    ];
  });
}

export const parametersOf = ({ path, query }: DocumentedRead): Parameter[] => [
  ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => pathParameter(name)),
  ...queryParameters(query),
];

/** Every documented GET that the explorer sends, with its parameters as the contract has them. */
export const explorableReads = (): ExplorableRead[] =>
  EXPLORABLE.map((name) => ({
    name,
    operation: `GET ${READS[name].path}`,
    isShown: READS[name].answer !== null,
    parameters: parametersOf(READS[name]),
  }));
