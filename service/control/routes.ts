import { createHash, timingSafeEqual } from "node:crypto";
import type { Context, Hono } from "hono";
import { z } from "zod";
import type { Service } from "@/service/context";
import { unauthenticated, notFound } from "@/service/error";
import { type Entry, respond, type Answering, type Connection, pathOf } from "@/service/http/answer";
import { type Particulars, readBody, readQuery, routerPath, validate } from "@/service/http/mount";
import { type Billing, BillingStatus } from "@/service/tenants/load-tenants";
import { stringifyJson } from "@/lib/contract/json";
import { sql } from "drizzle-orm";
import { Credit, creditAccount } from "@/service/accounts/list-accounts";
import { OnboardingDecision, steerOnboarding } from "@/service/accounts/onboarding";
import { CaseDecision, decideCase } from "./decide-case";
import { Deposit, depositTo } from "@/service/crypto/deposit";
import { KycSteering, steerKyc } from "@/service/kyc/start-kyc";
import { checkBooks } from "@/service/ledger/check";
import { recordTrade, Trade } from "@/service/otc/record-trade";
import { clockOffset } from "@/service/store/schema";
import { returnTed, TedReturn } from "@/service/transfers/order";
import { DeliveriesQuery, listDeliveries } from "@/service/webhooks/outbox";
import type { Post } from "@/service/webhooks/post";
import type { Clock } from "@/service/clock";
import { TroubleOrder, type Troubles } from "./trouble";

type Sandbox = Service & {
  billing: Billing;
  faults: Faults;
  outage: Outage;
  troubles: Troubles;
  runDue: () => Promise<void>;
};

type Params = Particulars["params"];
type Method = "GET" | "POST" | "PUT" | "DELETE";

type ControlRoute = {
  method: Method;
  path: string;
  answer: (sandbox: Sandbox, raw: unknown, params: Params) => Promise<unknown>;
};

