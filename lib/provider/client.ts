import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { stringifyJson } from "@/lib/contract/json";
import { env, readCredentials, tenantOf } from "@/lib/settings/env";
import { SettingError } from "@/lib/settings/setting";
import type { Tenant } from "@/lib/settings/tenants-file";
import { db } from "@/lib/db/connection";
import { fillPath, type Query, urlOf } from "./address";
import { backoffMs, type Expected, readAnswer } from "./answer";
import { AppError } from "@/lib/errors/app-error";
import { type Allowance, ALLOWANCE_SPENT } from "./allowance";
import { type Budget, type BudgetUse, createBudget } from "./budget";
import type { Lane } from "@/lib/db/enums/provider";
import { isUnattended } from "@/lib/log/work";
import { type Call, logCall } from "./call-log";
import { type HeardAnswer, hearAnswer } from "./findings";
import { followSilence } from "@/lib/db/provider-silence";
import { type Circuit, createCircuit, type LaneState } from "./circuit";
import { type Read, revokeToken, type TokenQuestion, type Write } from "./operations";
import { createTokens, type Tokens } from "./token";
import { followCircuit } from "@/lib/metrics/follow";
import { noteTurnedAway } from "@/lib/metrics/note";
import { basicOf, type Credentials, logTokenRequests } from "./token-request";
import { type Outgoing, sendOverHttp, type Wire, WireError } from "./wire-http";

const CONNECT_MS = 3_000;
const READ_FIRST_BYTE_MS = 10_000;
const WRITE_FIRST_BYTE_MS = 30_000;
/** Less than the time between two probes. */
const PROBE_PATIENCE_MS = 2_500;
const MAX_ANSWER_BYTES = 5 * 1024 * 1024;

type Calling<Answer extends z.ZodType = z.ZodType> = {
  actor: Actor;
  operation: Expected<Answer> & {
    method: Outgoing["method"];
    path: string;
    documented?: z.ZodType | null;
    maxAnswerBytes?: number;
  };
  url: URL;
  lane: Lane;
  requestId: string;
  deadlineMs: number;
  /** Later there is too little time left for the answer. */
  leavesByMs: number;
  object: string | undefined;
  isPatient?: boolean;
  isFirst?: boolean;
  allowance?: Allowance | undefined;
  body?: string | undefined;
  idempotencyKey?: string | undefined;
  basic?: string;
};

/** `text` as received; `asOf`: right before the request left; the times are those of the last attempt. */
type Answered<Answer> = {
  answer: Answer;
  text: string;
  asOf: Date;
  requestId: string;
  waitedMs: number;
  durationMs: number;
};
type Parsed<Answer> = Answered<Answer> & { json: unknown };

type Try = { token: string; attempt: number; waitedMs: number; startedAtMs: number; at: Date };

