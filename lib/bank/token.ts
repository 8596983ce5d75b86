import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { parseJson } from "@/lib/contract/json";
import type { ErrorKind } from "@/lib/errors/result";
import { log } from "@/lib/process/log";
import { withoutParameters } from "@/lib/store/error";
import { releaseLease, takeLease } from "@/lib/store/lease";
import { lookupHash, seal, unseal, unsealedOrNull } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import { backoffMs, BankError, kindOf, retryAfterMs } from "./answer";
import type { Call } from "./call-log";
import { bankToken } from "./schema";
import type { Incoming, Outgoing, Wire } from "./wire-http";

export const TOKEN_PATH = "/v1/authentication/oauth/access-token";

/** `previousClientSecret`: while the provider may not know the new one yet. */
export type Credentials = { clientSecret: string; previousClientSecret?: string };

type Client = { clientId: string; baseUrl: string };

type Granted = { value: string; lifetimeMs: number };

type Asking = { client: Client; credentials: Credentials; wire: Wire };

/** Two of them fit into the time that others wait for the one who asks. */
const LIMITS = { connectMs: 3_000, firstByteMs: 7_000, totalMs: 7_000, maxBytes: 64 * 1024 };
/** A lifetime shorter than a call cannot be meant: a minute stands in for it. */
const SHORTEST_LIFETIME_S = 5;
const ASSUMED_LIFETIME_S = 60;
const LONGEST_LIFETIME_S = 24 * 3_600;

const Seconds = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d{1,9}$/)
    .transform(Number),
]);

const SENDABLE = /^[\u0021-\u007e]+$/;

/** A token without the rest of the interface's fields serves as well. */
const Grant = z
  .object({ access_token: z.string().regex(SENDABLE), expires_in: Seconds })
  .transform(({ access_token: value, expires_in: seconds }): Granted => {
    const lifetimeS = seconds < SHORTEST_LIFETIME_S ? ASSUMED_LIFETIME_S : Math.min(seconds, LONGEST_LIFETIME_S);
    return { value, lifetimeMs: lifetimeS * 1_000 };
  });

const hashOf = ({ clientId, baseUrl }: Client, credentials: Credentials): string =>
  lookupHash(JSON.stringify([baseUrl, clientId, credentials.clientSecret, credentials.previousClientSecret ?? null]));

/** The interface says 4xx only: these are what OAuth servers use. */
const REFUSALS: readonly (number | null)[] = [400, 401, 403];

const CODES = {
  forbidden: "token-refused",
  restricted: "token-unavailable",
  "rate-limited": "token-unavailable",
  unavailable: "token-unavailable",
  malformed: "token-not-readable",
} as const;

/** Never not-found: a missing token endpoint is no missing record. */
function kindOfRefusal(status: number): keyof typeof CODES {
  if (REFUSALS.includes(status)) return "forbidden";
  if (status === 402) return "restricted";
  if (status === 429) return "rate-limited";
  return status >= 500 ? "unavailable" : "malformed";
}

function tokenError({ status, header }: Incoming): BankError {
  const kind = kindOfRefusal(status);
  const waitMs = retryAfterMs(header("retry-after"), Date.now());
  const details = { status, code: CODES[kind], mayHaveExecuted: false };
  return new BankError(kind, { ...details, ...(waitMs !== null && { retryAfterMs: waitMs }) });
}

function readGrant({ status, text }: Incoming): Granted {
  try {
    return Grant.parse(parseJson(text));
  } catch {
    // Without its cause, which may quote the token.
    throw new BankError("malformed", { status, code: "token-not-readable", mayHaveExecuted: false });
  }
}