/** `METHOD /sandbox/path`; input is the query of a GET, else the body. */
function control<Input extends z.ZodType>(
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

const BODILESS = new Set([204, 205, 304]);

/** Without a status the answer is 200; without status, headers, body and drop the request is only delayed. */
const Fault = z.strictObject({
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

/** They end with the process. */
type Faults = {
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
      const method = request.method;
      const path = pathOf(request);
      const found = planned.find(({ fault }) => fault.method === method && fits(fault.path, path));
      if (!found) return null;
      found.left -= 1;
      if (found.left === 0) planned = planned.filter((other) => other !== found);
      return found.fault;
    },
  };
}

/** Without a socket, the answer's body is cut instead. */
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

async function apply(
  fault: Fault,
  entry: Entry["Bindings"],
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  if (fault.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  if (fault.drop) return cut(entry.connection);
  return saysNothing(fault) ? answer() : answerOf(fault, entry);
}

/** Runs before anything else reads the request. */
export function applyFaults(faults: Faults, answer: Answering): Answering {
  return (request, entry) => {
    const fault = faults.next(request);
    return fault ? apply(fault, entry, () => answer(request, entry)) : answer(request, entry);
  };
}

type Outage = {
  lastUntil: (ms: number) => void;
  /** Epoch milliseconds; 0 without one. */
  until: () => number;
  over: (post: Post, clock: Clock) => Post;
};

export function createOutage(): Outage {
  let untilMs = 0;
  return {
    lastUntil: (ms) => {
      untilMs = ms;
    },
    until: () => untilMs,
    over: (post, clock) => (request, signal) =>
      clock.now() < untilMs
        ? Promise.resolve({ httpStatus: null, error: "connection-refused" })
        : post(request, signal),
  };
}

const OutageLength = z.strictObject({ seconds: z.number().min(0).max(3_600) });

const HoldOrder = z.strictObject({ clientId: z.string(), transfers: z.number().int().min(0).max(100) });

const SandboxQuery = z.looseObject({ clientId: z.string() });

const isoOf = (ms: number) => new Date(ms).toISOString();

/** What control routes have begun and what lasts; the holds of one tenant, the rest of all. */
async function describeSandbox(
  { clock, holds, outage, troubles }: Sandbox,
  { clientId }: z.output<typeof SandboxQuery>,
) {
  const trouble = troubles.current();
  return {
    now: isoOf(clock.now()),
    trouble: trouble === null ? null : { kind: trouble.kind, until: isoOf(trouble.untilMs) },
    outageUntil: clock.now() < outage.until() ? isoOf(outage.until()) : null,
    holds: holds.waiting(clientId),
  };
}

const accountControls = [
  control("POST /sandbox/onboardings/{onBoardingId}", OnboardingDecision, (service, input, { onBoardingId = "" }) =>
    steerOnboarding(service, onBoardingId, input),
  ),
  control("POST /sandbox/bank-accounts/{accountId}/credit", Credit, (service, input, { accountId = "" }) =>
    creditAccount(service, accountId, input),
  ),
  control("POST /sandbox/transactions/{transactionId}/return", TedReturn, (service, input, { transactionId = "" }) =>
    returnTed(service, transactionId, input),
  ),
  control("GET /sandbox/ledger/check", z.looseObject({}), ({ db }) => checkBooks(db)),
];

const TEN_YEARS_SECONDS = 315_576_000;

const ClockAdvance = z.strictObject({ advanceSeconds: z.number().positive().max(TEN_YEARS_SECONDS) });
type ClockAdvance = z.infer<typeof ClockAdvance>;

/** Permanently; runs everything that fell due meanwhile. */
async function advanceClock(sandbox: Sandbox, { advanceSeconds }: ClockAdvance) {
  const { clock, db, outbox, runDue } = sandbox;
  const offsetMs = Math.round(advanceSeconds * 1_000);
  await db
    .insert(clockOffset)
    .values({ id: "clock", offsetMs })
    .onConflictDoUpdate({ target: clockOffset.id, set: { offsetMs: sql`${clockOffset.offsetMs} + ${offsetMs}` } });
  clock.advance(offsetMs);
  await runDue();
  outbox.ring(clock.now());
  return { now: new Date(clock.now()).toISOString() };
}

const cryptoControls = [control("POST /sandbox/crypto/deposits", Deposit, depositTo)];

const otcControls = [control("POST /sandbox/otc/trades", Trade, recordTrade)];

const BillingChange = z.strictObject({ status: BillingStatus });
type BillingChange = z.infer<typeof BillingChange>;

/** From the next request on. 404 for an unknown tenant. */
async function setBilling(sandbox: Sandbox, clientId: string, { status }: BillingChange) {
  const tenant = sandbox.tenants.find(clientId);
  if (!tenant) throw notFound("The client was not found");
  await sandbox.billing.set(tenant, status);
  return { clientId, status };
}

export const controlRoutes: readonly ControlRoute[] = [
  ...accountControls,
  ...cryptoControls,
  ...otcControls,
  control("POST /sandbox/clock", ClockAdvance, advanceClock),
  control("POST /sandbox/kyc/{kycUUID}", KycSteering, (sandbox, input, { kycUUID = "" }) =>
    steerKyc(sandbox, kycUUID, input),
  ),
  control("POST /sandbox/transactions/{antifraudId}", CaseDecision, (sandbox, input, { antifraudId = "" }) =>
    decideCase(sandbox, antifraudId, input),
  ),
  control("PUT /sandbox/tenants/{clientId}/billing", BillingChange, (sandbox, input, { clientId = "" }) =>
    setBilling(sandbox, clientId, input),
  ),
  control("POST /sandbox/faults", Fault, async ({ faults }, fault) => {
    faults.plan(fault);
    return fault;
  }),
  control("DELETE /sandbox/faults", z.unknown(), async ({ faults }) => {
    faults.clear();
    return {};
  }),
  control("POST /sandbox/outage", OutageLength, async ({ clock, outage }, { seconds }) => {
    const untilMs = clock.now() + seconds * 1_000;
    outage.lastUntil(untilMs);
    return { until: new Date(untilMs).toISOString() };
  }),
  control("POST /sandbox/trouble", TroubleOrder, async ({ troubles }, order) => {
    const trouble = troubles.begin(order);
    return { until: trouble === null ? null : isoOf(trouble.untilMs) };
  }),
  control("POST /sandbox/holds", HoldOrder, async ({ holds }, { clientId, transfers }) => {
    holds.order(clientId, transfers);
    return { clientId, transfers };
  }),
  control("GET /sandbox/state", SandboxQuery, describeSandbox),
  control("GET /sandbox/deliveries", DeliveriesQuery, listDeliveries),
];
