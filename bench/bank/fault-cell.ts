import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { BankError } from "@/lib/bank/answer";
import type { Call } from "@/lib/bank/call-log";
import { createCircuit } from "@/lib/bank/circuit";
import { createBank } from "@/lib/bank/client";
import type { Wire } from "@/lib/bank/wire-http";
import { sendOverHttp } from "@/lib/bank/wire-http";
import type { Service } from "@/bench/service/service-process";
import type { Ordeal, Outcome } from "./fault-catalogue";
import type { Customer, Endpoint } from "./fault-endpoints";
import type { FaultProxy } from "./fault-proxy";

/** What came of one call that met one fault. */
export type Cell = {
  route: string;
  outcome: Outcome | "untyped";
  requests: number;
  executions: number;
  tookMs: number;
  /** What must not be, in words; empty when all is well. */
  wrong: readonly string[];
};

/** `speed`: how many times as fast as ours the client's clock goes, so that its limits and pauses shrink alike. */
export type Stage = { service: Service; proxy: FaultProxy; speed: number };

const READ_WITHIN_MS = 20_000;
const WRITE_WITHIN_MS = 45_000;
const TOLERANCE_MS = 500;

/** After 0, 1, 3, 7 and 15 s of a person's 20. */
const MOST_READS = 5;

/** `label`: what the proxy knows its calls by. */
type Log = { label: string; calls: Call[]; pausesMs: number[]; slowedDownMs: (number | null)[] };

const tokenOf = ({ headers }: Service): string => headers["Authorization"]?.replace("Bearer ", "") ?? "";
const emptyLog = (): Log => ({ label: randomUUID(), calls: [], pausesMs: [], slowedDownMs: [] });

/** A client as the console has it, alone with its circuit: its budget lets everything pass, its clock goes faster. */
function hire({ service, proxy, speed }: Stage, log: Log): Customer {
  const now = () => performance.now() * speed;
  const wire: Wire = (call) => {
    const { connectMs, firstByteMs, totalMs, maxBytes } = call.limits;
    const limits = {
      connectMs: connectMs / speed,
      firstByteMs: firstByteMs / speed,
      totalMs: totalMs / speed,
      maxBytes,
    };
    return sendOverHttp({ ...call, headers: { ...call.headers, "x-bench-label": log.label }, limits });
  };
  let generation = 0;
  const value = tokenOf(service);
  const bank = createBank({
    tenant: { clientId: service.tenant.clientId, baseUrl: proxy.origin },
    wire,
    tokens: { get: async () => ({ value, generation }), reject: () => void (generation += 1) },
    budget: {
      admit: async () => ({ waitedMs: 0 }),
      slowDown: async (retryAfterMs) => void log.slowedDownMs.push(retryAfterMs),
      use: () => Promise.reject(new Error("nobody looks at the meter")),
    },
    circuit: createCircuit({ now }),
    logCall: (call) => void log.calls.push(call),
    now,
    wallTime: () => new Date(),
    sleep: async (ms) => {
      log.pausesMs.push(ms);
      await sleep(ms / speed);
    },
    random: Math.random,
  });
  return { bank, wire, baseUrl: proxy.origin, credentials: service.tenant };
}

const isToken = ({ route }: Endpoint) => route.endsWith("/access-token");

/** Without a token there is no call at all, so it matters less what kept it away; junk is never one. */
const WITHOUT_TOKEN = ["unavailable", "malformed", "forbidden"] as const;

function expectedOf({ fault, becomes }: Ordeal, endpoint: Endpoint): readonly Outcome[] {
  if (isToken(endpoint) && fault !== null) return [...becomes.filter((outcome) => outcome !== "ok"), ...WITHOUT_TOKEN];
  return endpoint.isServed || !becomes.includes("ok") ? becomes : [...becomes, "forbidden"];
}

type Ending = Omit<Cell, "wrong"> & { error: unknown };