export const basicOf = (clientId: string, clientSecret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

async function askWith({ client, wire }: Asking, clientSecret: string): Promise<Granted> {
  const asked: Outgoing = {
    method: "POST",
    url: new URL(client.baseUrl + TOKEN_PATH),
    headers: {
      authorization: basicOf(client.clientId, clientSecret),
      "content-type": "application/json",
      accept: "application/json",
    },
    limits: LIMITS,
    isFresh: true,
  };
  let answer: Incoming;
  try {
    answer = await wire(asked);
  } catch (cause) {
    throw new BankError("unavailable", { code: "token-unavailable", mayHaveExecuted: false, cause });
  }
  const { status } = answer;
  if (status < 200 || status >= 300 || status === 202) throw tokenError(answer);
  return readGrant(answer);
}

const isRefusal = (error: unknown) => error instanceof BankError && error.details.code === "token-refused";

/** interface: POST /v1/authentication/oauth/access-token. Throws `BankError` `token-refused`, `-unavailable`, `-not-readable`. */
export async function requestToken(asking: Asking): Promise<Granted> {
  const { clientSecret, previousClientSecret } = asking.credentials;
  try {
    return await askWith(asking, clientSecret);
  } catch (error) {
    if (previousClientSecret === undefined || !isRefusal(error)) throw error;
    return askWith(asking, previousClientSecret);
  }
}

type TokenLogDeps = {
  wire: Wire;
  tenant: string;
  logCall: (call: Call) => void;
  now: () => number;
  wallTime: () => Date;
};

const ACTOR = "watch:token";

export function logTokenRequests({ wire, tenant, logCall, now, wallTime }: TokenLogDeps): Wire {
  return async (outgoing) => {
    const [startedAtMs, at] = [now(), wallTime()];
    const sent = wire(outgoing);
    const status = await sent.then(
      (answer) => answer.status,
      () => null,
    );
    const isOk = status !== null && status >= 200 && status < 300;
    logCall({
      id: randomUUID(),
      tenant,
      method: outgoing.method,
      path: TOKEN_PATH,
      status,
      kind: isOk ? "ok" : status === null ? "unavailable" : kindOf(status, undefined),
      code: isOk ? null : REFUSALS.includes(status) ? "token-refused" : "token-unavailable",
      durationMs: now() - startedAtMs,
      waitedMs: 0,
      lane: "watchers",
      attempt: 1,
      actor: ACTOR,
      object: null,
      providerRequestId: null,
      at,
    });
    return sent;
  };
}

/** `now`: the store's clock, shared by all processes. */
type TokenTarget = { db: Db; tenant: string; baseUrl: string; now: () => SQL };

/** By remaining time, for any process's clock. */
type StoredToken = { value: string; ageMs: number; renewInMs: number; lifeMs: number; isReplacement: boolean };

type StoredFailure = {
  times: number;
  kind: ErrorKind;
  code: string;
  credentials: string;
  retryInMs: number;
};

type TokenRow = { generation: number; token: StoredToken | null; failure: StoredFailure | null };

const after = (target: TokenTarget, ms: number) => sql`${target.now()} + ${ms} * interval '1 millisecond'`;

const inMs = (interval: SQL) =>
  sql<number>`coalesce(extract(epoch from ${interval}) * 1000, 0)::float8`.mapWith(Number);

const isHere = ({ tenant, baseUrl }: TokenTarget) => and(eq(bankToken.tenant, tenant), eq(bankToken.baseUrl, baseUrl));

const sealedAt = ({ tenant, baseUrl }: TokenTarget) =>
  ({ column: "bank_token.token", row: [tenant, baseUrl] }) as const;

const opened = (target: TokenTarget, sealed: string | null): string | null =>
  sealed === null ? null : unsealedOrNull(() => unseal(sealed, sealedAt(target)));

async function readToken(target: TokenTarget): Promise<TokenRow> {
  const now = target.now();
  const [row] = await target.db
    .select({
      generation: bankToken.generation,
      sealed: bankToken.token,
      ageMs: inMs(sql`${now} - ${bankToken.issuedAt}`),
      renewInMs: inMs(sql`${bankToken.renewAt} - ${now}`),
      lifeMs: inMs(sql`${bankToken.expiresAt} - ${now}`),
      isReplacement: bankToken.isReplacement,
      times: bankToken.failures,
      kind: bankToken.failureKind,
      code: bankToken.failureCode,
      credentials: bankToken.failedWith,
      retryInMs: inMs(sql`${bankToken.retryAt} - ${now}`),
    })
    .from(bankToken)
    .where(isHere(target));
  if (row === undefined) return { generation: 0, token: null, failure: null };
  const { generation, sealed, ageMs, renewInMs, lifeMs, isReplacement, times, kind, code, credentials, retryInMs } =
    row;
  const value = opened(target, sealed);
  return {
    generation,
    token: value === null ? null : { value, ageMs, renewInMs, lifeMs, isReplacement },
    failure:
      kind === null || code === null || credentials === null ? null : { times, kind, code, credentials, retryInMs },
  };
}

async function discardToken(target: TokenTarget, generation: number): Promise<void> {
  await target.db
    .update(bankToken)
    .set({ token: null })
    .where(and(isHere(target), eq(bankToken.generation, generation)));
}

type Renewed = { replaces: number; generation: number; token: StoredToken };

async function saveToken(target: TokenTarget, { replaces, generation, token }: Renewed): Promise<boolean> {
  const { tenant, baseUrl } = target;
  const values = {
    generation,
    token: seal(token.value, sealedAt(target)),
    issuedAt: after(target, -token.ageMs),
    renewAt: after(target, token.renewInMs),
    expiresAt: after(target, token.lifeMs),
    isReplacement: token.isReplacement,
    failures: 0,
    failureKind: null,
    failureCode: null,
    failedWith: null,
    retryAt: null,
  };
  const saved = await target.db
    .insert(bankToken)
    .values({ tenant, baseUrl, ...values })
    .onConflictDoUpdate({
      target: [bankToken.tenant, bankToken.baseUrl],
      set: values,
      setWhere: eq(bankToken.generation, replaces),
    })
    .returning({ generation: bankToken.generation });
  return saved.length > 0;
}

async function saveFailure(target: TokenTarget, failure: StoredFailure): Promise<void> {
  const { tenant, baseUrl } = target;
  const set = {
    failures: failure.times,
    failureKind: failure.kind,
    failureCode: failure.code,
    failedWith: failure.credentials,
    retryAt: after(target, failure.retryInMs),
  };
  await target.db
    .insert(bankToken)
    .values({ tenant, baseUrl, generation: 0, ...set })
    .onConflictDoUpdate({ target: [bankToken.tenant, bankToken.baseUrl], set });
}

const RENEWAL_MARGIN_MS = 5 * 60_000;
/** With less it might expire on its way. */
const LEAST_LIFE_MS = 1_000;
const LEASE_MS = 15_000;
const LONGEST_WAIT_MS = 30_000;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 320;
/** A provider that refuses every token must not be asked at every call. */
const TRUSTED_REPLACEMENT_MS = 10_000;
const IN_A_ROW_MS = 60_000;

type TokenDeps = {
  tenant: Client;
  credentials: () => Credentials;
  wire: Wire;
  db: () => Promise<Db>;
  /** Milliseconds, monotonic. */
  now: () => number;
  storeNow: () => SQL;
  sleep: (ms: number) => Promise<void>;
  alarm: (ms: number) => AbortSignal;
  random: () => number;
};

type CachedToken = {
  value: string;
  generation: number;
  replacedAtMs: number | null;
  trustedUntilMs: number;
  renewAtMs: number;
  expiresAtMs: number;
};

type Memory = {
  holder: string;
  cached?: CachedToken;
  deadUpTo: number;
  failed?: { credentials: string; untilMs: number };
};

const notInTime = () => new BankError("unavailable", { code: "token-not-in-time", mayHaveExecuted: false });

function asError({ kind, code, retryInMs }: StoredFailure): BankError {
  return new BankError(kind, { code, mayHaveExecuted: false, retryAfterMs: Math.ceil(retryInMs) });
}

type Renewal = { deps: TokenDeps; memory: Memory; target: TokenTarget };

function living({ cached, deadUpTo }: Memory, nowMs: number): CachedToken | undefined {
  const isAlive = cached !== undefined && cached.generation > deadUpTo && nowMs + LEAST_LIFE_MS <= cached.expiresAtMs;
  return isAlive ? cached : undefined;
}

function hold(memory: Memory, { generation, token }: { generation: number; token: StoredToken }, nowMs: number): void {
  const before = memory.cached;
  const isNews = generation > memory.deadUpTo && generation >= (before?.generation ?? 0);
  if (!isNews) return;
  const replacedAtMs = token.isReplacement ? nowMs - token.ageMs : null;
  const isSame = before?.generation === generation;
  const isInARow = before !== undefined && before.replacedAtMs !== null && nowMs < before.replacedAtMs + IN_A_ROW_MS;
  const trustedUntilMs = replacedAtMs !== null && isInARow ? replacedAtMs + TRUSTED_REPLACEMENT_MS : nowMs;
  memory.cached = {
    value: token.value,
    generation,
    replacedAtMs,
    trustedUntilMs: isSame ? before.trustedUntilMs : trustedUntilMs,
    renewAtMs: nowMs + token.renewInMs,
    expiresAtMs: nowMs + token.lifeMs,
  };
}

async function readRow({ deps, memory, target }: Renewal): Promise<TokenRow> {
  // Before the answer travels: a token may count as older than it is, never as younger.
  const nowMs = deps.now();
  const row = await readToken(target);
  if (row.token !== null) hold(memory, { generation: row.generation, token: row.token }, nowMs);
  return row;
}

/** Other credentials than those that failed are tried at once. */
function standingFailure({ deps, memory }: Renewal, { failure }: TokenRow): StoredFailure | null {
  if (failure === null || failure.retryInMs <= 0) return null;
  const credentials = hashOf(deps.tenant, deps.credentials());
  const failedHere = memory.failed?.credentials === credentials && deps.now() < memory.failed.untilMs;
  return failedHere || failure.credentials === credentials ? failure : null;
}

function rest(cached: CachedToken, untilMs: number): void {
  cached.renewAtMs = Math.max(cached.renewAtMs, untilMs);
}

type Attempt = { before: TokenRow; credentials: Credentials };

async function noteFailure({ deps, memory, target }: Renewal, error: BankError, attempt: Attempt): Promise<void> {
  const { kind, details } = error;
  const times = (attempt.before.failure?.times ?? 0) + 1;
  const retryInMs = Math.max(backoffMs(times - 1, deps.random), details.retryAfterMs ?? 0);
  const credentials = hashOf(deps.tenant, attempt.credentials);
  const untilMs = deps.now() + retryInMs;
  memory.failed = { credentials, untilMs };
  if (memory.cached !== undefined) rest(memory.cached, untilMs);
  await saveFailure(target, { times, kind, code: details.code ?? "token-unavailable", credentials, retryInMs });
  const { clientId: tenant } = deps.tenant;
  log.warn(
    { tenant, kind, code: details.code, status: details.status, times, retryInMs: Math.round(retryInMs) },
    "no access token",
  );
}

async function ask(renewal: Renewal, before: TokenRow): Promise<void> {
  const { deps, memory, target } = renewal;
  const isReplacement = before.generation > 0 && before.generation <= memory.deadUpTo;
  if (isReplacement) await discardToken(target, before.generation);
  const credentials = deps.credentials();
  // Counted from before the request, so it ends before the provider's.
  const askedAtMs = deps.now();
  let granted: Granted;
  try {
    granted = await requestToken({ client: deps.tenant, credentials, wire: deps.wire });
  } catch (error) {
    if (error instanceof BankError) await noteFailure(renewal, error, { before, credentials });
    throw error;
  }
  const { value, lifetimeMs } = granted;
  const nowMs = deps.now();
  const ageMs = nowMs - askedAtMs;
  const lifeMs = lifetimeMs - ageMs;
  // A token shorter than the margin is renewed half-way, not at every call.
  const renewInMs = lifeMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2);
  const generation = Math.max(before.generation, memory.deadUpTo, memory.cached?.generation ?? 0) + 1;
  const token = { value, ageMs, renewInMs, lifeMs, isReplacement };
  if (await saveToken(target, { replaces: before.generation, generation, token })) {
    hold(memory, { generation, token }, nowMs);
    log.info({ tenant: deps.tenant.clientId, generation, lifeMs: Math.round(lifeMs) }, "access token renewed");
  }
}

