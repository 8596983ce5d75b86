import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { stringifyJson } from "@/lib/contract/json";
import type { Service } from "@/service/context";
import type { Entry } from "./entry";

/** What a route gives back; `body` may hold lossless numbers. */
export type Answer = { status: ContentfulStatusCode; body: unknown; headers?: Record<string, string> };

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

/** `{status, httpCode, when, data}` with 200. */
export function statusAnswer({ clock }: Service, data: unknown): Answer {
  return ok({ status: 200, httpCode: 200, when: clock.now(), data });
}

/** `{message, data}` with 200. */
export function messageAnswer(message: string, data: unknown): Answer {
  return ok({ message, data });
}

/** The answer as bytes: JSON with every digit of its amounts, under the request's id. */
export function respond(c: Context<Entry>, { status, body, headers }: Answer): Response {
  // Every header is said here and as a plain object: the server writes such an answer out as it is, without streaming it.
  return new Response(stringifyJson(body), {
    status,
    headers: {
      "Content-Type": "application/json; charset=UTF-8",
      "Cache-Control": "no-store",
      "X-Request-Id": c.get("requestId"),
      ...headers,
    },
  });
}
