import type { Context } from "hono";
import { stringifyJson } from "@/lib/contract/json";
import type { Service } from "@/service/context";
import type { Entry } from "./entry";

type Content = { body: unknown } | { text: string };

/** What a route gives back: a body that may hold lossless numbers, or the JSON text of one that was written before. */
export type Answer = Content & { status: number; headers?: Record<string, string> };

/** The body as it goes out, every digit of its amounts kept. */
export const textOf = (content: Content): string => ("text" in content ? content.text : stringifyJson(content.body));

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

const written = new WeakMap<object, Answer>();

/** The answer that has this for its data, its text written once: for what is the same object while it says the same. */
export function sameAnswer<Data extends object>(data: Data, answer: (data: Data) => Answer): Answer {
  const kept = written.get(data);
  if (kept) return kept;
  const fresh = answer(data);
  const { status } = fresh;
  written.set(data, { status, text: textOf(fresh) });
  return fresh;
}

/** `{status, httpCode, when, data}` with 200. */
export function statusAnswer({ clock }: Service, data: unknown): Answer {
  return ok({ status: 200, httpCode: 200, when: clock.now(), data });
}

/** `{message, data}` with 200. */
export function messageAnswer(message: string, data: unknown): Answer {
  return ok({ message, data });
}

/** The answer as bytes, under the request's id. */
export function respond(c: Context<Entry>, answer: Answer): Response {
  // Every header is said here and as a plain object: the server writes such an answer out as it is, without streaming it.
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
