import { stringifyJson } from "@/lib/contract/json";
import type { Budget } from "@/lib/provider/budget";
import type { Call } from "@/lib/provider/call-log";
import { type Circuit, createCircuit } from "@/lib/provider/circuit";
import type { HeardAnswer } from "@/lib/provider/findings";
import { type Provider, createBank, type BankDeps } from "@/lib/provider/client";
import { createTokens, type Tokens } from "@/lib/provider/token";
import type { Credentials } from "@/lib/provider/token-request";
import { type Incoming, type Outgoing, type Wire, WireError } from "@/lib/provider/wire-http";

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Incoming {
  return textAnswer(status, status === 204 ? "" : stringifyJson(body), headers);
}

export function textAnswer(status: number, text: string, headers: Record<string, string> = {}): Incoming {
  return { status, text, header: (name) => headers[name] ?? null };
}

/** The wire of a provider that runs in this process. */
export function wireTo(serve: (request: Request) => Response | Promise<Response>): Wire {
  return async ({ method, url, headers, body }) => {
    const response = await serve(new Request(url, { method, headers, ...(body !== undefined && { body }) }));
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      // As the wire reads it: `text()` would drop a byte order mark.
      text: Buffer.from(await response.arrayBuffer()).toString("utf8"),
    };
  };
}

/** No answer came, though the provider may have executed the request. */
export const lostAnswer = () => Promise.reject(new WireError("no-answer", true, "ECONNRESET"));

/** The nth token of `scriptedDoor`, counting from 1. */
export const tokenNumber = (generation: number) => `token-${generation}`;

export const bearerOf = ({ headers }: Outgoing) => headers["authorization"]?.replace("Bearer ", "");

/** As many calls as wanted; keeps the pauses after a 429. */
export function boundlessBudget(): Budget & { pausesMs: (number | null)[] } {
  const pausesMs: (number | null)[] = [];
  const nobody = { money: 0, people: 0, watchers: 0 };
  return {
    pausesMs,
    admit: async () => ({ waitedMs: 0 }),
    slowDown: async (retryAfterMs) => {
      pausesMs.push(retryAfterMs);
    },
    use: async () => ({
      limit: 180,
      configured: 180,
      used: 0,
      byLane: nobody,
      pausedUntil: null,
      waiting: nobody,
      oldestWaitMs: 0,
    }),
  };
}

/** Lets every call pass, whatever the earlier results. */
const closedCircuit: Circuit = {
  enter: async () => false,
  note: () => undefined,
  standing: () => ({ money: { isOpen: false }, people: { isOpen: false }, watchers: { isOpen: false } }),
};

type Served = {
  tenant: { clientId: string; clientSecret: string };
  serve: (request: Request) => Response | Promise<Response>;
  clock: Pick<BankDeps, "now" | "sleep">;
  logCall?: BankDeps["logCall"];
  hearAnswer?: BankDeps["hearAnswer"];
  budget?: Budget;
};

/** A provider in this process, on the test's clock. */
export function bankAt({
  tenant: { clientId, clientSecret },
  serve,
  clock,
  logCall = () => undefined,
  hearAnswer = () => undefined,
  budget = boundlessBudget(),
}: Served): Provider {
  const tenant = { clientId, baseUrl: "http://service.test" };
  const wire = wireTo(serve);
  const credentials = () => ({ clientSecret });
  const tokens = createTokens({
    tenant,
    credentials,
    wire,
    alarm: () => new AbortController().signal,
    random: () => 0,
    ...clock,
  });
  return createBank({
    tenant,
    wire,
    tokens,
    credentials,
    budget,
    circuit: closedCircuit,
    logCall,
    hearAnswer,
    wallTime: () => new Date(clock.now()),
    random: () => 0,
    ...clock,
  });
}

type Script = {
  /** Answers every call; `nth` counts from 1. */
  answer: (call: Outgoing, nth: number) => Incoming | Promise<Incoming>;
  /** Instead of a token. */
  token?: () => Promise<never>;
  random?: number;
  /** How long an attempt takes on the injected clock. */
  attemptMs?: number;
};

