import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Token } from "@/lib/contract/auth";
import { parseJson } from "@/lib/contract/json";
import type { Victim } from "./victim";

export const controlToken = randomBytes(24).toString("hex");

/** A tenant of the storm. */
export type Tenant = { clientId: string; clientSecret: string };

export type Question = { method: "GET" | "POST"; path: string; body?: string; key?: string; cutAfterMs?: number };
/** `asked`: how often it took; more than once after a cut connection. */
export type Answer = { status: number; text: string; asked: number };

/** Asks the service as one tenant, and steers it. */
export type Desk = {
  tenant: Tenant;
  /** Asks the same until it is answered, however often the connection is cut; `cutAfterMs` cuts the first time itself. */
  ask: (question: Question) => Promise<Answer>;
  control: (question: Question) => Promise<Answer>;
};

const AGAIN_MS = 5;
const HANGS_AFTER_MS = 30_000;
const GIVES_UP_AFTER_MS = 120_000;

async function send(url: string, question: Question, wish: { headers: Record<string, string>; limitMs: number }) {
  const { method, body, key } = question;
  const response = await fetch(url, {
    method,
    headers: {
      ...wish.headers,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(wish.limitMs),
  });
  return { status: response.status, text: await response.text() };
}

async function insist(victim: Victim, question: Question, headers: Record<string, string>): Promise<Answer> {
  const lateAtMs = performance.now() + GIVES_UP_AFTER_MS;
  for (let asked = 1; !victim.isGone() && performance.now() < lateAtMs; asked += 1) {
    await victim.up().catch(() => pause(AGAIN_MS));
    const limitMs = asked === 1 ? (question.cutAfterMs ?? HANGS_AFTER_MS) : HANGS_AFTER_MS;
    try {
      return { ...(await send(victim.origin + question.path, question, { headers, limitMs })), asked };
    } catch {
      await pause(AGAIN_MS);
    }
  }
  throw new Error(`${question.method} ${question.path} was never answered`);
}

async function signIn(victim: Victim, { clientId, clientSecret }: Tenant): Promise<Record<string, string>> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  const question: Question = { method: "POST", path: "/v1/authentication/oauth/access-token" };
  const { text } = await insist(victim, question, { Authorization: `Basic ${basic}` });
  const { access_token: token } = Token.parse(JSON.parse(text));
  return { Authorization: `Bearer ${token}`, "x-client-id": clientId };
}

/** Signs in once: a token outlives every kill. */
export async function openDesk(victim: Victim, tenant: Tenant): Promise<Desk> {
  const headers = await signIn(victim, tenant);
  return {
    tenant,
    ask: (question) => insist(victim, question, headers),
    control: (question) => insist(victim, question, { Authorization: `Bearer ${controlToken}` }),
  };
}

/** The body of an answer that must be a success, its numbers kept exactly. */
export function bodyOf({ status, text }: Answer): unknown {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return parseJson(text);
}
