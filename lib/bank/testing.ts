import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { stringifyJson } from "@/lib/contract/json";
import type { ErrorKind } from "@/lib/result";
import type { Tx } from "@/lib/store/store";
import type { BankDoor } from "./client";
import { BankError, type BankErrorDetails, kindOf } from "./error";
import { createIntents, type IntentOutcome, type Intents } from "./intent";
import { type IntentEnd, intentKind } from "./intent-kind";
import type { IntentState } from "./intent-schema";
import { decideKyc, sendInternalTransfer } from "./operations";

export const CLIENT_SECRET = "a-secret-that-must-not-leak";

const TOKEN_PATH = "/v1/authentication/oauth/access-token";

export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(status === 204 ? null : stringifyJson(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** The nth token the scripted provider gives, counting from 1. */
export const tokenNumber = (n: number) => `token-${n}`;

export const bearerOf = (request: Request) => request.headers.get("authorization")?.replace("Bearer ", "");

type Script = {
  /** Answers every call but the token's; `nth` counts from 1. */
  answer: (request: Request, nth: number) => Response | Promise<Response>;
  token?: (nth: number) => Response | Promise<Response>;
  random?: number;
  /** How long an attempt takes on the door's clock. */
  attemptMs?: number;
};

/** A provider's door for faults that a well-behaved service cannot show: scripted answers and a clock that moves by sleeping. */
export function scriptedDoor({ answer, token, random = 0, attemptMs = 0 }: Script) {
  const tokenCalls: Request[] = [];
  const calls: Request[] = [];
  const sleeps: number[] = [];
  let nowMs = Date.parse("2026-03-10T12:00:00Z");
  const issue = () =>
    jsonAnswer(201, {
      access_token: tokenNumber(tokenCalls.length),
      token_type: "Bearer",
      expires_in: 3600,
      issued_at: new Date(nowMs).toISOString(),
      scope: "",
    });
  const door: BankDoor = {
    tenant: { baseUrl: "https://bank.example", clientId: "aurora", clientSecret: CLIENT_SECRET },
    now: () => nowMs,
    random: () => random,
    sleep: async (ms) => {
      sleeps.push(ms);
      nowMs += ms;
    },
    fetch: async (request) => {
      nowMs += attemptMs;
      if (new URL(request.url).pathname === TOKEN_PATH) {
        tokenCalls.push(request);
        return token?.(tokenCalls.length) ?? issue();
      }
      calls.push(request);
      return answer(request, calls.length);
    },
  };
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { door, calls, tokenCalls, sleeps, advance };
}

const Receipt = z.object({ transactionId: z.string() });
type Receipt = z.infer<typeof Receipt>;

export const CONFIRMED = { status: "CONFIRMED", data: { transactionId: "tx-1" } };
export const DONE: IntentOutcome<Receipt> = { state: "DONE", kept: { transactionId: "tx-1" } };

type Answer = () => unknown;

export const failing =
  (kind: ErrorKind, details: BankErrorDetails): Answer =>
  () =>
    Promise.reject(new BankError(kind, details));
export const lostAnswer = failing("unavailable", { mayHaveExecuted: true, code: "no-answer" });
export const refusal = (status: number) => failing(kindOf(status, undefined), { status });

const ORDER = { userId: "u", accountIdFrom: "a", accountIdTo: "b", amount: "10.50" };
const DECISION = { kycUUID: "1", decision: "APPROVED", reason: "confere" } as const;
const nothing = async () => {};

type Wishes = { intentId?: string; amount?: string; opened?: () => Promise<void>; prepare?: () => Promise<void> };

/**
 * A desk of intents whose provider answers what is planned, in order, then that it is confirmed. Its clock moves by
 * sleeping. `ends` are the states written, `sent` what left.
 */
export function scriptedIntents(actor: Actor) {
  const ends: IntentState[] = [];
  const sent: { body: unknown; idempotencyKey: string | undefined }[] = [];
  const sleeps: number[] = [];
  let nowMs = 0;
  const script: { answers: Answer[]; whenAsleep: () => Promise<unknown> } = { answers: [], whenAsleep: nothing };
  const ended = async (_tx: Tx, { intent }: IntentEnd<unknown>) => void ends.push(intent.state);
  const transferKind = intentKind({
    operation: sendInternalTransfer,
    isKeyed: true,
    busyCode: null,
    unconfirmedCode: "transfer-unconfirmed",
    kept: Receipt,
    keep: ({ status, data }) => (status === "CONFIRMED" ? { transactionId: data.transactionId } : null),
    ended,
  });
  const decisionKind = intentKind({
    operation: decideKyc,
    isKeyed: false,
    busyCode: "decision-in-flight",
    unconfirmedCode: "decision-unconfirmed",
    kept: z.null(),
    keep: () => null,
    ended,
  });
  const open = (): Intents =>
    createIntents({
      post: async (_actor, operation, { body, idempotencyKey }) => {
        sent.push({ body, idempotencyKey });
        return operation.answer.parse(await (script.answers.shift() ?? (() => CONFIRMED))());
      },
      now: () => nowMs,
      sleep: async (ms) => {
        sleeps.push(ms);
        nowMs += ms;
        await script.whenAsleep();
      },
      random: () => 0,
    });
  const ours = open();
  const transfer = ({ amount = ORDER.amount, ...wish }: Wishes = {}, intents = ours) =>
    intents.carryOut(transferKind, {
      actor,
      intentId: randomUUID(),
      object: "account:a",
      body: { ...ORDER, amount },
      opened: nothing,
      ...wish,
    });
  const decide = (wish: Wishes = {}) =>
    ours.carryOut(decisionKind, {
      actor,
      intentId: randomUUID(),
      object: "kyc:1",
      body: DECISION,
      opened: nothing,
      ...wish,
    });
  return { script, ends, sent, sleeps, transfer, decide, elsewhere: open };
}
