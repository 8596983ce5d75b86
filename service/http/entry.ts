import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Logger } from "pino";
import type { Service } from "@/service/context";
import { uuid } from "@/service/random";
import { respond } from "./answer";

/** What every request carries through the app. Called in process, it has no socket. */
export type Entry = { Bindings: Partial<HttpBindings>; Variables: { requestId: string; log: Logger } };

/** The answer of a path that does not exist. */
export const nowhere = (c: Context<Entry>): Response =>
  respond(c, { status: 404, body: { message: "There is nothing at this path" } });

/** Paths of holders' pages carry their secret, and only its first step is written. */
function loggedPath(path: string): string {
  return /^\/(v1|sandbox|healthz)\b/.test(path) ? path : path.replace(/^(\/[^/]*).*/, "$1");
}

function isNulInPath(url: string): boolean {
  return url.includes("%00") && url.split("?", 1).some((path) => path.includes("%00"));
}

/** Gives the request its id and leaves one log line of it: method, path without query, status, duration. */
export function enter(service: Service) {
  return createMiddleware<Entry>(async (c, next) => {
    const startedAtMs = performance.now();
    const requestId = uuid(service.random);
    c.set("requestId", requestId);
    c.set("log", service.log);
    // PostgreSQL stores no NUL, so no path with one names anything.
    if (isNulInPath(c.req.raw.url)) c.res = nowhere(c);
    else await next();
    if (!service.log.isLevelEnabled("debug")) return;
    const { method, path } = c.req;
    const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
    service.log.debug({ requestId, method, path: loggedPath(path), status: c.res.status, durationMs }, "request");
  });
}
