import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import type { Context, ErrorHandler } from "hono";
import { getPath } from "hono/utils/url";
import type { Logger } from "pino";
import { stringifyJson } from "@/lib/contract/json";
import type { Outcome } from "@/service/antifraud/case";
import type { Service } from "@/service/context";
import { errorBody, ServiceError } from "@/service/error";
import { uuid } from "@/service/random";

type Content = { body: unknown } | { text: string };

/** A body with lossless numbers, or JSON text. */
export type Answer = Content & { status: number; headers?: Record<string, string> };

export const textOf = (content: Content): string => ("text" in content ? content.text : stringifyJson(content.body));

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

export function statusAnswer({ clock }: Service, data: unknown): Answer {
  return ok({ status: 200, httpCode: 200, when: clock.now(), data });
}

export function messageAnswer(message: string, data: unknown): Answer {
  return ok({ message, data });
}

export function respond(c: Context<Entry>, answer: Answer): Response {
  // With a plain object of headers the server writes the answer without streaming it.
  return new Response(textOf(answer), {
    status: answer.status,
    headers: {
      "Content-Type": "application/json; charset=UTF-8",
      "Cache-Control": "no-store",
      "X-Request-Id": c.env.requestId,
      ...answer.headers,
    },
  });
}

/** An in-process call has no socket. */
export type Connection = { incoming?: HttpBindings["incoming"] | Http2Bindings["incoming"] };

export type Entry = { Bindings: { connection: Connection; requestId: string; log: Logger } };

export type Answering = (request: Request, entry: Entry["Bindings"]) => Response | Promise<Response>;

export const nowhere = (c: Context<Entry>): Response =>
  respond(c, { status: 404, body: { message: "There is nothing at this path" } });

function isNulInPath(url: string): boolean {
  return url.includes("%00") && url.split("?", 1).some((path) => path.includes("%00"));
}

const NOWHERE = "%00";

/** PostgreSQL stores no NUL, so a path with one matches nothing. */
export const pathOf = (request: Request): string => (isNulInPath(request.url) ? NOWHERE : getPath(request));

/** Paths of holders' pages contain their secret, so only the first segment is logged. */
function loggedPath(path: string): string {
  return /^\/(v1|sandbox|healthz)\b/.test(path) ? path : path.replace(/^(\/[^/]*).*/, "$1");
}

export function enter({ random, log }: Service, answer: Answering) {
  return async (request: Request, connection: Connection = {}): Promise<Response> => {
    const requestId = uuid(random);
    const entry = { connection, requestId, log };
    if (!log.isLevelEnabled("debug")) return answer(request, entry);
    const startedAtMs = performance.now();
    const response = await answer(request, entry);
    const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10;
    const path = loggedPath(getPath(request));
    log.debug({ requestId, method: request.method, path, status: response.status, durationMs }, "request");
    return response;
  };
}

/** A `ServiceError` as it says, anything else 500 with the request id. */
export const onError: ErrorHandler<Entry> = (error, c) => {
  if (error instanceof ServiceError) {
    return respond(c, {
      status: error.status,
      body: errorBody(error),
      headers: error.headers,
    });
  }
  const { requestId, log, connection } = c.env;
  // A client that disconnects early gets no answer, and nothing failed here.
  if (connection.incoming?.complete === false) log.debug({ requestId }, "request broken off");
  else log.error({ err: error, requestId }, "request failed");
  return respond(c, { status: 500, body: { message: `Unexpected error, request ${requestId}` } });
};

/** interface: Errors › Gateway errors */
export function screenedAnswer<Done>(outcome: Outcome<Done>, done: (done: Done) => Answer): Answer {
  switch (outcome.kind) {
    case "done":
      return done(outcome.done);
    case "held": {
      const { id: antifraudId, expiresAt } = outcome.case;
      const message = "The transaction is held until it is approved";
      const pendingExpiresAt = expiresAt?.toISOString();
      return { status: 202, body: { error: "TRANSACTION_PENDING_APPROVAL", message, antifraudId, pendingExpiresAt } };
    }
    case "blocked": {
      const message = "The transaction was blocked by antifraud";
      return { status: 403, body: { error: "TRANSACTION_BLOCKED", message, antifraudId: outcome.case.id } };
    }
  }
}
