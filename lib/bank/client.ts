import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { Token } from "@/lib/contract/auth";
import { stringifyJson } from "@/lib/contract/json";
import { log } from "@/lib/log";
import type { Credentials, Tenant } from "@/lib/tenants-file";
import { readAnswer } from "./answer";
import { BankError, type BankErrorDetails } from "./error";
import type { Read, Write } from "./operations";
import { createTokenCache, type FreshToken, type TokenCache } from "./token-cache";

const ATTEMPT_TIMEOUT_MS = 10_000;
const READ_DEADLINE_MS = 20_000;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
const JITTER = 0.25;

export type BankDoor = {
  tenant: Pick<Tenant, "baseUrl" | "clientId"> & Credentials;
  fetch: (request: Request) => Promise<Response>;
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  /** In [0, 1). */
  random: () => number;
};

type TokenDoor = Pick<BankDoor, "tenant" | "fetch">;
type Query = Record<string, string | number | boolean | undefined>;
type Sent = { method: string; path: string; query?: Query; body?: string; timeoutMs: number };

export type Bank = {
  /** A read: tried again on 429 and 5xx within 20 s, renewing the token once on 401. */
  get: <Answer extends z.ZodType>(
    actor: Actor,
    operation: Read<Answer>,
    given?: { params?: Record<string, string>; query?: Query },
  ) => Promise<z.output<Answer>>;
  /** A write without an Idempotency-Key: sent once; after 401, which executes nothing, once more. */
  post: <Body extends z.ZodType, Answer extends z.ZodType>(
    actor: Actor,
    operation: Write<Body, Answer>,
    body: z.output<Body>,
  ) => Promise<z.output<Answer>>;
};

/** Waiting time before attempt `attempt` + 1: 1 s doubling, up to a quarter more by chance, never over 30 s. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** attempt * (1 + JITTER * random()), LONGEST_DELAY_MS);
}

function isTransient(error: unknown): error is BankError {
  return error instanceof BankError && (error.kind === "unavailable" || error.kind === "rate-limited");
}

function urlOf(baseUrl: string, { path, query = {} }: Sent): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** One attempt: bounded in time, never following a redirect (the bearer would go with it). */
async function exchange(door: TokenDoor, request: Request, known: BankErrorDetails): Promise<Response> {
  try {
    const response = await door.fetch(request);
    if (response.status >= 300 && response.status < 400) {
      throw new BankError("malformed", { ...known, status: response.status, code: "answer-redirects" });
    }
    return response;
  } catch (cause) {
    if (cause instanceof BankError) throw cause;
    throw new BankError("unavailable", { code: "no-answer", ...known, cause });
  }
}

/** A new access token for the tenant's credentials (interface: Authentication); throws `BankError` when there is none. */
export async function fetchToken(door: TokenDoor): Promise<FreshToken> {
  const { baseUrl, clientId, clientSecret } = door.tenant;
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const request = new Request(`${baseUrl}/v1/authentication/oauth/access-token`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}`, "content-type": "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
  });
  const known = { code: "token-refused", mayHaveExecuted: false };
  const token = await readAnswer(await exchange(door, request, known), Token, known);
  return { value: token.access_token, lifetimeMs: token.expires_in * 1000 };
}

async function send<Answer extends z.ZodType>(
  context: { door: BankDoor; tokens: TokenCache; answer: Answer },
  sent: Sent,
): Promise<z.output<Answer>> {
  const { door, tokens, answer } = context;
  const requestId = randomUUID();
  const startedAt = door.now();
  for (const isLastTry of [false, true]) {
    const token = await tokens.get();
    const request = new Request(urlOf(door.tenant.baseUrl, sent), {
      method: sent.method,
      headers: {
        authorization: `Bearer ${token}`,
        "x-client-id": door.tenant.clientId,
        ...(sent.body !== undefined && { "content-type": "application/json" }),
      },
      ...(sent.body !== undefined && { body: sent.body }),
      redirect: "manual",
      signal: AbortSignal.timeout(sent.timeoutMs),
    });
    const response = await exchange(door, request, { requestId, mayHaveExecuted: true });
    log.debug({ method: sent.method, status: response.status, ms: door.now() - startedAt, requestId }, "bank call");
    if (response.status === 401 && !isLastTry) {
      tokens.reject(token);
      continue;
    }
    return await readAnswer(response, answer, { requestId });
  }
  throw new BankError("forbidden", { requestId });
}

/** Tries again what may pass; no attempt outlives the deadline. */
async function getWithRetries<T>(door: BankDoor, once: (timeoutMs: number) => Promise<T>): Promise<T> {
  const deadline = door.now() + READ_DEADLINE_MS;
  for (let tried = 0; ; tried += 1) {
    try {
      return await once(Math.min(ATTEMPT_TIMEOUT_MS, deadline - door.now()));
    } catch (error) {
      if (!isTransient(error)) throw error;
      const delayMs = Math.max(error.details.retryAfterMs ?? 0, backoffMs(tried, door.random));
      if (door.now() + delayMs >= deadline) throw error;
      await door.sleep(delayMs);
    }
  }
}

/** The client of one tenant's provider. */
export function createBank(door: BankDoor): Bank {
  const tokens = createTokenCache(() => fetchToken(door), door.now);
  return {
    get: (_actor, operation, { params, query } = {}) =>
      getWithRetries(door, (timeoutMs) =>
        send(
          { door, tokens, answer: operation.answer },
          {
            method: operation.method,
            path: fillPath(operation.path, params),
            timeoutMs,
            ...(query !== undefined && { query }),
          },
        ),
      ),
    post: (_actor, operation, body) =>
      send(
        { door, tokens, answer: operation.answer },
        {
          method: operation.method,
          path: operation.path,
          timeoutMs: ATTEMPT_TIMEOUT_MS,
          body: stringifyJson(z.encode(operation.body, body)),
        },
      ),
  };
}
