import { type Context, Hono } from "hono";
import type { Call, Service } from "@/service/context";
import { admit, type Gateway } from "@/service/gateway/admit";
import type { Operation } from "@/service/gateway/operation";
import { type Soon, withValue } from "@/service/soon";
import type { Tenant } from "@/service/tenants/tenant";
import { respond } from "./answer";
import { readBody, refuseOtherContent } from "./body";
import { type Entry, nowhere, pathOf } from "./entry";
import { readQuery } from "./query";
import { routerPath } from "./router-path";
import type { Route } from "./route";

function applicationOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "application" in body ? body.application : undefined;
}

/** The service acting for a tenant, made once for all its requests. */
function callsOf(service: Service): (tenant: Tenant) => Call {
  const calls = new Map<Tenant, Call>(service.tenants.all.map((tenant) => [tenant, { ...service, tenant }]));
  return (tenant) => calls.get(tenant) ?? { ...service, tenant };
}

/** Where requests for one route are received. */
type Desk = Route & { gateway: Gateway; callFor: (tenant: Tenant) => Call };

/** The service acting for the tenant that the gateway found; `body` is the request's, if it has one. */
function admitted(c: Context<Entry>, { gateway, callFor, operation }: Desk, body?: unknown): Soon<Call> {
  const { socket } = c.env.connection.incoming ?? {};
  const arrival = { headers: c.req.raw.headers, application: applicationOf(body), socket };
  return withValue(admit(gateway, operation, arrival), callFor);
}

const NO_PARAMS = {};

/** What stands in the path where the interface has braces. */
const paramsOf = (c: Context<Entry>, { path }: Operation) => (path.includes("{") ? c.req.param() : NO_PARAMS);

function answerQuery(c: Context<Entry>, desk: Desk): Soon<Response> {
  const { operation, answer } = desk;
  return withValue(admitted(c, desk), (call) => {
    const input = readQuery(c);
    const particulars = { params: paramsOf(c, operation), idempotencyKey: undefined, raw: input };
    return withValue(answer(call, input, particulars), (given) => respond(c, given));
  });
}

async function answerCommand(c: Context<Entry>, desk: Desk): Promise<Response> {
  const { operation, answer } = desk;
  const { value: input, fault } = await readBody(c.req.raw);
  const call = await admitted(c, desk, input);
  refuseOtherContent(c.req.raw);
  if (fault) throw fault;
  const particulars = { params: paramsOf(c, operation), idempotencyKey: c.req.header("idempotency-key"), raw: input };
  return respond(c, await answer(call, input, particulars));
}

/** Mounts every route behind the gateway. */
export function mountRoutes(app: Hono<Entry>, gateway: Gateway, routes: readonly Route[]): void {
  const callFor = callsOf(gateway.service);
  for (const route of routes) {
    const { method, path } = route.operation;
    const desk = { ...route, gateway, callFor };
    app.on(method, routerPath(path), (c) => (method === "GET" ? answerQuery : answerCommand)(c, desk));
  }
}

/** Answers what no route does: a method that none of the path's operations has, and a path that does not exist. */
export function refuseOthers(app: Hono<Entry>, methodsByPath: ReadonlyMap<string, readonly string[]>): void {
  // Apart from the routes, for a route that stands alone on its path is answered without being composed.
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