/** Bounded in time, typed, never sent or carried out more often than it may be. */
function* faultsOf(
  ordeal: Ordeal,
  endpoint: Endpoint,
  ending: Ending & { calls: readonly Call[]; speed: number },
): Generator<string> {
  const { outcome, requests, executions, tookMs, error, calls, speed } = ending;
  const { isRead } = endpoint;
  const dueMs = (isRead ? READ_WITHIN_MS : WRITE_WITHIN_MS) / speed;
  // The last of several attempts may be cut short by the deadline, whatever was answered to those before.
  const isOutOfTime = isRead && outcome === "unavailable" && tookMs > dueMs - TOLERANCE_MS / speed;
  const isExpected = isOutOfTime || expectedOf(ordeal, endpoint).some((expected) => expected === outcome);
  if (!isExpected) yield `became ${outcome}`;
  if (error !== undefined && !(error instanceof BankError)) yield `threw ${inspect(error)}`;
  if (tookMs > dueMs + TOLERANCE_MS) yield `took ${tookMs.toFixed(0)} ms`;
  const renewals = calls.filter(({ status }) => status === 401).length;
  if (requests > (isRead ? MOST_READS : 1) + Math.min(renewals, 1)) yield `sent ${requests} times`;
  for (const { kind, status } of calls.slice(0, -1)) {
    const mayGoAgain = status === 401 || (isRead && (kind === "unavailable" || kind === "rate-limited"));
    if (!mayGoAgain) yield `sent again after ${kind}`;
  }
  if (!isRead && executions > 1) yield `carried out ${executions} times`;
  if (!(error instanceof BankError) || isRead || isToken(endpoint)) return;
  const { mayHaveExecuted } = error.details;
  if (executions > 0 && mayHaveExecuted !== true) yield "carried out, and the client denies it";
  if (requests === 0 && mayHaveExecuted !== false) yield "never sent, and the client does not know";
}

/** What the log and the budget were told, and that nobody was told a secret. */
function* sayingsOf(ordeal: Ordeal, log: Log, ending: Ending & { secrets: readonly string[] }): Generator<string> {
  const { error, requests, secrets } = ending;
  const told = inspect([error, log.calls], { depth: 12 });
  if (secrets.some((secret) => told.includes(secret))) yield "told a secret";
  if (log.calls.length < requests) yield `${requests} calls, ${log.calls.length} in the log`;
  const [id] = log.calls.map((call) => call.id);
  if (error instanceof BankError && error.details.requestId !== id) yield "the error names another request";
  if (ordeal.retryAfterMs === undefined) return;
  const obeyed = ordeal.retryAfterMs;
  if (!log.slowedDownMs.every((ms) => ms === obeyed)) yield `slowed down by ${log.slowedDownMs.join(", ")}`;
  if (log.slowedDownMs.length !== requests) yield `slowed down ${log.slowedDownMs.length} times`;
  if (log.pausesMs.some((ms) => ms < (obeyed ?? 0))) yield `waited only ${log.pausesMs.join(", ")} ms`;
}

function arrange({ proxy }: Stage, ordeal: Ordeal, { route }: Endpoint): void {
  if (ordeal.fault !== null) proxy.harm(route, ordeal.fault);
  if (ordeal.delayMs !== undefined) proxy.delay(route, ordeal.delayMs);
}

/** Sends one call of the endpoint into the fault, and judges what comes of it. Keyed and in doubt: sends it again with its key. */
export async function endure(stage: Stage, ordeal: Ordeal, endpoint: Endpoint): Promise<Cell> {
  const { proxy, service, speed } = stage;
  const { route } = endpoint;
  const log = emptyLog();
  const customer = hire(stage, log);
  const send = await endpoint.prepare();
  arrange(stage, ordeal, endpoint);
  const startedAtMs = performance.now();
  const [settled] = await Promise.allSettled([send(customer)]);
  const tookMs = performance.now() - startedAtMs;
  const error: unknown = settled.status === "rejected" ? settled.reason : undefined;
  const kind = error instanceof BankError ? error.kind : "untyped";
  const seen = proxy.seen(route).filter(({ label }) => label === log.label);
  const ending: Ending = {
    route,
    outcome: error === undefined ? "ok" : kind,
    requests: seen.length,
    executions: seen.filter(({ status }) => status !== null && status < 300).length,
    tookMs,
    error,
  };
  const secrets = [tokenOf(service), service.tenant.clientSecret];
  const wrong = [
    ...faultsOf(ordeal, endpoint, { ...ending, calls: log.calls, speed }),
    ...(isToken(endpoint) ? [] : sayingsOf(ordeal, log, { ...ending, secrets })),
  ];
  if (endpoint.isKeyed && error instanceof BankError && error.details.mayHaveExecuted === true) {
    proxy.heal(route);
    const [again] = await Promise.allSettled([send(hire(stage, emptyLog()))]);
    if (again.status === "rejected") wrong.push(`again with its key: ${inspect(again.reason)}`);
  }
  const { outcome, requests, executions } = ending;
  return { route, outcome, requests, executions, tookMs, wrong };
}
