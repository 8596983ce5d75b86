import addFormats from "ajv-formats";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import { z } from "zod";
import { describeService } from "@/service/openapi/document";

const Schema = z.record(z.string(), z.unknown());
const Content = z.looseObject({ "application/json": z.looseObject({ schema: Schema }) });
const Referable = z.looseObject({ $ref: z.string().optional() });
const Parameter = z.looseObject({ name: z.string(), in: z.string(), required: z.boolean(), schema: Schema });
const Answer = z.looseObject({ headers: z.record(z.string(), Referable), content: Content });
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(Referable).default([]),
  requestBody: z.looseObject({ content: Content }).optional(),
  responses: z.record(z.string(), Referable),
});
export type DescribedOperation = z.output<typeof Operation>;

/** A request in process and its reply; `sent` is undefined when it was no text. */
type Exchange = { query: URLSearchParams; sent: string | undefined; response: Response };

export const description = describeService("http://127.0.0.1:4010");

/** Every operation of the document by its method and path. */
export const described: ReadonlyMap<string, DescribedOperation> = new Map(
  Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, Operation.parse(operation)]),
  ),
);

/** The target of a reference into the document. */
export function resolve<Target extends z.ZodType>(target: Target, part: z.output<typeof Referable>): z.output<Target> {
  let found: unknown = part;
  for (let pointer = part.$ref; pointer !== undefined; pointer = Referable.parse(found).$ref) {
    found = pointer
      .split("/")
      .slice(1)
      .reduce((inner: unknown, name) => Schema.parse(inner)[name], description);
  }
  return target.parse(found);
}

/** The schema with every object closed, so that tests accept no undocumented field. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  return "properties" in part && !("additionalProperties" in part) ? { ...inner, additionalProperties: false } : inner;
}

/** Place and fault; for an undocumented field, its name. */
function faultText({ instancePath, message = "", params }: ErrorObject): string {
  const { additionalProperty: name } = params;
  return typeof name === "string" ? `${instancePath}/${name} is not described` : `${instancePath} ${message}`;
}

function createValidators(options: { coerceTypes: boolean }, schemas: unknown) {
  const ajv = new Ajv2020({ ...options, strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addKeyword({
    keyword: "x-extensible-enum",
    schemaType: "array",
    validate: (values: unknown[], value: unknown) => values.includes(value),
  });
  const known = new Map<string, ValidateFunction>();
  /** Faults of a value; empty for a valid one. */
  return (schema: object, value: unknown): string => {
    const text = JSON.stringify(schema);
    const validate = known.get(text) ?? ajv.compile({ ...schema, components: { schemas } });
    known.set(text, validate);
    if (validate(value)) return "";
    return (validate.errors ?? []).map(faultText).join(", ");
  };
}

export const faultOfAnswer = createValidators({ coerceTypes: false }, closed(description.components.schemas));
export const faultOfBody = createValidators({ coerceTypes: false }, description.components.schemas);
const faultOfParameter = createValidators({ coerceTypes: true }, description.components.schemas);

const PATTERNS = [...described].map(([name, operation]) => {
  return { pattern: new RegExp(`^${name.replaceAll(/\{\w+\}/g, "[^/]+")}$`), operation };
});

const find = (method: string, path: string) =>
  PATTERNS.find(({ pattern }) => pattern.test(`${method} ${path}`))?.operation;

function* faultsOfRequest(operation: DescribedOperation, { query, sent }: Exchange): Generator<string> {
  const schema = operation.requestBody?.content["application/json"].schema;
  if (schema && sent !== undefined) yield faultOfBody(schema, JSON.parse(sent));
  for (const part of operation.parameters) {
    const { name, in: location, required, schema: wanted } = resolve(Parameter, part);
    if (location !== "query") continue;
    const value = query.get(name);
    if (value !== null) yield faultOfParameter({ type: "object", properties: { [name]: wanted } }, { [name]: value });
    else if (required) yield `the query parameter ${name} is not there`;
  }
}

async function faultsOf(operation: DescribedOperation, exchange: Exchange): Promise<string[]> {
  const { status, headers } = exchange.response;
  const text = await exchange.response.text();
  const part = operation.responses[String(status)];
  if (!part) return [`it is not described that it answers ${status}: ${text}`];
  const response = resolve(Answer, part);
  const absent = Object.keys(response.headers).filter((name) => !headers.has(name));
  return [
    ...absent.map((name) => `the header ${name} is not there`),
    faultOfAnswer(response.content["application/json"].schema, JSON.parse(text)),
    ...(status < 300 ? faultsOfRequest(operation, exchange) : []),
  ];
}

/**
 * Throws when the service gives an undocumented answer, or carries out a request that the document excludes.
 * Undocumented paths and methods are ignored.
 */
export async function assertDescribed(path: string, init: RequestInit | undefined, response: Response): Promise<void> {
  const { method = "GET", body } = init ?? {};
  const { pathname, searchParams: query } = new URL(path, "http://service");
  const operation = find(method, pathname);
  if (!operation) return;
  const sent = typeof body === "string" ? body : undefined;
  const faults = await faultsOf(operation, { query, sent, response });
  const text = faults.filter((fault) => fault !== "").join("; ");
  if (text === "") return;
  const what = `${method} ${pathname} (${response.status}) is not as /openapi.json has it`;
  throw new Error(`${what}: ${text}. See service/gateway/operations.ts`);
}
