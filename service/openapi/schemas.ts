import { z } from "zod";
import * as accounts from "@/lib/contract/accounts";
import * as auth from "@/lib/contract/auth";
import * as crypto from "@/lib/contract/crypto";
import * as errors from "@/lib/contract/errors";
import * as kyc from "@/lib/contract/kyc";
import * as onboarding from "@/lib/contract/onboarding";
import { conversion, type Schema } from "@/lib/contract/json-schema";
import { OpenRecord } from "@/lib/contract/shared";
import * as webhooks from "@/lib/contract/webhooks";
import * as assumed from "@/service/gateway/assumed-answers";
import { wordsFor } from "./vocabulary";

export type Components = {
  /** Under the contract's export name, else under `name`. */
  refer: (schema: z.ZodType, name: string) => Schema;
  schemas: () => Record<string, Schema>;
};

const CONTRACT = { ...accounts, ...auth, ...crypto, ...errors, ...kyc, ...onboarding, ...webhooks, ...assumed };

const uri = (id: string) => `#/components/schemas/${id}`;

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
