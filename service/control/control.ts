import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Service } from "@/service/context";
import { unauthenticated } from "@/service/error";
import { type Entry, respond } from "@/service/http/answer";
import { type Particulars, readBody, readQuery, routerPath, validate } from "@/service/http/mount";
import type { Billing } from "@/service/tenants/billing";
import type { Faults } from "./faults";

export type Sandbox = Service & { billing: Billing; faults: Faults; runDue: () => Promise<void> };

type Params = Particulars["params"];
type Method = "GET" | "POST" | "PUT" | "DELETE";

export type ControlRoute = {
  method: Method;
  path: string;
  answer: (sandbox: Sandbox, raw: unknown, params: Params) => Promise<unknown>;
};

/** `METHOD /sandbox/path`; input is the query of a GET, else the body. */
export function control<Input extends z.ZodType>(
  name: `${Method} /sandbox/${string}`,
  input: Input,
  answer: (sandbox: Sandbox, input: z.output<Input>, params: Params) => Promise<unknown>,
): ControlRoute {
  const method = (["GET", "POST", "PUT", "DELETE"] as const).find((verb) => name.startsWith(`${verb} `)) ?? "GET";
  return {
    method,
    path: name.slice(method.length + 1),
    answer: (sandbox, raw, params) => answer(sandbox, validate(input, raw), params),
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();

function authorise(c: Context<Entry>, token: string): void {
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  if (!timingSafeEqual(digest(given), digest(token))) throw unauthenticated("Expected the control token");
}

async function read(c: Context<Entry>): Promise<unknown> {
  if (c.req.method === "GET") return readQuery(c);
  const { value, fault } = await readBody(c.req.raw);
  if (fault) throw fault;
  return value ?? {};
}

/** Our assumption: control routes. For holders of the control token. */
export function mountControl(app: Hono<Entry>, sandbox: Sandbox, routes: readonly ControlRoute[]): void {
  const token = sandbox.settings.controlToken;
  if (token === undefined) return;
  for (const { method, path, answer } of routes) {
    app.on(method, routerPath(path), async (c) => {
      authorise(c, token);
      return respond(c, { status: 200, body: { data: await answer(sandbox, await read(c), c.req.param()) } });
    });
  }
}
