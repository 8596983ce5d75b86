import { type Context, Hono } from "hono";
import type { z } from "zod";
import { isTooDeep } from "@/lib/contract/depth";
import type { Call } from "@/service/context";
import { invalid, ServiceError } from "@/service/error";
import { admit, type Arrival, authenticate, type Gateway } from "@/service/gateway/admit";
import type { Operation } from "@/service/gateway/operations";
import { readJson } from "@/service/json";
import { type Answer, type Entry, nowhere, pathOf, respond } from "./answer";

const LIMIT_BYTES = 1_048_576;
const DEPTH_LIMIT = 64;

const malformed = (message: string) => new ServiceError(400, message);

/** The fault is reported after the earlier checks. */
type Body = { value: unknown; fault?: undefined } | { value?: undefined; fault: ServiceError };

/** Null for more than 1 MiB. */
type Received = Uint8Array | null;

async function readCounted(request: Request): Promise<Received> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > LIMIT_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function receive(request: Request): Promise<Received> {
  const declared = request.headers.get("content-length");
  if (declared === null) return readCounted(request);
  if (Number(declared) > LIMIT_BYTES) return null;
  // No body is longer than its declared length, so it can be read at once without a stream.
  return new Uint8Array(await request.arrayBuffer());
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

function isUnstorable(value: unknown): boolean {
  if (typeof value === "string") return UNSTORABLE.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => UNSTORABLE.test(name) || isUnstorable(inner));
}

/** Throws 413; other faults are reported later. */
function parse(bytes: Received): Body {
  if (bytes === null) throw new ServiceError(413, "The body must have at most 1 MiB");
  if (bytes.byteLength === 0) return { value: undefined };
  // Brackets and quotes are single bytes in UTF-8.
  const text = Buffer.from(bytes).toString("latin1");
  if (isTooDeep(text, DEPTH_LIMIT))
    return { fault: malformed(`The body is nested more than ${DEPTH_LIMIT} levels deep`) };
  const json = readJson(bytes);
  if (!json) return { fault: malformed("The body is not valid JSON") };
  return isUnstorable(json.value) ? { fault: malformed("The body holds characters that are not allowed") } : json;
}

export const readBody = async (request: Request): Promise<Body> => parse(await receive(request));

const JSON_TYPE = /^application\/(json|[\w.-]+\+json)\s*(;|$)/i;

/** interface: Endpoints › Common rules. Throws 400. */
function refuseOtherContent(request: Request): void {
  const type = request.headers.get("content-type");
  if (type !== null && !JSON_TYPE.test(type)) throw malformed("Content-Type must be application/json");
}

type Query = Readonly<Record<string, string>>;

const REMEMBERED = 5_000;
const known = new Map<string, Query>();

function read(c: Context): Query {
  const query = c.req.query();
  // In a URL such text is always escaped.
  const wrong = c.req.url.includes("%") ? Object.entries(query).find((pair) => isUnstorable(pair)) : undefined;
  if (wrong) throw invalid(wrong[0].replaceAll("\0", ""), "holds characters that are not allowed");
  return query;
}

/** First value of each name; cached, since pollers repeat themselves. 400 for text that cannot be stored. */
export function readQuery(c: Context): Query {
  const { url } = c.req;
  const start = url.indexOf("?");
  const text = start < 0 ? "" : url.slice(start);
  const remembered = known.get(text);
  if (remembered) return remembered;
  const query = read(c);
  if (known.size >= REMEMBERED) known.clear();
  known.set(text, query);
  return query;
}

type Issue = z.core.$ZodIssue;

/** The branch with the fewest faults at the top. */
function meant(branches: readonly Issue[][]): readonly Issue[] {
  const atTop = (issues: readonly Issue[]) => issues.filter((issue) => issue.path.length < 2).length;
  return branches.toSorted((one, other) => atTop(one) - atTop(other))[0] ?? [];
}

const COUNTED: Readonly<Record<string, string>> = { array: " item(s)", string: " character(s)" };
const bound = (limit: number | bigint, origin: string) => `${limit}${COUNTED[origin] ?? ""}`;

type Bound = { inclusive?: boolean | undefined };
const atLeast = ({ inclusive }: Bound) => (inclusive === false ? "more than" : "at least");
const atMost = ({ inclusive }: Bound) => (inclusive === false ? "less than" : "at most");

/** The contract's own messages start with a lower-case letter, the library's do not. */
const isOurs = (message: string) => /^[a-z]/.test(message);

