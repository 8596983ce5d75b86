import type { SQL } from "drizzle-orm";
import { log } from "@/lib/log";
import { releaseLease, takeLease } from "@/lib/store/lease";
import type { Db } from "@/lib/store/store";
import { backoffMs } from "./backoff";
import { BankError } from "./error";
import { type Client, type Credentials, hashOf, requestToken } from "./token-request";
import {
  discardToken,
  readToken,
  saveFailure,
  saveToken,
  type StoredFailure,
  type StoredToken,
  type TokenPlace,
  type TokenRow,
} from "./token-row";
import type { Wire } from "./wire";

const RENEWAL_MARGIN_MS = 5 * 60_000;
/** With less to live it might end on its way. */
const LEAST_LIFE_MS = 1_000;
const LEASE_MS = 15_000;
const LONGEST_WAIT_MS = 30_000;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 320;
/** A provider that refuses every token would otherwise be asked for a new one at every call: the second in a row serves so long. */
const TRUSTED_REPLACEMENT_MS = 10_000;
const IN_A_ROW_MS = 60_000;

export type TokenDoor = {
  tenant: Client;
  credentials: () => Credentials;
  wire: Wire;
  db: () => Promise<Db>;
  /** Milliseconds on a clock that never jumps. */
  now: () => number;
  /** The store's clock. */
  storeNow: () => SQL;
  sleep: (ms: number) => Promise<void>;
  /** Aborts after so many milliseconds, a whole number. */
  alarm: (ms: number) => AbortSignal;
  /** In [0, 1). */
  random: () => number;
};

export type Held = {
  value: string;
  generation: number;
  /** When it took the place of one that was refused; null: it did not. */
  replacedAtMs: number | null;
  trustedUntilMs: number;
  renewAtMs: number;
  expiresAtMs: number;
};

/** What this process knows of its tenant's token. */
export type Memory = {
  /** Itself among those who may take the lease. */
  holder: string;
  held?: Held;
  /** This generation and all before it were refused. */
  deadUpTo: number;
  /** The credentials that failed here, and until when they rest. */
  failed?: { credentials: string; untilMs: number };
};

export const notInTime = () => new BankError("unavailable", { code: "token-not-in-time", mayHaveExecuted: false });

function asError({ kind, code, retryInMs }: StoredFailure): BankError {
  return new BankError(kind, { code, mayHaveExecuted: false, retryAfterMs: Math.ceil(retryInMs) });
}

type Renewal = { door: TokenDoor; memory: Memory; place: TokenPlace };

/** The token in memory, unless it is dead or about to die. */
export function living({ held, deadUpTo }: Memory, nowMs: number): Held | undefined {
  const isAlive = held !== undefined && held.generation > deadUpTo && nowMs + LEAST_LIFE_MS <= held.expiresAtMs;
  return isAlive ? held : undefined;
}

function hold(memory: Memory, { generation, token }: { generation: number; token: StoredToken }, nowMs: number): void {
  const before = memory.held;
  const isNews = generation > memory.deadUpTo && generation >= (before?.generation ?? 0);
  if (!isNews) return;
  const replacedAtMs = token.isReplacement ? nowMs - token.ageMs : null;
  const isSame = before?.generation === generation;
  const isInARow = before !== undefined && before.replacedAtMs !== null && nowMs < before.replacedAtMs + IN_A_ROW_MS;
  const trustedUntilMs = replacedAtMs !== null && isInARow ? replacedAtMs + TRUSTED_REPLACEMENT_MS : nowMs;
  memory.held = {
    value: token.value,
    generation,
    replacedAtMs,
    trustedUntilMs: isSame ? before.trustedUntilMs : trustedUntilMs,
    renewAtMs: nowMs + token.renewInMs,
    expiresAtMs: nowMs + token.lifeMs,
  };
}

/** Reads what the processes share, and takes the token there when it is newer. */
async function look({ door, memory, place }: Renewal): Promise<TokenRow> {
  // Before the answer travels: a token may count as older than it is, never as younger.
  const nowMs = door.now();
  const row = await readToken(place);
  if (row.token !== null) hold(memory, { generation: row.generation, token: row.token }, nowMs);
  return row;
}

/** The failure that still counts; other credentials than those that failed are tried at once. */
function standingFailure({ door, memory }: Renewal, { failure }: TokenRow): StoredFailure | null {
  if (failure === null || failure.retryInMs <= 0) return null;
  const credentials = hashOf(door.tenant, door.credentials());
  const failedHere = memory.failed?.credentials === credentials && door.now() < memory.failed.untilMs;
  return failedHere || failure.credentials === credentials ? failure : null;
}

