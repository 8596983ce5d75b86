import { z } from "zod";
import * as accounts from "@/lib/contract/accounts";
import * as auth from "@/lib/contract/auth";
import * as crypto from "@/lib/contract/crypto";
import * as errors from "@/lib/contract/errors";
import * as kyc from "@/lib/contract/kyc";
import * as onboarding from "@/lib/contract/onboarding";
import { OpenRecord } from "@/lib/contract/shared";
import * as webhooks from "@/lib/contract/webhooks";
import * as assumed from "@/service/gateway/assumed-answers";
import { wordsFor } from "./vocabulary";

/** 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = z.core.JSONSchema.BaseSchema;

export type Components = {
  /** Under the contract's export name, else under `name`. */
  refer: (schema: z.ZodType, name: string) => Schema;
  schemas: () => Record<string, Schema>;
};

const CONTRACT = { ...accounts, ...auth, ...crypto, ...errors, ...kyc, ...onboarding, ...webhooks, ...assumed };

type Converted = { zodSchema: z.core.$ZodTypes; jsonSchema: Schema };

const isAnything = (schema: unknown) =>
  typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;

const uri = (id: string) => `#/components/schemas/${id}`;

function adjust({ zodSchema, jsonSchema }: Converted): void {
  const said = z.globalRegistry.get(zodSchema);
  if (said?.["type"] !== undefined) {
    for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
    Object.assign(jsonSchema, said);
  }
  if (zodSchema instanceof z.ZodDefault) jsonSchema["default"] = zodSchema.def.defaultValue;
  // Every object accepts further fields, which JSON Schema implies.
  if (zodSchema instanceof z.ZodObject && isAnything(jsonSchema["additionalProperties"]))
    delete jsonSchema["additionalProperties"];
  if (zodSchema instanceof z.ZodRecord) delete jsonSchema["propertyNames"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
  if (jsonSchema["format"] !== undefined) delete jsonSchema["pattern"];
}

// The input side is the wire format, also for answers, since the contract parses them.
const conversion = { io: "input", unrepresentable: "any", override: adjust } as const;

export function inline(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, conversion);
  return converted;
}

function describeFields(owner: string, schema: Schema): Schema {
  const describe = ([name, field]: [string, Schema | boolean]) => {
    if (typeof field === "boolean" || field.$ref !== undefined) return [name, field] as const;
    const words = [field.properties ? undefined : wordsFor(owner, name, field.type), field.description];
    const description = words.filter((part) => part !== undefined).join(" ");
    return [name, { ...describeFields(owner, field), ...(description !== "" && { description }) }] as const;
  };
  const { properties, items, oneOf, anyOf } = schema;
  const within = (inner: Schema) => describeFields(owner, inner);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(describe)) }),
    ...(typeof items === "object" && !Array.isArray(items) && { items: within(items) }),
    ...(oneOf && { oneOf: oneOf.map(within) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  };
}

export function createComponents(): Components {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(CONTRACT))
    if (schema instanceof z.ZodType && schema !== OpenRecord && !named.has(schema)) named.add(schema, { id });
  return {
    refer: (schema, name) => {
      if (!named.has(schema)) named.add(schema, { id: name });
      return { $ref: uri(named.get(schema)?.id ?? name) };
    },
    schemas: () => {
      const { schemas } = z.toJSONSchema(named, { ...conversion, uri });
      return Object.fromEntries(
        Object.entries(schemas).map(([id, { $schema: _dialect, $id: _uri, ...schema }]) => [
          id,
          describeFields(id, schema),
        ]),
      );
    },
  };
}