function messageOf(issue: Issue): string {
  if (issue.input === undefined) return "is required";
  if (isOurs(issue.message)) return issue.message;
  if (issue.code === "invalid_type") return `must be ${/^[aeio]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "too_small") return `must be ${atLeast(issue)} ${bound(issue.minimum, issue.origin)}`;
  if (issue.code === "too_big") return `must be ${atMost(issue)} ${bound(issue.maximum, issue.origin)}`;
  if (issue.code === "unrecognized_keys") return `has no field ${issue.keys.join(", ")}`;
  return "does not fit";
}

function describe(issue: Issue, parents: readonly PropertyKey[] = []): string {
  const path = [...parents, ...issue.path];
  if (issue.code === "invalid_union" && !isOurs(issue.message)) {
    const [first] = meant(issue.errors);
    if (first) return describe(first, path);
  }
  return `${path.length > 0 ? path.map(String).join(".") : "body"}: ${messageOf(issue)}`;
}

/** Throws 400 naming the first invalid field. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // Reporting the input is costly, so it happens only for a fault.
  const [first] = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  throw new ServiceError(400, first ? describe(first) : "body: does not fit");
}

export type Particulars = {
  params: Readonly<Record<string, string>>;
  idempotencyKey: string | undefined;
  raw: unknown;
};

export type Route = {
  operation: Operation;
  answer: (call: Call, raw: unknown, particulars: Particulars) => Answer | Promise<Answer>;
};

export function route<Input extends z.ZodType>(
  operation: Operation<Input>,
  answer: (call: Call, input: z.output<Input>, particulars: Particulars) => Answer | Promise<Answer>,
): Route {
  return { operation, answer: (call, raw, particulars) => answer(call, validate(operation.input, raw), particulars) };
}

/** `{name}` becomes `:name`. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

function applicationOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "application" in body ? body.application : undefined;
}

type Fixture = Route & { gateway: Gateway };

const arrivalOf = (c: Context<Entry>): Arrival => ({
  headers: c.req.raw.headers,
  socket: c.env.connection.incoming?.socket,
});

const NO_PARAMS = {};

const paramsOf = (c: Context<Entry>, { path }: Operation) => (path.includes("{") ? c.req.param() : NO_PARAMS);

async function answerQuery(c: Context<Entry>, { operation, answer, gateway }: Fixture): Promise<Response> {
  const arrival = arrivalOf(c);
  const token = await authenticate(gateway, arrival);
  const tenant = admit(gateway, operation, { ...arrival, token, application: undefined });
  const input = readQuery(c);
  const particulars = { params: paramsOf(c, operation), idempotencyKey: undefined, raw: input };
  return respond(c, await answer({ ...gateway.service, tenant }, input, particulars));
}

async function answerCommand(c: Context<Entry>, { operation, answer, gateway }: Fixture): Promise<Response> {
  const arrival = arrivalOf(c);
  const received = await receive(c.req.raw);
  const token = await authenticate(gateway, arrival, received);
  const { value: input, fault } = parse(received);
  const tenant = admit(gateway, operation, { ...arrival, token, application: applicationOf(input) });
  refuseOtherContent(c.req.raw);
  if (fault) throw fault;
  const particulars = { params: paramsOf(c, operation), idempotencyKey: c.req.header("idempotency-key"), raw: input };
  return respond(c, await answer({ ...gateway.service, tenant }, input, particulars));
}

export function mountRoutes(app: Hono<Entry>, gateway: Gateway, routes: readonly Route[]): void {
  for (const mounted of routes) {
    const { method, path } = mounted.operation;
    const fixture = { ...mounted, gateway };
    app.on(method, routerPath(path), (c) => (method === "GET" ? answerQuery : answerCommand)(c, fixture));
  }
}

export function refuseOthers(app: Hono<Entry>, methodsByPath: ReadonlyMap<string, readonly string[]>): void {
  // Separate, since Hono answers a single route on its path without composing middleware.
  const paths = new Hono<Entry>({ getPath: pathOf });
  for (const [path, methods] of methodsByPath) {
    const headers = { Allow: methods.toSorted((one, other) => one.localeCompare(other)).join(", ") };
    paths.all(routerPath(path), (c) =>
      respond(c, { status: 405, headers, body: { message: `${c.req.method} is not supported here` } }),
    );
  }
  paths.notFound(nowhere);
  app.notFound((c) => paths.fetch(c.req.raw, c.env));
}
