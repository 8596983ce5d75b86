import type { Operation } from "@/service/gateway/operation";
import { inline, type Schema } from "./schemas";
import { wordsFor } from "./vocabulary";

type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  schema: Schema;
};

/** The headers that a request may have to carry, for the document's components. */
export const SHARED_PARAMETERS = {
  ClientId: {
    name: "x-client-id",
    in: "header",
    required: true,
    description:
      "The client the request is made for. A field `application` of the JSON body counts before it, then a header `client_id`.",
    schema: { type: "string", minLength: 1, examples: ["aurora"] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A UUID of the caller's for this one order. Asked for again with it, within 24 hours, the order is not carried out again: the first answer is given once more, byte for byte (our assumption).",
    schema: { type: "string", maxLength: 255, examples: ["7c9e6679-7425-40de-944b-e07fc1f90ae7"] },
  },
  Token: {
    name: "token",
    in: "header",
    required: true,
    description: "The access token that is asked about.",
    schema: { type: "string", minLength: 1 },
  },
} as const satisfies Record<string, Parameter>;

export const sharedParameter = (name: keyof typeof SHARED_PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });

const titled = (name: string) => `The ${name}.`;

/** The parameters in a path's braces. */
function pathParameters(id: string, path: string): Parameter[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: wordsFor(id, name) ?? titled(name),
    schema: { type: "string", minLength: 1 },
  }));
}

function queryParameters(id: string, { input }: Operation): Parameter[] {
  const { properties = {}, required = [] } = inline(input);
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (typeof schema === "boolean") return [];
    const { description, ...bare } = schema;
    const words = wordsFor(id, name) ?? description ?? titled(name);
    return [{ name, in: "query", required: required.includes(name), description: words, schema: bare }];
  });
}

/** Every parameter of an operation of the gateway; `id` is its name among the operations. */
export function parametersOf(id: string, operation: Operation) {
  return [
    sharedParameter("ClientId"),
    ...(operation.isKeyed ? [sharedParameter("IdempotencyKey")] : []),
    ...pathParameters(id, operation.path),
    ...(operation.method === "GET" ? queryParameters(id, operation) : []),
  ];
}