function outgoing(deps: BankDeps, calling: Calling, token: string): Outgoing {
  const { operation, url, body, idempotencyKey, deadlineMs, basic } = calling;
  const isWrite = operation.method !== "GET";
  const leftMs = Math.max(1, deadlineMs - deps.now());
  return {
    method: operation.method,
    url,
    headers: {
      ...(basic === undefined
        ? { authorization: `Bearer ${token}`, "x-client-id": deps.tenant.clientId }
        : { authorization: basic, token }),
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    ...(body !== undefined && { body }),
    // A kept connection may close while the bytes leave, and then the write's outcome is unknown.
    isFresh: isWrite && idempotencyKey === undefined,
    limits: {
      connectMs: Math.min(CONNECT_MS, leftMs),
      firstByteMs: Math.min(isWrite ? WRITE_FIRST_BYTE_MS : READ_FIRST_BYTE_MS, leftMs),
      totalMs: leftMs,
      maxBytes: operation.maxAnswerBytes ?? MAX_ANSWER_BYTES,
    },
  };
}

const withoutEffect = ({ kind, details }: AppError) => new AppError(kind, { ...details, mayHaveExecuted: false });

function failureOf(cause: unknown, requestId: string): AppError {
  if (cause instanceof AppError) return cause;
  if (!(cause instanceof WireError)) throw cause;
  const { code, mayHaveExecuted } = cause;
  const kind = code === "answer-too-large" || code === "answer-not-readable" ? "malformed" : "unavailable";
  return new AppError(kind, { requestId, code, mayHaveExecuted, cause });
}

type TryResult = { status: number | null; error?: AppError; providerRequestId?: string | null };

function logTry(deps: BankDeps, calling: Calling, tried: Try & TryResult): void {
  const { actor, operation, lane, requestId, object } = calling;
  const { status, error, attempt: nth, at } = tried;
  deps.logCall({
    id: requestId,
    tenant: deps.tenant.clientId,
    method: operation.method,
    path: operation.path,
    status,
    kind: error?.kind ?? "ok",
    code: error?.details.code ?? null,
    durationMs: deps.now() - tried.startedAtMs,
    waitedMs: tried.waitedMs,
    lane,
    attempt: nth,
    actor: actor.id,
    object: object ?? null,
    providerRequestId: tried.providerRequestId ?? null,
    at,
  });
}

function hear(deps: BankDeps, { operation, basic }: Calling, json: unknown): void {
  if (basic !== undefined) return;
  const { method, path, documented = operation.answer } = operation;
  deps.hearAnswer({ tenant: deps.tenant.clientId, method, path, documented, json, at: deps.wallTime() });
}

async function exchange<Answer extends z.ZodType>(
  deps: BankDeps,
  calling: Calling<Answer>,
  tried: Try,
): Promise<Parsed<z.output<Answer>>> {
  const { operation, lane, requestId } = calling;
  const outcome: TryResult = { status: null };
  try {
    const incoming = await deps.wire(outgoing(deps, calling, tried.token));
    outcome.status = incoming.status;
    outcome.providerRequestId = incoming.header("x-request-id");
    const read = readAnswer(incoming, operation, { requestId }, (json) => hear(deps, calling, json));
    deps.circuit.note(lane, true);
    logTry(deps, calling, { ...tried, ...outcome });
    const times = { waitedMs: tried.waitedMs, durationMs: deps.now() - tried.startedAtMs };
    return { ...read, ...times, asOf: tried.at, requestId };
  } catch (cause) {
    const failure = failureOf(cause, requestId);
    const error = operation.method === "GET" ? withoutEffect(failure) : failure;
    deps.circuit.note(lane, outcome.status !== null && outcome.status < 500);
    logTry(deps, calling, { ...tried, ...outcome, error });
    if (outcome.status === 429) await deps.budget.slowDown(error.details.retryAfterMs ?? null);
    throw error;
  }
}

const isRejectedToken = (error: unknown) => error instanceof AppError && error.details.status === 401;

/** Throws `allowance-spent` without sending anything; what is not sent after all is given back. */
async function allowed<T>(allowance: Allowance | undefined, inTurn: () => Promise<T>): Promise<T> {
  if (allowance === undefined) return inTurn();
  if (!allowance.take()) throw new AppError("rate-limited", { code: ALLOWANCE_SPENT, mayHaveExecuted: false });
  return inTurn().catch((error: unknown) => {
    allowance.giveBack();
    throw error;
  });
}

function noteWithoutTurn({ tenant }: BankDeps, { lane }: Calling, error: unknown): void {
  if (!(error instanceof AppError)) return;
  noteTurnedAway({ tenant: tenant.clientId, lane, reason: error.details.code ?? error.kind });
}

/** The probe itself goes on; a page that waited for each one would take its whole deadline during a silence. */
function beforePatienceEnds<T>(deps: BankDeps, answered: Promise<T>): Promise<T> {
  const left = deps.sleep(PROBE_PATIENCE_MS).then(() => {
    throw new AppError("unavailable", {
      code: "circuit-open",
      retryAfterMs: PROBE_PATIENCE_MS,
      mayHaveExecuted: false,
    });
  });
  return Promise.race([answered, left]);
}

/** A token that the provider rejects is renewed, and the call resent once. */
async function attempt<Answer extends z.ZodType>(
  deps: BankDeps,
  calling: Calling<Answer>,
  nth: number,
): Promise<Parsed<z.output<Answer>>> {
  const takeTurn = async () => {
    const isDoubtful = await deps.circuit.enter(calling.lane);
    const isImpatient = isDoubtful && calling.lane === "people" && calling.operation.method === "GET";
    const askedAtMs = deps.now();
    const token = await deps.tokens.get(calling.deadlineMs);
    const { isPatient = false, isFirst = false, actor } = calling;
    const caller = actor.isWatch || isUnattended() ? { watch: actor.id } : { person: actor.id };
    await deps.budget.admit(calling.lane, calling.leavesByMs, { isPatient, isFirst, ...caller });
    const startedAtMs = deps.now();
    const waitedMs = startedAtMs - askedAtMs;
    const tried = { token: token.value, attempt: nth, waitedMs, startedAtMs, at: deps.wallTime() };
    const send = () => exchange(deps, calling, tried);
    return {
      generation: token.generation,
      send: isImpatient ? () => beforePatienceEnds(deps, send()) : send,
    };
  };
  const inTurn = () =>
    takeTurn().catch((error: unknown) => {
      noteWithoutTurn(deps, calling, error);
      throw error;
    });
  const first = await allowed(calling.allowance, inTurn);
  try {
    return await first.send();
  } catch (error) {
    if (!isRejectedToken(error)) throw error;
    deps.tokens.reject(first.generation);
  }
  const second = await allowed(calling.allowance, inTurn);
  try {
    return await second.send();
  } catch (error) {
    // Not sent a third time; the next call must not reuse the refused token.
    if (isRejectedToken(error)) deps.tokens.reject(second.generation);
    throw error;
  }
}

/** The provider's message about a token may quote it. */
function withoutToken(error: unknown, token: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { providerMessage, ...details } = error.details;
  const code = isRejectedToken(error) ? { code: "own-token-refused" } : {};
  const said = providerMessage === undefined ? {} : { providerMessage: providerMessage.replaceAll(token, "•••") };
  return new AppError(error.kind, { ...details, ...code, ...said });
}

const DEADLINE_MS: Readonly<Record<Lane, number>> = { money: 45_000, people: 20_000, watchers: 90_000 };
/** Time reserved for the answer, as a write without one has an unknown outcome. */
const ANSWER_MS: Readonly<Record<Lane, number>> = { money: 15_000, people: 3_000, watchers: 3_000 };

type ReadRequest = {
  params?: Record<string, string>;
  query?: Query;
  object?: string;
  /** A decision's read does not join an earlier one. */
  isFresh?: boolean;
  isPatient?: boolean;
  /** Limits the wait for a turn. Throws rate-limited `budget-spent`, at once when it is hopeless. */
  turnWithinMs?: number;
  /** A watch's first reading of an object goes before other patient calls. */
  isFirst?: boolean;
  /** Its attempts count there, and nobody else's read joins it. */
  allowance?: Allowance | undefined;
};
type WriteRequest<Body> = {
  body: Body;
  idempotencyKey?: string;
  object?: string;
  withinMs?: number;
  nth?: number;
};

export type Provider = {
  /** Up to four attempts on no answer, 429 and 5xx, within 20 s (watches 90 s). Identical reads in flight are one call. */
  get: <Answer extends z.ZodType>(
    actor: Actor,
    operation: Read<Answer>,
    given?: ReadRequest,
  ) => Promise<Answered<z.output<Answer>>>;
  /** Sent once; after a 401, which executes nothing, once more. See `details.mayHaveExecuted`. */
  post: <Body extends z.ZodType, Answer extends z.ZodType>(
    actor: Actor,
    operation: Write<Body, Answer>,
    given: WriteRequest<z.output<Body>>,
  ) => Promise<Answered<z.output<Answer>>>;
  /**
   * Asks about this process's token without returning it; null without a token. Sent once, in its turn. A revoked one
   * is discarded.
   */
  askOfToken: <Answer extends z.ZodType>(
    actor: Actor,
    operation: TokenQuestion<Answer>,
  ) => Promise<Answered<z.output<Answer>> | null>;
  standing: () => Promise<{ use: BudgetUse; lanes: Record<Lane, LaneState> }>;
};

/** An open circuit is not retried. */
function isTransient(error: unknown): error is AppError {
  if (!(error instanceof AppError) || error.details.code === "circuit-open" || isSpent(error)) return false;
  return error.kind === "unavailable" || error.kind === "rate-limited";
}

const isSpent = (error: unknown) => error instanceof AppError && error.details.code === ALLOWANCE_SPENT;

const MAX_ATTEMPTS = 4;

/** No attempt outlives the deadline. */
async function withRetries<Answer extends z.ZodType>(
  deps: BankDeps,
  calling: Calling<Answer>,
): Promise<Parsed<z.output<Answer>>> {
  let last: AppError | undefined;
  for (let tried = 0; ; tried += 1) {
    try {
      return await attempt(deps, calling, tried + 1);
    } catch (error) {
      if (last !== undefined && isSpent(error)) throw last;
      if (!isTransient(error)) throw error;
      last = error;
      const delayMs = Math.max(error.details.retryAfterMs ?? 0, backoffMs(tried, deps.random));
      if (tried + 1 >= MAX_ATTEMPTS || deps.now() + delayMs >= calling.leavesByMs) throw error;
      await deps.sleep(delayMs);
    }
  }
}

const REMEMBERED_MS = 10_000;
const UNKNOWN_WITHIN_MS = 60_000;
const MAX_UNKNOWN = 30;

type Unknown = { asked: string; person: string; atMs: number; error: AppError };

/** Not-found answers are reused for seconds, and limited per person and minute. */
function createUnknown(now: () => number) {
  let found: readonly Unknown[] = [];
  let forgottenMs = -Infinity;
  return {
    /** Throws the provider's recent not-found again; rate-limited `unknown-spent` beyond one person's limit. */
    refuse(person: string, asked: string, isFresh: boolean): void {
      found = found.filter(({ atMs }) => atMs + UNKNOWN_WITHIN_MS > now());
      const again = isFresh ? undefined : found.findLast((one) => one.asked === asked);
      if (again !== undefined && again.atMs + REMEMBERED_MS > now() && again.atMs > forgottenMs) throw again.error;
      const own = found.filter((one) => one.person === person);
      const [oldest] = own;
      if (oldest === undefined || new Set(own.map((one) => one.asked)).size < MAX_UNKNOWN) return;
      const retryAfterMs = oldest.atMs + UNKNOWN_WITHIN_MS - now();
      throw new AppError("rate-limited", { code: "unknown-spent", retryAfterMs, mayHaveExecuted: false });
    },
    note(person: string, asked: string, error: unknown): void {
      if (!(error instanceof AppError) || error.details.status !== 404) return;
      found = [...found, { asked, person, atMs: now(), error }];
    },
    forget(): void {
      forgottenMs = now();
    },
  };
}

type Within = { withinMs?: number | undefined; turnWithinMs?: number };

export function createBank(deps: BankDeps): Provider {
  const unknown = createUnknown(deps.now);
  const inFlight = new Map<string, Promise<Parsed<unknown>>>();
  function calling(actor: Actor, lane: Lane, { withinMs = Infinity, turnWithinMs = Infinity }: Within = {}) {
    const waitsMs = Math.min(withinMs, DEADLINE_MS[lane]);
    const deadlineMs = deps.now() + waitsMs;
    const leavesByMs = Math.min(deadlineMs - Math.min(ANSWER_MS[lane], waitsMs / 2), deps.now() + turnWithinMs);
    return { actor, lane, requestId: randomUUID(), deadlineMs, leavesByMs };
  }

  return {
    async get(
      actor,
      operation,
      {
        params,
        query,
        object,
        isFresh = false,
        isPatient = false,
        isFirst = false,
        turnWithinMs = Infinity,
        allowance,
      } = {},
    ) {
      const lane = actor.isWatch || isUnattended() ? "watchers" : "people";
      const url = urlOf(deps.tenant.baseUrl, fillPath(operation.path, params), query);
      const asked = `${lane} ${url.href}`;
      const running = inFlight.get(asked);
      if (running !== undefined && !isFresh) {
        const { json, ...answered } = await running;
        return { ...answered, answer: operation.answer.parse(json) };
      }
      if (!actor.isWatch) unknown.refuse(actor.id, asked, isFresh);
      const turn = calling(actor, lane, { turnWithinMs });
      const call = withRetries(deps, { ...turn, operation, url, object, isPatient, isFirst, allowance });
      if (allowance === undefined) inFlight.set(asked, call);
      const answered = () => inFlight.get(asked) === call && inFlight.delete(asked);
      call.then(answered, (error: unknown) => {
        answered();
        if (!actor.isWatch) unknown.note(actor.id, asked, error);
      });
      return call;
    },
    async post(actor, operation, { body, idempotencyKey, object, withinMs, nth = 1 }) {
      const sent = {
        url: urlOf(deps.tenant.baseUrl, operation.path),
        body: stringifyJson(z.encode(operation.body, body)),
      };
      const call = { ...calling(actor, "money", { withinMs }), ...sent, operation, object, idempotencyKey };
      return attempt(deps, call, nth).finally(() => unknown.forget());
    },
    async askOfToken(actor, operation) {
      const held = deps.tokens.held();
      if (held === null) return null;
      const { clientSecret, previousClientSecret } = deps.credentials();
      const url = urlOf(deps.tenant.baseUrl, operation.path);
      const call = { ...calling(actor, "people"), operation, url, object: undefined };
      const ask = async (secret: string, nth: number) => {
        await deps.circuit.enter(call.lane);
        const { waitedMs } = await deps.budget.admit(call.lane, call.leavesByMs, {
          isPatient: false,
          person: actor.id,
        });
        const tried = { token: held.value, attempt: nth, waitedMs, startedAtMs: deps.now(), at: deps.wallTime() };
        return exchange(deps, { ...call, basic: basicOf(deps.tenant.clientId, secret) }, tried);
      };
      const answered = await ask(clientSecret, 1)
        .catch((error: unknown) => {
          if (previousClientSecret === undefined || !isRejectedToken(error)) throw error;
          return ask(previousClientSecret, 2);
        })
        .catch((error: unknown) => {
          throw withoutToken(error, held.value);
        });
      if (operation.path === revokeToken.path) deps.tokens.discard(held.generation);
      return answered;
    },
    standing: async () => ({ use: await deps.budget.use(), lanes: deps.circuit.standing() }),
  };
}

declare global {
  var retaguardaBanks: Map<string, Provider> | undefined;
  var retaguardaBudgets: Map<string, Budget> | undefined;
}

const now = () => performance.now();
const wallTime = () => new Date();
const pause = async (ms: number): Promise<void> => {
  await sleep(ms);
};

function wakeIn(ms: number, wake: () => void): () => void {
  const timer = setTimeout(wake, ms);
  return () => clearTimeout(timer);
}

/** The provider counts calls by address: all tenants of one provider share a budget. */
function budgetOf({ baseUrl }: Tenant): Budget {
  const { origin } = new URL(baseUrl);
  const budgets = (globalThis.retaguardaBudgets ??= new Map<string, Budget>());
  const budget = budgets.get(origin) ?? createBudget({ store: db, origin, limit: env().callsPerMinute, now, wakeIn });
  budgets.set(origin, budget);
  return budget;
}

function followedCircuit(tenant: string): Circuit {
  const circuit = createCircuit({ now, date: () => new Date(), sleep: pause });
  followCircuit(tenant, () => circuit.standing());
  followSilence(tenant, () => {
    const { watchers } = circuit.standing();
    return watchers.isOpen ? watchers.silentSince : null;
  });
  return circuit;
}

function connect(tenant: Tenant): Provider {
  const credentials = () => readCredentials(tenant.clientId);
  return createBank({
    tenant,
    wire: sendOverHttp,
    credentials,
    tokens: createTokens({
      tenant,
      credentials,
      wire: logTokenRequests({ wire: sendOverHttp, tenant: tenant.clientId, logCall, now, wallTime }),
      now,
      alarm: (ms) => AbortSignal.timeout(ms),
      random: Math.random,
    }),
    budget: budgetOf(tenant),
    circuit: followedCircuit(tenant.clientId),
    logCall,
    hearAnswer,
    now,
    wallTime,
    sleep: pause,
    random: Math.random,
  });
}

/** One per process and tenant, though Next loads modules several times. */
function bankOf(clientId: string): Provider {
  const banks = (globalThis.retaguardaBanks ??= new Map<string, Provider>());
  const known = banks.get(clientId);
  if (known !== undefined) return known;
  const tenant = tenantOf(clientId);
  if (tenant === undefined) throw new SettingError(`${clientId} is the Client_ID of no tenant`);
  const connected = connect(tenant);
  banks.set(clientId, connected);
  return connected;
}

export const provider: Pick<Provider, "get" | "post" | "askOfToken"> = {
  get: (actor, operation, given) => bankOf(actor.tenant).get(actor, operation, given),
  post: (actor, operation, given) => bankOf(actor.tenant).post(actor, operation, given),
  askOfToken: (actor, operation) => bankOf(actor.tenant).askOfToken(actor, operation),
};

export const standing = (clientId: string): ReturnType<Provider["standing"]> => bankOf(clientId).standing();

export type BankDeps = {
  tenant: Pick<Tenant, "baseUrl" | "clientId">;
  wire: Wire;
  tokens: Tokens;
  credentials: () => Credentials;
  budget: Budget;
  circuit: Circuit;
  logCall: (call: Call) => void;
  hearAnswer: (answer: HeardAnswer) => void;
  /** Milliseconds, monotonic. */
  now: () => number;
  wallTime: () => Date;
  sleep: (ms: number) => Promise<void>;
  random: () => number;
};
