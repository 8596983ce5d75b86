import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { getPath } from "hono/utils/url";
import type { Logger } from "pino";
import type { Service } from "@/service/context";
import { uuid } from "@/service/random";
import { type Soon, withValue } from "@/service/soon";
import { respond } from "./answer";

/** Where a request came in. Called in process, it has no socket. */
export type Connection = { incoming?: HttpBindings["incoming"] | Http2Bindings["incoming"] };

/** What every request carries through the app. */
export type Entry = { Bindings: { connection: Connection; requestId: string; log: Logger } };

/** Answers a request that has its id. */
export type Answering = (request: Request, entry: Entry["Bindings"]) => Soon<Response>;

/** The answer of a path that does not exist. */
export const nowhere = (c: Context<Entry>): Response =>
  respond(c, { status: 404, body: { message: "There is nothing at this path" } });

function isNulInPath(url: string): boolean {
  return url.includes("%00") && url.split("?", 1).some((path) => path.includes("%00"));
}

/** No route's path begins so. */
const NOWHERE = "%00";

/** By which path a request is routed. PostgreSQL stores no NUL, so no path with one names anything. */
export const pathOf = (request: Request): string => (isNulInPath(request.url) ? NOWHERE : getPath(request));

/** Paths of holders' pages carry their secret, and only its first step is written. */
function loggedPath(path: string): string {
  return /^\/(v1|sandbox|healthz)\b/.test(path) ? path : path.replace(/^(\/[^/]*).*/, "$1");
}

/**
 * Gives each request its id and leaves one log line of it: method, path without query, status, duration. It stands around
 * the app and not in it as a middleware: a route that has none is answered without a promise when its answer is at hand.
 */
export function enter({ random, log }: Service, answer: Answering) {
  return (request: Request, connection: Connection = {}): Soon<Response> => {
    const requestId = uuid(random);
    const entry = { connection, requestId, log };
    if (!log.isLevelEnabled("debug")) return answer(request, entry);
    const startedAtMs = performance.now();
    return withValue(answer(request, entry), (response) => {
      const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
      const path = loggedPath(getPath(request));
      log.debug({ requestId, method: request.method, path, status: response.status, durationMs }, "request");
      return response;
    });
  };
}