/** Takes another process's token, respects a recent failure, or asks when it gets the lease. False: another is asking. */
async function step(renewal: Renewal, isLeader: boolean): Promise<boolean> {
  const { deps, memory, target } = renewal;
  const row = await readRow(renewal);
  const cached = living(memory, deps.now());
  if (cached !== undefined && deps.now() < cached.renewAtMs) return true;
  const failure = standingFailure(renewal, row);
  if (failure !== null) {
    if (cached === undefined) throw asError(failure);
    rest(cached, deps.now() + failure.retryInMs);
    return true;
  }
  if (isLeader) {
    await ask(renewal, row);
    return true;
  }
  const name = `token:${target.tenant}:${target.baseUrl}`;
  if (!(await takeLease(target.db, { name, ttlMs: LEASE_MS, holder: memory.holder }))) return false;
  try {
    // Another may have been faster between read and lease.
    return await step(renewal, true);
  } finally {
    await releaseLease(target.db, name, memory.holder);
  }
}

async function renewalOf(deps: TokenDeps, memory: Memory): Promise<Renewal> {
  const { clientId: tenant, baseUrl } = deps.tenant;
  return { deps, memory, target: { db: await deps.db(), tenant, baseUrl, now: deps.storeNow } };
}

async function lookUp(deps: TokenDeps, memory: Memory): Promise<void> {
  await readRow(await renewalOf(deps, memory));
}

