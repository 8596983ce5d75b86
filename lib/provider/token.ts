import { once } from "node:events";
import { log } from "@/lib/log/log";
import { noteRenewal } from "@/lib/metrics/note";
import { backoffMs } from "./answer";
import { AppError } from "@/lib/errors/app-error";
import { type Client, type Credentials, requestToken } from "./token-request";
import type { Wire } from "./wire-http";

const RENEWAL_MARGIN_MS = 5 * 60_000;
/** A shorter-lived token might expire on its way. */
const MIN_LIFE_MS = 1_000;
/** A provider that refuses every token must not be asked at every call. */
const TRUSTED_REPLACEMENT_MS = 10_000;
const IN_A_ROW_MS = 60_000;
const PAUSE_MS = 1_000;

type TokenDeps = {
  tenant: Client;
  credentials: () => Credentials;
  wire: Wire;
  /** Milliseconds, monotonic. */
  now: () => number;
  alarm: (ms: number) => AbortSignal;
  random: () => number;
};

type Token = { value: string; generation: number };

type CachedToken = Token & { trustedUntilMs: number; renewAtMs: number; expiresAtMs: number };

type Failure = { error: AppError; credentials: Credentials; times: number; untilMs: number };

export type Tokens = {
  /** Valid for another second. Throws `AppError` `token-refused`, `-unavailable`, `-not-readable`, `-not-in-time`. */
  get: (deadlineMs: number) => Promise<Token>;
  /** Called after a 401; a newer token stays. */
  reject: (generation: number) => void;
  /** This process's token, valid or not; null when the next call requests one. */
  held: () => Token | null;
  /** After a revocation: the next call requests another. A newer one stays. */
  discard: (generation: number) => void;
};

const isSame = (one: Credentials, other: Credentials) =>
  one.clientSecret === other.clientSecret && one.previousClientSecret === other.previousClientSecret;

async function inTime<T>(alarm: AbortSignal, awaited: Promise<T>): Promise<T> {
  const end = alarm.aborted ? Promise.resolve([]) : once(alarm, "abort");
  const late = end.then(() => {
    throw new AppError("unavailable", { code: "token-not-in-time", mayHaveExecuted: false });
  });
  return Promise.race([late, awaited]);
}

/** interface: Authentication. For this process alone, renewed five minutes early; only a person revokes one. */
export function createTokens(deps: TokenDeps): Tokens {
  const { tenant, wire, now } = deps;
  let generation = 0;
  let cached: CachedToken | null = null;
  let renewal: Promise<CachedToken> | null = null;
  let failure: Failure | null = null;
  let replacedAtMs = -Infinity;

  const living = () => (cached !== null && now() + MIN_LIFE_MS <= cached.expiresAtMs ? cached : null);

  function noteFailure(error: AppError, credentials: Credentials): void {
    const { kind, details } = error;
    const times = (failure?.times ?? 0) + 1;
    const retryInMs = Math.max(backoffMs(times - 1, deps.random), details.retryAfterMs ?? 0);
    failure = { error, credentials, times, untilMs: now() + retryInMs };
    const { code, status } = details;
    noteRenewal(tenant.clientId, code ?? kind);
    log.warn(
      { tenant: tenant.clientId, kind, code, status, times, retryInMs: Math.round(retryInMs) },
      "no access token",
    );
  }

  /** Credentials other than the failed ones are tried at once. */
  function respectFailure(credentials: Credentials): void {
    if (failure === null || failure.untilMs <= now() || !isSame(failure.credentials, credentials)) return;
    const { kind, details } = failure.error;
    throw new AppError(kind, { ...details, retryAfterMs: Math.ceil(failure.untilMs - now()) });
  }

  async function ask(): Promise<CachedToken> {
    const credentials = deps.credentials();
    respectFailure(credentials);
    const isReplacement = cached === null && generation > 0;
    // Counted from before the request, so it ends before the provider's.
    const askedAtMs = now();
    const { value, lifetimeMs } = await requestToken({ client: tenant, credentials, wire }).catch((error: unknown) => {
      if (error instanceof AppError) noteFailure(error, credentials);
      throw error;
    });
    const isInARow = isReplacement && askedAtMs < replacedAtMs + IN_A_ROW_MS;
    if (isReplacement) replacedAtMs = askedAtMs;
    failure = null;
    generation += 1;
    noteRenewal(tenant.clientId, "ok");
    const expiresAtMs = askedAtMs + lifetimeMs;
    log.info({ tenant: tenant.clientId, generation, lifeMs: Math.round(expiresAtMs - now()) }, "access token renewed");
    cached = {
      value,
      generation,
      trustedUntilMs: isInARow ? askedAtMs + TRUSTED_REPLACEMENT_MS : askedAtMs,
      // A token shorter than the margin is renewed half-way, not at every call.
      renewAtMs: expiresAtMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2),
      expiresAtMs,
    };
    return cached;
  }

  function renewOnce(): Promise<CachedToken> {
    renewal ??= ask().finally(() => {
      renewal = null;
    });
    return renewal;
  }

  function renewBehind(token: CachedToken): void {
    if (renewal !== null) return;
    renewOnce().catch((error: unknown) => {
      token.renewAtMs = Math.max(failure?.untilMs ?? 0, now() + PAUSE_MS);
      if (!(error instanceof AppError)) log.warn({ err: error }, "access token not renewed");
    });
  }

  function discard(dead: number): void {
    if (cached?.generation === dead) cached = null;
  }

  return {
    async get(deadlineMs) {
      const alarmInMs = Math.ceil(Math.max(0, deadlineMs - now()));
      const token = living() ?? (await inTime(deps.alarm(alarmInMs), renewOnce()));
      if (token.renewAtMs <= now()) renewBehind(token);
      return token;
    },
    reject(refused) {
      if (cached !== null && now() >= cached.trustedUntilMs) discard(refused);
    },
    held: () => cached,
    discard,
  };
}