/** Puts off the renewal of a token that still serves. */
export function rest(held: Held, untilMs: number): void {
  held.renewAtMs = Math.max(held.renewAtMs, untilMs);
}

type Attempt = { before: TokenRow; credentials: Credentials };

async function noteFailure({ door, memory, place }: Renewal, error: BankError, attempt: Attempt): Promise<void> {
  const { kind, details } = error;
  const times = (attempt.before.failure?.times ?? 0) + 1;
  const retryInMs = Math.max(backoffMs(times - 1, door.random), details.retryAfterMs ?? 0);
  const credentials = hashOf(door.tenant, attempt.credentials);
  const untilMs = door.now() + retryInMs;
  memory.failed = { credentials, untilMs };
  if (memory.held !== undefined) rest(memory.held, untilMs);
  await saveFailure(place, { times, kind, code: details.code ?? "token-unavailable", credentials, retryInMs });
  const { clientId: tenant } = door.tenant;
  log.warn(
    { tenant, kind, code: details.code, status: details.status, times, retryInMs: Math.round(retryInMs) },
    "no access token",
  );
}

/** Asks the provider and shares what came of it; throws the failure. */
async function ask(renewal: Renewal, before: TokenRow): Promise<void> {
  const { door, memory, place } = renewal;
  const isReplacement = before.generation > 0 && before.generation <= memory.deadUpTo;
  if (isReplacement) await discardToken(place, before.generation);
  const credentials = door.credentials();
  // Counted from before the question, the lifetime ends before the provider's does, whatever anybody's clock says.
  const askedAtMs = door.now();
  const [asked] = await Promise.allSettled([requestToken({ client: door.tenant, credentials, wire: door.wire })]);
  if (asked.status === "rejected") {
    if (asked.reason instanceof BankError) await noteFailure(renewal, asked.reason, { before, credentials });
    throw asked.reason;
  }
  const { value, lifetimeMs } = asked.value;
  const nowMs = door.now();
  const ageMs = nowMs - askedAtMs;
  const lifeMs = lifetimeMs - ageMs;
  // A token that lives shorter than the margin is renewed half-way, not at every call.
  const renewInMs = lifeMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 2);
  const generation = Math.max(before.generation, memory.deadUpTo, memory.held?.generation ?? 0) + 1;
  const token = { value, ageMs, renewInMs, lifeMs, isReplacement };
  if (await saveToken(place, { replaces: before.generation, generation, token })) {
    hold(memory, { generation, token }, nowMs);
    log.info({ tenant: door.tenant.clientId, generation, lifeMs: Math.round(lifeMs) }, "access token renewed");
  }
}

/**
 * One step towards a token that need not be renewed: another process's is taken, a failure that still counts is
 * respected, and who gets the lease asks. False when another one is at it.
 */
async function step(renewal: Renewal, isLeader: boolean): Promise<boolean> {
  const { door, memory, place } = renewal;
  const row = await look(renewal);
  const held = living(memory, door.now());
  if (held !== undefined && door.now() < held.renewAtMs) return true;
  const failure = standingFailure(renewal, row);
  if (failure !== null) {
    if (held === undefined) throw asError(failure);
    rest(held, door.now() + failure.retryInMs);
    return true;
  }
  if (isLeader) {
    await ask(renewal, row);
    return true;
  }
  const name = `token:${place.tenant}:${place.baseUrl}`;
  if (!(await takeLease(place.db, { name, ttlMs: LEASE_MS, holder: memory.holder }))) return false;
  try {
    // Between the look and the lease another one may have been faster.
    return await step(renewal, true);
  } finally {
    await releaseLease(place.db, name, memory.holder);
  }
}

async function renewalOf(door: TokenDoor, memory: Memory): Promise<Renewal> {
  const { clientId: tenant, baseUrl } = door.tenant;
  return { door, memory, place: { db: await door.db(), tenant, baseUrl, now: door.storeNow } };
}

/** Takes the token that another process left in the store, if one is there. */
export async function lookUp(door: TokenDoor, memory: Memory): Promise<void> {
  await look(await renewalOf(door, memory));
}

/** Ends when there is a token or a failure, or when another process takes too long over it. */
export async function renew(door: TokenDoor, memory: Memory): Promise<void> {
  const renewal = await renewalOf(door, memory);
  const giveUpAtMs = door.now() + LONGEST_WAIT_MS;
  for (let lookMs = FIRST_LOOK_MS; !(await step(renewal, false)); lookMs = Math.min(lookMs * 2, LONGEST_LOOK_MS)) {
    const held = living(memory, door.now());
    if (held !== undefined) return rest(held, door.now() + LONGEST_LOOK_MS);
    if (door.now() >= giveUpAtMs) throw notInTime();
    await door.sleep(lookMs * (1 + door.random()));
  }
}
