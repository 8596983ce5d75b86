import type { ContentfulStatusCode } from "hono/utils/http-status";
import { stringifyJson } from "@/lib/contract/json";
import type { Service } from "@/service/context";

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

/** The answer as bytes: JSON with every digit of its amounts. */
export function respond({ status, body, headers }: Answer): Response {
  return new Response(stringifyJson(body), {
    status,
    headers: { "Content-Type": "application/json; charset=UTF-8", "Cache-Control": "no-store", ...headers },
  });
}