async function renew(deps: TokenDeps, memory: Memory): Promise<void> {
  const renewal = await renewalOf(deps, memory);
  const giveUpAtMs = deps.now() + LONGEST_WAIT_MS;
  for (let lookMs = FIRST_LOOK_MS; !(await step(renewal, false)); lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    const cached = living(memory, deps.now());
    if (cached !== undefined) return rest(cached, deps.now() + LONGEST_LOOK_MS);
    if (deps.now() >= giveUpAtMs) throw notInTime();
    await deps.sleep(lookMs * (1 + deps.random()));
  }
}

/** A token that dies while it is waited for is replaced, but not forever. */
const MOST_ROUNDS = 3;
const PAUSE_MS = 1_000;

export type Tokens = {
  /** With at least a second to live. Throws `BankError` `token-refused`, `-unavailable`, `-not-readable`, `-not-in-time`. */
  get: (deadlineMs: number) => Promise<{ value: string; generation: number }>;
  /** After a 401, for all processes. A newer one stays. */
  reject: (generation: number) => void;
  /** The stored one, though it may be dead by now; null where the next call asks for one. */
  stored: () => Promise<{ value: string; generation: number } | null>;
  /** Once it is revoked: the next call of any process asks for another. A newer one stays. */
  discard: (generation: number) => Promise<void>;
};

