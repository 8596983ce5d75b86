import { z } from "zod";
import { stringifyJson } from "@/lib/contract/json";
import { type Answering, type Connection, type Entry, pathOf } from "@/service/http/answer";
import type { Soon } from "@/service/soon";

const BODILESS = new Set([204, 205, 304]);

/** Without a status the answer is 200; without status, headers, body and drop the request is only delayed. */
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

/** They die with the process. */
export type Faults = {
  plan: (fault: Fault) => void;
  clear: () => void;
  next: (request: Request) => Fault | null;
};

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
    next: (request) => {
      if (planned.length === 0) return null;
      const [method, path] = [request.method, pathOf(request)];
      const found = planned.find(({ fault }) => fault.method === method && fits(fault.path, path));
      if (!found) return null;
      found.left -= 1;
      if (found.left === 0) planned = planned.filter((other) => other !== found);
      return found.fault;
    },
  };
}

/** Without a socket, the answer's body breaks off instead. */
function cut({ incoming }: Connection): Response {
  if (incoming) {
    incoming.socket.destroy();
    return new Response(null, { headers: { "x-hono-already-sent": "true" } });
  }
  return new Response(new ReadableStream({ start: (body) => body.error(new Error("the connection was cut")) }));
}

function answerOf({ method, status, headers, body }: Fault, { requestId }: Entry["Bindings"]): Response {
  const code = status ?? 200;
  const fallback = code >= 400 ? { message: "Planned fault" } : {};
  const text = typeof body === "string" ? body : stringifyJson(body ?? fallback);
  const type = typeof body === "string" ? "text/plain; charset=UTF-8" : "application/json; charset=UTF-8";
  const head = new Headers(headers);
  if (!head.has("Content-Type")) head.set("Content-Type", type);
  head.set("X-Request-Id", requestId);
  const hasBody = method !== "HEAD" && !BODILESS.has(code);
  return new Response(hasBody ? text : null, { status: code, headers: head });
}

const saysNothing = ({ status, body, headers }: Fault) =>
  status === undefined && body === undefined && Object.keys(headers).length === 0;

async function apply(fault: Fault, entry: Entry["Bindings"], answer: () => Soon<Response>): Promise<Response> {
  if (fault.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  if (fault.drop) return cut(entry.connection);
  return saysNothing(fault) ? answer() : answerOf(fault, entry);
}

/** Before anything else looks at the request. */
export function applyFaults(faults: Faults, answer: Answering): Answering {
  return (request, entry) => {
    const fault = faults.next(request);
    return fault ? apply(fault, entry, () => answer(request, entry)) : answer(request, entry);
  };
}
