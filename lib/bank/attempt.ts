import type { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { readAnswer } from "./answer";
import type { BankDoor } from "./door";
import { BankError } from "./error";
import type { Lane } from "./lane";
import { type Outgoing, WireError } from "./wire";

const CONNECT_MS = 3_000;
const READ_FIRST_BYTE_MS = 10_000;
const WRITE_FIRST_BYTE_MS = 30_000;
const MAX_ANSWER_BYTES = 5 * 1024 * 1024;

/** One call of one caller: what is asked, for what, and until when its answer is waited for. */
export type Calling<Answer extends z.ZodType = z.ZodType> = {
  actor: Actor;
  operation: { method: Outgoing["method"]; path: string; answer: Answer; maxAnswerBytes?: number };
  url: URL;
  lane: Lane;
  requestId: string;
  deadlineMs: number;
  /** From then on its call is not worth sending any more: there would be too little time left for the answer. */
  leavesByMs: number;
  object: string | undefined;
  body?: string | undefined;
  idempotencyKey?: string | undefined;
};

/** What was answered, as it was received too, and from when: the moment before the request left. */
export type Answered<Answer> = { answer: Answer; text: string; asOf: Date; requestId: string };
/** With what the answer was parsed from, for those who asked the same meanwhile. */
export type Parsed<Answer> = Answered<Answer> & { json: unknown };

type Try = { token: string; attempt: number; waitedMs: number; startedAtMs: number; at: Date };

function outgoing(door: BankDoor, calling: Calling, token: string): Outgoing {
  const { operation, url, body, idempotencyKey, deadlineMs } = calling;
  const isWrite = operation.method !== "GET";
  const leftMs = Math.max(1, deadlineMs - door.now());
  return {
    method: operation.method,
    url,
    headers: {
      authorization: `Bearer ${token}`,
      "x-client-id": door.tenant.clientId,
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    ...(body !== undefined && { body }),
    // A kept connection may close just as the bytes leave, and then nobody knows whether the write was executed.
    isFresh: isWrite && idempotencyKey === undefined,
    limits: {
      connectMs: Math.min(CONNECT_MS, leftMs),
      firstByteMs: Math.min(isWrite ? WRITE_FIRST_BYTE_MS : READ_FIRST_BYTE_MS, leftMs),
      totalMs: leftMs,
      maxBytes: operation.maxAnswerBytes ?? MAX_ANSWER_BYTES,
    },
  };
}

function failureOf(cause: unknown, requestId: string): BankError {
  if (cause instanceof BankError) return cause;
  if (!(cause instanceof WireError)) throw cause;
  const { code, mayHaveExecuted } = cause;
  const kind = code === "answer-too-large" || code === "answer-not-readable" ? "malformed" : "unavailable";
  return new BankError(kind, { requestId, code, mayHaveExecuted, cause });
}

type Outcome = { status: number | null; error?: BankError; providerRequestId?: string | null };

function logTry(door: BankDoor, calling: Calling, tried: Try & Outcome): void {
  const { actor, operation, lane, requestId, object } = calling;
  const { status, error, attempt: nth, at } = tried;
  door.logCall({
    id: requestId,
    tenant: door.tenant.clientId,
    method: operation.method,
    path: operation.path,
    status,
    kind: error?.kind ?? "ok",
    code: error?.details.code ?? null,
    durationMs: door.now() - tried.startedAtMs,
    waitedMs: tried.waitedMs,
    lane,
    attempt: nth,
    actor: actor.id,
    object: object ?? null,
    providerRequestId: tried.providerRequestId ?? null,
    at,
  });
}

/** Over the wire and into the log; circuit and budget learn how it went. */
async function exchange<Answer extends z.ZodType>(
  door: BankDoor,
  calling: Calling<Answer>,
  tried: Try,
): Promise<Parsed<z.output<Answer>>> {
  const { operation, lane, requestId } = calling;
  const outcome: Outcome = { status: null };
  try {
    const incoming = await door.wire(outgoing(door, calling, tried.token));
    outcome.status = incoming.status;
    outcome.providerRequestId = incoming.header("x-request-id");
    const read = readAnswer(incoming, operation.answer, { requestId });
    door.circuit.note(lane, true);
    logTry(door, calling, { ...tried, ...outcome });
    return { ...read, asOf: tried.at, requestId };
  } catch (cause) {
    const error = failureOf(cause, requestId);
    door.circuit.note(lane, outcome.status !== null && outcome.status < 500);
    logTry(door, calling, { ...tried, ...outcome, error });
    if (outcome.status === 429) await door.budget.slowDown(error.details.retryAfterMs ?? null);
    throw error;
  }
}

const isRejectedToken = (error: unknown) => error instanceof BankError && error.details.status === 401;

/** One attempt, in its lane's turn and with a living token. One the provider rejects is renewed, and the call sent once more. */
export async function attempt<Answer extends z.ZodType>(
  door: BankDoor,
  calling: Calling<Answer>,
  nth: number,
): Promise<Parsed<z.output<Answer>>> {
  const once = async () => {
    door.circuit.enter(calling.lane);
    const askedAtMs = door.now();
    const token = await door.tokens.get(calling.deadlineMs);
    await door.budget.admit(calling.lane, calling.leavesByMs);
    const startedAtMs = door.now();
    const waitedMs = startedAtMs - askedAtMs;
    const tried = { token: token.value, attempt: nth, waitedMs, startedAtMs, at: door.wallTime() };
    return { token, exchanged: await Promise.allSettled([exchange(door, calling, tried)]) };
  };
  const first = await once();
  const [outcome] = first.exchanged;
  if (outcome.status === "fulfilled") return outcome.value;
  if (!isRejectedToken(outcome.reason)) throw outcome.reason;
  door.tokens.reject(first.token.generation);
  const second = await once();
  const [again] = second.exchanged;
  if (again.status === "fulfilled") return again.value;
  // This call is not sent a third time; the next one must not find the token that was refused just now.
  if (isRejectedToken(again.reason)) door.tokens.reject(second.token.generation);
  throw again.reason;
}