/** Injected dependencies for faults that a well-behaved service cannot show: scripted answers and a clock that advances by sleeping. */
export function scriptedDeps({ answer, token, random = 0, attemptMs = 0 }: Script) {
  const calls: Outgoing[] = [];
  const sleeps: number[] = [];
  const log: Call[] = [];
  const heard: HeardAnswer[] = [];
  const budget = boundlessBudget();
  let nowMs = Date.parse("2026-03-10T12:00:00Z");
  let generation = 1;
  const now = () => nowMs;
  const tokens: Tokens = {
    get: () => token?.() ?? Promise.resolve({ value: tokenNumber(generation), generation }),
    reject: (rejected) => {
      if (rejected === generation) generation += 1;
    },
    held: () => ({ value: tokenNumber(generation), generation }),
    discard: (discarded) => {
      if (discarded === generation) generation += 1;
    },
  };
  const deps: BankDeps = {
    tenant: { baseUrl: "https://bank.example", clientId: "aurora" },
    tokens,
    credentials: () => ({ clientSecret: "aurora-secret" }),
    budget,
    circuit: createCircuit({ now, date: () => new Date(), sleep: async () => undefined }),
    logCall: (call) => log.push(call),
    hearAnswer: (one) => heard.push(one),
    now,
    wallTime: () => new Date(nowMs),
    random: () => random,
    sleep: async (ms) => {
      sleeps.push(ms);
      nowMs += ms;
    },
    wire: async (call) => {
      nowMs += attemptMs;
      calls.push(call);
      return answer(call, calls.length);
    },
  };
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { deps, calls, sleeps, log, heard, pausesMs: budget.pausesMs, advance };
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export const incoming = (status: number, body: unknown, headers: Record<string, string> = {}): Incoming => ({
  status,
  header: (name) => headers[name] ?? null,
  text: typeof body === "string" ? body : JSON.stringify(body),
});

/** The nth token given, counting from 1. */
export const granted = (nth: number, expiresInS: unknown = 3_600): Incoming =>
  incoming(201, { access_token: `token-${nth}`, token_type: "Bearer", expires_in: expiresInS });

export const secretOf = ({ headers }: Outgoing): string =>
  Buffer.from(headers["authorization"]?.replace("Basic ", "") ?? "", "base64")
    .toString("utf8")
    .replace(/^[^:]*:/, "");

type Give = (answer: Incoming) => void;

/** An answer that comes when the test gives it. */
export function later() {
  const gives: Give[] = [];
  const promise = new Promise<Incoming>((resolve) => {
    gives.push(resolve);
  });
  return { promise, give: (answer: Incoming) => gives.forEach((give) => give(answer)) };
}

/** A provider of tokens, a clock that advances on command, and as many processes as a test wants. */
export function tokenFixture(wire?: Wire) {
  const credentials: Credentials = { clientSecret: "secret-one" };
  // Between two milliseconds, like the real one.
  let nowMs = Date.parse("2026-03-10T12:00:00Z") + 0.25;
  const requests: Outgoing[] = [];
  const alarms: AbortController[] = [];
  const fixture = {
    requests,
    alarms,
    credentials,
    /** The provider's answer to the nth request. */
    answer: (_request: Outgoing, nth: number): Incoming | Promise<Incoming> => granted(nth),
    advance: (ms: number) => {
      nowMs += ms;
    },
    now: () => nowMs,
    /** One more process, whose clock may be wrong. */
    process: ({ skewMs = 0 }: { skewMs?: number } = {}): Tokens =>
      createTokens({
        tenant: { clientId: "aurora", baseUrl: "https://bank.example" },
        credentials: () => fixture.credentials,
        wire: async (request) => {
          requests.push(request);
          return wire === undefined ? fixture.answer(request, requests.length) : wire(request);
        },
        now: () => nowMs + skewMs,
        alarm: (ms) => {
          if (!Number.isInteger(ms)) throw new RangeError(`no alarm goes off after ${ms} ms`);
          const alarm = new AbortController();
          alarms.push(alarm);
          return alarm.signal;
        },
        random: () => 0,
      }),
  };
  return fixture;
}
