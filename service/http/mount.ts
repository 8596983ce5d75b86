import type { Context, Hono } from "hono";
import type { Call, Service } from "@/service/context";
import { ServiceError } from "@/service/error";
import { admit, type Gateway } from "@/service/gateway/admit";
import type { Tenant } from "@/service/tenants/tenant";
import { respond } from "./answer";
import { readBody, refuseOtherContent } from "./body";
import type { Entry } from "./entry";
import { readQuery } from "./query";
import { routerPath } from "./router-path";
import type { Route } from "./route";

/** The address the connection came from; in process there is none. */
function clientIp(c: Context<Entry>): string {
  return c.env?.incoming?.socket.remoteAddress ?? "in-process";
}

function applicationOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "application" in body ? body.application : undefined;
}

/** The service acting for a tenant, made once for all its requests. */
function callsOf(service: Service): (tenant: Tenant) => Call {
  const calls = new Map<Tenant, Call>(service.tenants.all.map((tenant) => [tenant, { ...service, tenant }]));
  return (tenant) => calls.get(tenant) ?? { ...service, tenant };
}

type Desk = { gateway: Gateway; callFor: (tenant: Tenant) => Call };

async function answer(c: Context<Entry>, { gateway, callFor }: Desk, { operation, answer: verb }: Route) {
  const isQuery = operation.method === "GET";
  const body = isQuery ? { value: undefined } : await readBody(c.req.raw);
  const arrival = { headers: c.req.raw.headers, application: applicationOf(body.value), ip: clientIp(c) };
  const tenant = await admit(gateway, operation, arrival);
  if (!isQuery) refuseOtherContent(c.req.raw);
  if (body.fault) throw body.fault;
  const input = isQuery ? readQuery(c) : body.value;
  const particulars = { params: c.req.param(), idempotencyKey: c.req.header("idempotency-key"), raw: input };
  return respond(c, await verb(callFor(tenant), input, particulars));
}

/** Answers a method that none of the path's operations has; to be mounted after them. */
export function refuseOtherMethods(app: Hono<Entry>, methodsByPath: ReadonlyMap<string, readonly string[]>): void {
  for (const [path, methods] of methodsByPath) {
    const headers = { Allow: methods.toSorted((one, other) => one.localeCompare(other)).join(", ") };
    app.all(routerPath(path), (c) => {
      throw new ServiceError(405, `${c.req.method} is not supported here`, { headers });
    });
  }
}

/** Mounts every route behind the gateway. */
export function mountRoutes(app: Hono<Entry>, gateway: Gateway, routes: readonly Route[]): void {
  const desk = { gateway, callFor: callsOf(gateway.service) };
  for (const route of routes) {
    const { method, path } = route.operation;
    app.on(method, routerPath(path), (c) => answer(c, desk, route));
  }
}
