import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { stringifyJson } from "@/lib/contract/json";
import { type Answered, attempt, type Calling, type Parsed } from "./attempt";
import { backoffMs } from "./backoff";
import type { BudgetUse } from "./budget";
import type { LaneStanding } from "./circuit";
import type { BankDoor } from "./door";
import { BankError } from "./error";
import type { Lane } from "./lane";
import type { Read, Write } from "./operations";

/** How long a caller waits for its answer in all: for its turn, and for every attempt. */
const DEADLINE_MS: Readonly<Record<Lane, number>> = { money: 45_000, people: 20_000, watchers: 90_000 };
/** How much of that is left for the answer at least, unless all is too short: of a write that got none, nothing is known. */
const ANSWER_MS: Readonly<Record<Lane, number>> = { money: 15_000, people: 3_000, watchers: 3_000 };

type Query = Record<string, string | number | boolean | undefined>;
export type ReadGiven = {
  params?: Record<string, string>;
  query?: Query;
  /** What it is asked for, as the call log shows it: `account:<ref>`. */
  object?: string;
  /** Not joined to a read that began earlier: for what is decided upon it. */
  isFresh?: boolean;
};
export type WriteGiven<Body> = {
  body: Body;
  idempotencyKey?: string;
  object?: string;
  /** How long its caller waits at most; never longer than any call of money may take. */
  withinMs?: number;
  /** Which attempt at the same it is, counting from 1, as the call log shows it. */
  nth?: number;
};

export type Bank = {
  /**
   * A read: tried again up to three times, on no answer, 429 and 5xx, within 20 s (a watch: 90 s), renewing the token once on 401. Identical
   * reads in flight are one call.
   */
  get: <Answer extends z.ZodType>(
    actor: Actor,
    operation: Read<Answer>,
    given?: ReadGiven,
  ) => Promise<Answered<z.output<Answer>>>;
  /** A write, sent once; after 401, which executes nothing, once more. `details.mayHaveExecuted` tells what a failure leaves open. */
  post: <Body extends z.ZodType, Answer extends z.ZodType>(
    actor: Actor,
    operation: Write<Body, Answer>,
    given: WriteGiven<z.output<Body>>,
  ) => Promise<Answered<z.output<Answer>>>;
  /** How the last minute used the provider's limit, and which lanes the provider does not answer. */
  standing: () => Promise<{ use: BudgetUse; lanes: Record<Lane, LaneStanding> }>;
};

/** What may pass within a deadline. An open circuit is not waited for: it stands for calls that failed just now. */
function isTransient(error: unknown): error is BankError {
  if (!(error instanceof BankError) || error.details.code === "circuit-open") return false;
  return error.kind === "unavailable" || error.kind === "rate-limited";
}

function urlOf(baseUrl: string, path: string, query: Query = {}): URL {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
  return url;
}

function fillPath(path: string, params: Record<string, string> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** What one read may cost of the provider's limit. */
const MOST_ATTEMPTS = 4;

/** Tries again what may pass; no attempt outlives the deadline. */
async function withRetries<Answer extends z.ZodType>(
  door: BankDoor,
  calling: Calling<Answer>,
): Promise<Parsed<z.output<Answer>>> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(door, calling, tried + 1);
    } catch (error) {
      if (!isTransient(error)) throw error;
      const delayMs = Math.max(error.details.retryAfterMs ?? 0, backoffMs(tried, door.random));
      if (tried + 1 >= MOST_ATTEMPTS || door.now() + delayMs >= calling.leavesByMs) throw error;
      await door.sleep(delayMs);
    }
  }
}

/** The client of one tenant's provider. */
export function createBank(door: BankDoor): Bank {
  const inFlight = new Map<string, Promise<Parsed<unknown>>>();
  function calling(actor: Actor, lane: Lane, withinMs = DEADLINE_MS[lane]) {
    const waitsMs = Math.min(withinMs, DEADLINE_MS[lane]);
    const deadlineMs = door.now() + waitsMs;
    const leavesByMs = deadlineMs - Math.min(ANSWER_MS[lane], waitsMs / 2);
    return { actor, lane, requestId: randomUUID(), deadlineMs, leavesByMs };
  }

  return {
    async get(actor, operation, { params, query, object, isFresh = false } = {}) {
      const lane = actor.isWatch ? "watchers" : "people";
      const url = urlOf(door.tenant.baseUrl, fillPath(operation.path, params), query);
      const asked = `${lane} ${url.href}`;
      const running = inFlight.get(asked);
      if (running !== undefined && !isFresh) {
        const { json, text, asOf, requestId } = await running;
        return { answer: operation.answer.parse(json), text, asOf, requestId };
      }
      const call = withRetries(door, { ...calling(actor, lane), operation, url, object });
      const answered = () => inFlight.delete(asked);
      inFlight.set(asked, call);
      call.then(answered, answered);
      return call;
    },
    post(actor, operation, { body, idempotencyKey, object, withinMs, nth = 1 }) {
      const sent = {
        url: urlOf(door.tenant.baseUrl, operation.path),
        body: stringifyJson(z.encode(operation.body, body)),
      };
      return attempt(door, { ...calling(actor, "money", withinMs), ...sent, operation, object, idempotencyKey }, nth);
    },
    standing: async () => ({ use: await door.budget.use(), lanes: door.circuit.standing() }),
  };
}
