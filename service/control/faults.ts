import type { Context, Next } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { stringifyJson } from "@/lib/contract/json";
import type { Entry } from "@/service/http/entry";

const BODILESS = new Set([204, 205, 304]);

/**
 * Body of the control route that plans a fault. Without a status the answer is 200; without status, headers, body and drop
 * the request is only delayed.
 */
export const Fault = z.strictObject({
  method: z.string().regex(/^[A-Z]+$/, { error: "must be a method in capitals" }),
  path: z.string().startsWith("/v1/"),
  status: z.number().int().min(200).max(599).optional(),
  headers: z.record(z.string().regex(/^[\w-]+$/), z.string().regex(/^[\t\u0020-\u007e]*$/)).default({}),
  body: z.unknown().optional(),
  delayMs: z.number().int().min(0).max(600_000).default(0),
  drop: z.boolean().default(false),
  times: z.number().int().min(1).max(1_000_000),
});
export type Fault = z.infer<typeof Fault>;

/** The faults planned and not yet used up; they die with the process. */
export type Faults = {
  plan: (fault: Fault) => void;
  clear: () => void;
  next: (method: string, path: string) => Fault | null;
};

/** A path as requested, or as the interface writes it with parameters in braces. */
function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length && wanted.every((part, index) => /^\{.+\}$/.test(part) || part === given[index])
  );
}

export function createFaults(): Faults {
  let planned: { fault: Fault; left: number }[] = [];
  return {
    plan: (fault) => {
      planned.push({ fault, left: fault.times });
    },
    clear: () => {
      planned = [];
    },
    next: (method, path) => {
      const found = planned.find(({ fault }) => fault.method === method && fits(fault.path, path));
      if (!found) return null;
      found.left -= 1;
      if (found.left === 0) planned = planned.filter((other) => other !== found);
      return found.fault;
    },
  };
}

/** Cuts the connection; without a socket, the answer's body breaks off instead. */
function cut(env: Entry["Bindings"] | undefined): Response {
  if (env?.incoming) {
    env.incoming.socket.destroy();
    return new Response(null, { headers: { "x-hono-already-sent": "true" } });
  }
  return new Response(new ReadableStream({ start: (body) => body.error(new Error("the connection was cut")) }));
}

function answer(c: Context<Entry>, { status, headers, body }: Fault): Response {
  const code = status ?? 200;
  const fallback = code >= 400 ? { message: "Planned fault" } : {};
  const text = typeof body === "string" ? body : stringifyJson(body ?? fallback);
  const type = typeof body === "string" ? "text/plain; charset=UTF-8" : "application/json; charset=UTF-8";
  const head = new Headers(headers);
  if (!head.has("Content-Type")) head.set("Content-Type", type);
  head.set("X-Request-Id", c.get("requestId"));
  return new Response(BODILESS.has(code) ? null : text, { status: code, headers: head });
}

const saysNothing = ({ status, body, headers }: Fault) =>
  status === undefined && body === undefined && Object.keys(headers).length === 0;

async function apply(fault: Fault, c: Context<Entry>, next: Next) {
  if (fault.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  if (fault.drop) return cut(c.env);
  return saysNothing(fault) ? next() : answer(c, fault);
}

/** Gives a request the fault planned for its route, if any, before anything else looks at it. */
export function applyFaults(faults: Faults) {
  return createMiddleware<Entry>((c, next) => {
    const fault = faults.next(c.req.method, c.req.path);
    return fault ? apply(fault, c, next) : next();
  });
}
