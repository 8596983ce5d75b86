import type { Context, Hono } from "hono";
import { admit, type Gateway } from "@/service/gateway/admit";
import { isUnstorable, readBody, refuseOtherContent } from "./body";
import { respond } from "./answer";
import type { Entry } from "./entry";
import { invalid, ServiceError } from "@/service/error";
import type { Route } from "./route";

const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ":$1");

/** The address the connection came from; in process there is none. */
export function clientIp(c: Context<Entry>): string {
  return c.env?.incoming?.socket.remoteAddress ?? "in-process";
}

function readQuery(c: Context<Entry>): Record<string, string> {
  const query = c.req.query();
  for (const [name, value] of Object.entries(query)) if (isUnstorable(value)) throw invalid(name, "has bad characters");
  return query;
}

function applicationOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "application" in body ? body.application : undefined;
}

async function answer(c: Context<Entry>, gateway: Gateway, { operation, answer: verb }: Route): Promise<Response> {
  const isQuery = operation.method === "GET";
  const body = isQuery ? { value: undefined } : await readBody(c.req.raw);
  const arrival = { headers: c.req.raw.headers, application: applicationOf(body.value), ip: clientIp(c) };
  const tenant = await admit(gateway, operation, arrival);
  if (!isQuery) refuseOtherContent(c.req.raw);
  if (body.fault) throw body.fault;
  const input = isQuery ? readQuery(c) : body.value;
  const particulars = { params: c.req.param(), idempotencyKey: c.req.header("idempotency-key") };
  return respond(await verb({ ...gateway.service, tenant }, input, particulars));
}

/** Answers a method that none of the path's operations has; to be mounted after them. */
export function refuseOtherMethods(app: Hono<Entry>, methodsByPath: ReadonlyMap<string, readonly string[]>): void {
  for (const [path, methods] of methodsByPath) {
    const headers = { Allow: methods.join(", ") };
    app.all(honoPath(path), (c) => {
      throw new ServiceError(405, `${c.req.method} is not supported here`, { headers });
    });
  }
}

/** Mounts every route behind the gateway. */
export function mountRoutes(app: Hono<Entry>, gateway: Gateway, routes: readonly Route[]): void {
  for (const route of routes) {
    const { method, path } = route.operation;
    app.on(method, honoPath(path), (c) => answer(c, gateway, route));
  }
}
