import { z } from "zod";

/** 2020-12, as OpenAPI 3.1 takes it. */
export type Schema = z.core.JSONSchema.BaseSchema;

type Converted = { zodSchema: z.core.$ZodTypes; jsonSchema: Schema };

const isAnything = (schema: unknown) =>
  typeof schema === "object" && schema !== null && Object.keys(schema).length === 0;

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
export const conversion = { io: "input", unrepresentable: "any", override: adjust } as const;

/** The wire format that a schema of the contract documents. */
export function wireSchema(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, conversion);
  return converted;
}