async function atMostUntil(alarm: AbortSignal, awaited: Promise<void>): Promise<void> {
  const end = alarm.aborted ? Promise.resolve([]) : once(alarm, "abort");
  const late = end.then(() => {
    throw notInTime();
  });
  await Promise.race([late, awaited]);
}

/** interface: Authentication. One process renews, five minutes early; none is revoked but by a person, for others still use it. */
export function createTokens(deps: TokenDeps): Tokens {
  const memory: Memory = { holder: randomUUID(), deadUpTo: 0 };
  let renewal: Promise<void> | undefined;
  let lookingUp: Promise<void> | undefined;

  function lookUpOnce(): Promise<void> {
    lookingUp ??= lookUp(deps, memory).finally(() => {
      lookingUp = undefined;
    });
    return lookingUp;
  }

  function renewOnce(): Promise<void> {
    renewal ??= renew(deps, memory)
      .catch((error: unknown) => {
        if (memory.cached !== undefined) rest(memory.cached, deps.now() + PAUSE_MS);
        throw error;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  function renewBehind(): void {
    if (renewal !== undefined) return;
    renewOnce().catch((error: unknown) => {
      if (error instanceof BankError) return;
      log.warn({ err: withoutParameters(error) }, "access token not renewed");
    });
  }

  async function wait(deadlineMs: number): Promise<CachedToken> {
    const alarm = deps.alarm(Math.ceil(Math.max(0, deadlineMs - deps.now())));
    await atMostUntil(alarm, lookUpOnce());
    for (let round = 0; ; round += 1) {
      const cached = living(memory, deps.now());
      if (cached !== undefined) return cached;
      if (round === MOST_ROUNDS) throw notInTime();
      await atMostUntil(alarm, renewOnce());
    }
  }

  return {
    async get(deadlineMs) {
      const cached = living(memory, deps.now()) ?? (await wait(deadlineMs));
      if (cached.renewAtMs <= deps.now()) renewBehind();
      return cached;
    },
    reject(generation) {
      const { cached, deadUpTo } = memory;
      if (cached?.generation === generation && deps.now() < cached.trustedUntilMs) return;
      memory.deadUpTo = Math.max(deadUpTo, generation);
    },
    async stored() {
      const { generation, token } = await readToken((await renewalOf(deps, memory)).target);
      return token === null ? null : { value: token.value, generation };
    },
    async discard(generation) {
      memory.deadUpTo = Math.max(memory.deadUpTo, generation);
      await discardToken((await renewalOf(deps, memory)).target, generation);
    },
  };
}
