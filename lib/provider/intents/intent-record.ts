import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Actor } from "@/lib/permission/grant";
import { maskWithin } from "@/lib/contract/document";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import type { Unknown } from "@/lib/contract/shared";
import type { ToldState } from "@/lib/contract/told-state";
import { instanceId } from "@/lib/db/lease";
import { derivedUuid, seal, unseal, unsealedOrNull } from "@/lib/db/seal";
import type { SealedTarget } from "@/lib/db/sealed-columns";
import type { Db, Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { sha256 } from "@/lib/text/decode";
import { readInstant } from "@/lib/text/read-time";
import { AppError } from "@/lib/errors/app-error";
import type { FailureCode } from "@/lib/errors/denial";
import { claimIntent, requireProposed, reused } from "./claim";
import type { Provider } from "@/lib/provider/client";
import type { Write } from "@/lib/provider/operations";
import type { AuditOutcome } from "@/lib/db/tables/audit";
import { providerIntent, type IntentState } from "@/lib/db/tables/provider";

export const intentTarget = (
  column: "body_sealed" | "kept_sealed" | "said_sealed",
  { tenant, id }: Pick<Intent, "tenant" | "id">,
): SealedTarget => ({ column: `bank_intent.${column}`, row: [tenant, id] });

export type Intent = typeof providerIntent.$inferSelect;

/** The order as it is sent; null when it is not stored or does not open. */
export function openBody(intent: Pick<Intent, "tenant" | "id" | "bodySealed">): unknown {
  const { bodySealed } = intent;
  if (bodySealed === null) return null;
  const bytes = unsealedOrNull(() => unseal(bodySealed, intentTarget("body_sealed", intent)));
  return bytes === null ? null : parseJson(bytes);
}

/** `outcome`: the intent's state, in the audit trail's word. */
export type IntentEnd<Stored> = { intent: Intent; by: string; outcome: AuditOutcome; stored: Stored | null };

/** Its own row is gone, its seal does not open, or its end differs from a person's settlement. */
export type IntentIncident = { tenant: string; by: string; object: string; intentId: string; cause: unknown };

export type Sending = { actor: Actor; bytes: string; withinMs?: number };

/** `kept` as JSON; null when the answer is not done and nothing is stored. */
type AnsweredAttempt = { told: ToldState; stored: string | null; requestId: string; answerHash: string };

export type IntentKind<Body, Stored> = {
  path: string;
  isKeyed: boolean;
  busyCode: FailureCode | null;
  unconfirmedCode: FailureCode;
  bytesOf: (body: Body) => string;
  /** The part of the bytes that distinguishes orders. */
  tracedOf: (body: Body) => string;
  attempt: (post: Provider["post"], sending: Sending, intent: Intent) => Promise<AnsweredAttempt>;
  storedOf: (intent: Intent) => Stored;
  ended: (tx: Tx, intent: Intent, by: string) => Promise<void>;
  unreadable: (tx: Tx, incident: IntentIncident) => Promise<void>;
};

export type RecoverableKind = Pick<IntentKind<never, unknown>, "path" | "isKeyed" | "attempt" | "ended" | "unreadable">;

export type Sends<Body extends z.ZodType, Answer extends z.ZodType> = {
  operation: Write<Body, Answer>;
  /** A write with an Idempotency-Key keeps its bytes, sealed, and may resend them; no body with a secret has one. */
  isKeyed: boolean;
  /** The body without its secrets, of which not even a keyed hash is stored. */
  traced?: (body: z.output<Body>) => unknown;
  /** One in flight per object, and the code for a second. Null: any number. */
  busyCode: FailureCode | null;
  unconfirmedCode: FailureCode;
};

export type Ends<Answer extends z.ZodType, Stored> = {
  /** The part of the answer that a screen shows; absent when the answer is not done. */
  stored: z.ZodType<Stored>;
  toStore: (answer: z.output<Answer>) => Stored | null;
  /** Reads the result from an undocumented answer; without it, the write is done when something is stored. */
  told?: (answer: z.output<Answer>) => ToldState;
  /** Runs in the transaction that records the end, each time the knowledge changes. */
  ended: (tx: Tx, end: IntentEnd<Stored>) => Promise<void>;
  unreadable: (tx: Tx, incident: IntentIncident) => Promise<void>;
};

function textsLeftOut(body: unknown, traced: unknown): string[] {
  const kept = new Set(Object.keys(Object(traced)));
  const left = Object.entries(Object(body)).filter(([name]) => !kept.has(name));
  return left.flatMap(([, value]) => (typeof value === "string" && value !== "" ? [value] : []));
}

const without = (secrets: readonly string[], said: string) =>
  secrets.reduce((text, secret) => text.replaceAll(secret, "•••"), said);

/** The provider's message about a holder's token or code may quote it. */
function saidWithout(secrets: readonly string[], error: unknown): unknown {
  if (!(error instanceof AppError) || error.details.providerMessage === undefined) return error;
  const providerMessage = without(secrets, error.details.providerMessage);
  return new AppError(error.kind, { ...error.details, providerMessage });
}

export function intentKind<Body extends z.ZodType, Answer extends z.ZodType, Stored>(
  spec: Sends<Body, Answer> & Ends<Answer, Stored>,
): IntentKind<z.output<Body>, Stored> {
  const { operation, isKeyed, busyCode, unconfirmedCode } = spec;
  const write = (body: z.output<Body>) => stringifyJson(z.encode(operation.body, body));
  const read = (bytes: string) => operation.body.parse(parseJson(bytes));
  const secretsOf = (body: z.output<Body>) => (spec.traced === undefined ? [] : textsLeftOut(body, spec.traced(body)));
  // Parsed once more, so that 10.5 and 10.50 stay one amount.
  const bytesOf = (body: z.output<Body>) => write(read(write(body)));
  const storedOf = (intent: Intent) => {
    const { keptSealed } = intent;
    const stored = keptSealed === null ? "null" : unseal(keptSealed, intentTarget("kept_sealed", intent));
    return spec.stored.parse(JSON.parse(stored));
  };
  return {
    path: operation.path,
    isKeyed,
    busyCode,
    unconfirmedCode,
    bytesOf,
    tracedOf: (body) => (spec.traced === undefined ? bytesOf(body) : stringifyJson(spec.traced(body))),
    attempt: async (post, { actor, bytes, withinMs }, { key, object, attempts }) => {
      const body = read(bytes);
      // Another version may write other bytes, which the provider refuses under the same key.
      if (write(body) !== bytes) throw new AppError("conflict", { code: "intent-bytes", mayHaveExecuted: false });
      const secrets = secretsOf(body);
      const posting = post(actor, operation, {
        body,
        object,
        nth: attempts,
        ...(isKeyed && { idempotencyKey: key }),
        ...(withinMs !== undefined && { withinMs }),
      });
      const { answer, text, requestId } = await posting.catch((error: unknown) => {
        throw saidWithout(secrets, error);
      });
      const stored = spec.toStore(answer);
      const told = spec.told?.(answer) ?? { is: stored === null ? "OPEN" : "DONE", word: "", message: "" };
      return {
        told: { ...told, message: without(secrets, told.message) },
        stored: stored === null ? null : JSON.stringify(stored),
        requestId,
        answerHash: sha256(text),
      };
    },
    storedOf,
    unreadable: spec.unreadable,
    ended: (tx, intent, by) =>
      spec.ended(tx, {
        intent,
        by,
        outcome: intent.state === "SENDING" ? "INTENT" : intent.state,
        stored: intent.state === "DONE" || isAccepted(intent) ? storedOf(intent) : null,
      }),
  };
}

/** The provider accepted it without confirming or refusing: its word is the code. It is not resent. */
export const isAccepted = ({ state, keptSealed }: Pick<Intent, "state" | "keptSealed">): boolean =>
  state === "UNKNOWN" && keptSealed !== null;
export const isAcceptedSql = sql<boolean>`(${providerIntent.state} = 'UNKNOWN' and ${providerIntent.keptSealed} is not null)`;

/** How an attempt ends that never reached the provider; `send_state` of the store has them, too. */
export const NEVER_ARRIVED = [
  "not-sent",
  "no-connection",
  "circuit-open",
  "budget-spent",
  "unknown-spent",
  "token-unavailable",
  "token-not-in-time",
];

/** Ended before it reached the provider, which so refused nothing. */
export const isUnsent = ({ state, endedBy, attempts, code }: Intent): boolean =>
  state === "REFUSED" && endedBy === null && (attempts === 0 || NEVER_ARRIVED.includes(code ?? ""));

export const isUnsentSql = sql<boolean>`(${providerIntent.state} = 'REFUSED' and ${providerIntent.endedBy} is null
  and (${providerIntent.attempts} = 0 or ${inArray(sql`coalesce(${providerIntent.code}, '')`, NEVER_ARRIVED)}))`;

/** An attempt takes less; a slower answer is still written. */
const SENDING_FOR_MS = 75_000;

// Instances' clocks may differ.
const now = sql`clock_timestamp()`;
export const sendingUntil = sql`clock_timestamp() + ${SENDING_FOR_MS} * interval '1 millisecond'`;
/** Half of its age later, between half a minute and an hour. */
export const widerLater = sql`clock_timestamp() + greatest(interval '30 seconds',
  least(interval '1 hour', (clock_timestamp() - ${providerIntent.firstSentAt}) / 2))`;

type NewIntent = Pick<Intent, "tenant" | "id" | "operation" | "object" | "actor" | "bodyHash"> & {
  /** Sealed; null when they must not be stored. */
  bytes: string | null;
  busyCode: FailureCode | null;
  traced: string;
};

/** It waits for a second person; nothing is sent. */
export type Proposed = { state: "PROPOSED"; approvalId: string };

export type Authority = {
  /** The approval behind it; null when none was needed. */
  approvalId: string | null;
  /** Runs before the intent is recorded, in its transaction: refuses by throwing, or proposes instead. */
  admit: (tx: Tx) => Promise<Proposed | null>;
};

/** Marks a step that a write does not have. */
export type Nothing = "nothing";
export const nothing = async (): Promise<Nothing> => "nothing";

/** A write with this authority never needs a second person. */
export const ALONE: Authority = { approvalId: null, admit: async () => null };

export type OpenedIntent = { intent: Intent; isOpened: boolean };

const UNSENT = {
  state: "SENDING",
  attempts: 0,
  mayHaveExecuted: false,
  nextTryAt: null,
  firstSentAt: null,
  finishedAt: null,
  status: null,
  requestId: null,
  answerHash: null,
  code: null,
  antifraudId: null,
  pendingExpiresAt: null,
  endedBy: null,
  contradictedAt: null,
  keptSealed: null,
  saidSealed: null,
} as const;

const named = ({ tenant, id }: Pick<Intent, "tenant" | "id">) =>
  and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, id));

export async function findIntent(tx: Db | Tx, intent: Pick<Intent, "tenant" | "id">): Promise<Intent | null> {
  const [row] = await tx.select().from(providerIntent).where(named(intent));
  return row ?? null;
}

/** Locks the object until the transaction ends; conflict when another intent is in flight for it. */
async function holdObject(tx: Tx, { tenant, operation, object }: NewIntent, busyCode: FailureCode): Promise<void> {
  await holdLock(tx, `${tenant} ${operation} ${object}`);
  const inFlight = and(
    eq(providerIntent.tenant, tenant),
    eq(providerIntent.operation, operation),
    eq(providerIntent.object, object),
    eq(providerIntent.state, "SENDING"),
  );
  if ((await tx.$count(providerIntent, inFlight)) > 0) throw new AppError("conflict", { code: busyCode });
}

/** Whether a concurrent request has already proposed it. */
async function claim(
  tx: Tx,
  { tenant, id, operation: kind, actor, traced: bytes }: NewIntent,
  approvalId: string | null,
): Promise<boolean> {
  const claimed = { tenant, id, kind, actor };
  if (approvalId === null) return (await claimIntent(tx, { ...claimed, bytes, isProposed: null })) === "proposed";
  await requireProposed(tx, claimed);
  return false;
}

/** New and refused intents become SENDING, or are proposed by `admit`; any other is returned unchanged. */
export async function openIntent(
  tx: Tx,
  order: NewIntent,
  { approvalId, admit }: Authority,
): Promise<OpenedIntent | Proposed> {
  const { tenant, id, operation, object, actor, bodyHash, bytes, busyCode } = order;
  const isWaiting = await claim(tx, order, approvalId);
  const standing = isWaiting ? null : await findIntent(tx, order);
  if (standing !== null && standing.state !== "REFUSED") return { intent: standing, isOpened: false };
  if (busyCode !== null) await holdObject(tx, order, busyCode);
  const proposed = await admit(tx);
  if (proposed !== null) return proposed;
  if (isWaiting) throw reused();
  const ordered = {
    operation,
    object,
    actor,
    bodyHash,
    bodySealed: bytes === null ? null : seal(bytes, intentTarget("body_sealed", order)),
  };
  const isExclusive = busyCode !== null;
  const opening = (standing?.opening ?? 0) + 1;
  const afresh = {
    ...ordered,
    ...UNSENT,
    isExclusive,
    opening,
    key: derivedUuid(tenant, id, String(opening)),
    owner: instanceId(),
    sendingUntil,
    createdAt: now,
  };
  const [opened] = await tx
    .insert(providerIntent)
    .values({ tenant, id, ...afresh })
    .onConflictDoUpdate({
      target: [providerIntent.tenant, providerIntent.id],
      set: afresh,
      setWhere: eq(providerIntent.state, "REFUSED"),
    })
    .returning();
  if (opened !== undefined) return { intent: opened, isOpened: true };
  const taken = await findIntent(tx, order);
  if (taken === null) throw new Error(`intent ${id} is neither new nor on record`);
  return { intent: taken, isOpened: false };
}

const ours = (intent: Intent): SQL | undefined =>
  and(named(intent), eq(providerIntent.key, intent.key), eq(providerIntent.owner, instanceId()));

/** Runs before the first byte leaves; returns null when the intent is no longer ours to send. */
export async function noteSending(store: Db, intent: Intent): Promise<Intent | null> {
  const [noted] = await store
    .update(providerIntent)
    .set({
      attempts: sql`${providerIntent.attempts} + 1`,
      mayHaveExecuted: intent.mayHaveExecuted,
      firstSentAt: sql`coalesce(${providerIntent.firstSentAt}, clock_timestamp())`,
      sendingUntil,
    })
    .where(and(ours(intent), eq(providerIntent.state, "SENDING")))
    .returning();
  return noted ?? null;
}

const SAID_MAX = 2_000;

const sealSaid = (intent: Pick<Intent, "tenant" | "id">, said: string) =>
  seal(maskWithin(said).slice(0, SAID_MAX), intentTarget("said_sealed", intent));

function learnt(intent: Intent, { error, stored, requestId, answerHash, word }: AttemptOutcome) {
  const { status, code, antifraudId, pendingExpiresAt, providerMessage } =
    error instanceof AppError ? error.details : {};
  return {
    status: status ?? (stored === null ? null : 200),
    requestId,
    answerHash,
    code: code ?? word ?? null,
    antifraudId: antifraudId ?? null,
    pendingExpiresAt: readInstant(pendingExpiresAt ?? ""),
    keptSealed: stored === null ? null : seal(stored, intentTarget("kept_sealed", intent)),
    saidSealed: providerMessage === undefined ? null : sealSaid(intent, providerMessage),
  };
}

/** Certain results overwrite UNKNOWN too; others only our own attempt. Null when nothing was written. */
export async function endIntent(tx: Tx, intent: Intent, outcome: AttemptOutcome): Promise<Intent | null> {
  const { state, isConclusive } = outcome;
  const open = isConclusive
    ? and(named(intent), eq(providerIntent.key, intent.key), inArray(providerIntent.state, ["SENDING", "UNKNOWN"]))
    : and(ours(intent), eq(providerIntent.state, "SENDING"));
  const isKnown = state !== "UNKNOWN";
  const [ended] = await tx
    .update(providerIntent)
    .set({
      ...learnt(intent, outcome),
      state,
      finishedAt: isKnown ? now : null,
      nextTryAt: isKnown || intent.bodySealed === null ? null : widerLater,
      mayHaveExecuted: state === "REFUSED" ? false : intent.mayHaveExecuted || intent.attempts > 0,
    })
    .where(open)
    .returning();
  return ended ?? null;
}

export function isAbandoned(isEmbedded: boolean): SQL {
  // The embedded database has one opener: any other sender is dead.
  const isForeign = isEmbedded ? ne(providerIntent.owner, instanceId()) : sql`false`;
  return sql`${providerIntent.state} = 'SENDING' and (${providerIntent.sendingUntil} < clock_timestamp() or ${isForeign})`;
}

// Without a readable expiry, a held transaction is waited for a day.
const deadline = sql`coalesce(${providerIntent.pendingExpiresAt}, ${providerIntent.finishedAt} + interval '1 day')`;
const isOverdue = sql`${deadline} < ${now}`;

/** The deadline of a hold; null in every other state. */
export const heldUntil = sql`case when ${providerIntent.state} = 'HELD' then ${deadline} end`;

/** Not retried automatically, overdue at the provider's analyst, or contradicted. */
export const needsPerson: SQL<boolean> = sql<boolean>`(${or(
  and(eq(providerIntent.state, "UNKNOWN"), isNull(providerIntent.nextTryAt)),
  and(eq(providerIntent.state, "HELD"), isOverdue),
  isNotNull(providerIntent.contradictedAt),
)})`;

export const needsPersonNow = async (store: Db | Tx, intent: Pick<Intent, "tenant" | "id">): Promise<boolean> =>
  (await store.$count(providerIntent, and(named(intent), needsPerson))) > 0;

/** The outcome is unknown; a hold within its deadline is not, as the provider named who decides and until when. */
export const isUnanswered: SQL<boolean> = sql<boolean>`(${or(eq(providerIntent.state, "UNKNOWN"), needsPerson)})`;

/** Not contradicted so far; older ones are no longer compared. */
export const wasSaid: SQL | undefined = and(
  isNotNull(providerIntent.endedBy),
  isNull(providerIntent.contradictedAt),
  sql`${providerIntent.finishedAt} > clock_timestamp() - interval '30 days'`,
);

type Conclusion = { intent: Pick<Intent, "tenant" | "id">; kind: RecoverableKind; by: string; hasHappened: boolean };

export async function concludeIntent(tx: Tx, { intent, kind, by, hasHappened }: Conclusion): Promise<Intent | null> {
  const [ended] = await tx
    .update(providerIntent)
    .set({
      state: hasHappened ? "DONE" : "REFUSED",
      code: "ended-by-person",
      endedBy: by,
      contradictedAt: null,
      finishedAt: now,
      nextTryAt: null,
      mayHaveExecuted: hasHappened,
    })
    .where(and(named(intent), needsPerson))
    .returning();
  if (ended === undefined) return null;
  await kind.ended(tx, ended, by);
  return ended;
}

type HeldEnd = Pick<Conclusion, "kind" | "by"> & {
  intent: Pick<Intent, "tenant" | "id">;
  /** It is JSON, and null when the write was not released. */
  stored: string | null;
  code: string | null;
  said?: string | null;
};

/** Records the provider's decision on a hold; returns null when it is no longer held. */
export async function endHeld(
  tx: Tx,
  { intent, kind, by, stored, code, said = null }: HeldEnd,
): Promise<Intent | null> {
  const isReleased = stored !== null;
  const [ended] = await tx
    .update(providerIntent)
    .set({
      state: isReleased ? "DONE" : "REFUSED",
      code,
      keptSealed: isReleased ? seal(stored, intentTarget("kept_sealed", intent)) : null,
      saidSealed: said === null ? null : sealSaid(intent, said),
      finishedAt: now,
      mayHaveExecuted: isReleased,
    })
    .where(and(named(intent), eq(providerIntent.state, "HELD")))
    .returning();
  if (ended === undefined) return null;
  await kind.ended(tx, ended, by);
  return ended;
}

export async function contradictIntent(
  tx: Tx,
  { intent: { tenant, id }, kind, by }: Omit<Conclusion, "hasHappened">,
): Promise<void> {
  const isSaid = and(named({ tenant, id }), isNotNull(providerIntent.endedBy), isNull(providerIntent.contradictedAt));
  const [contradicted] = await tx.update(providerIntent).set({ contradictedAt: now }).where(isSaid).returning();
  if (contradicted === undefined) return;
  await kind.unreadable(tx, { tenant, by, object: contradicted.object, intentId: id, cause: "contradicted" });
}

/** Only a look this long after sending proves that there was no effect. */
const SHOWS_AFTER_MS = 60_000;
type Ordered = Record<"tenant" | "intentId", AnyPgColumn>;

export const ofIntent = ({ tenant, intentId }: Ordered): SQL | undefined =>
  and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, intentId));

export const isSending = sql<boolean>`${providerIntent.state} = 'SENDING'`;

/** Sent, effect unknown: until it is found, or a person settles it. */
export const isLookedFor: SQL = inArray(providerIntent.state, ["SENDING", "UNKNOWN"]);

export const wasLookedSince = (lookedAt: AnyPgColumn | SQL) =>
  sql<boolean>`coalesce(${lookedAt} > ${providerIntent.firstSentAt} + ${SHOWS_AFTER_MS} * interval '1 millisecond', false)`;

type Open<Candidate> = { isSending: boolean; candidates: readonly Candidate[] };

/** Returns the only candidate, and null when `all` leave a doubt. */
export function onlyCandidate<Candidate>(
  one: Open<Candidate>,
  all: readonly Open<Candidate>[],
  idOf: (candidate: Candidate) => string,
): string | null {
  const [candidate, another] = one.candidates;
  if (one.isSending || candidate === undefined || another !== undefined) return null;
  const id = idOf(candidate);
  const claimants = all.filter(({ candidates }) => candidates.some((other) => idOf(other) === id));
  return claimants.length === 1 ? id : null;
}

export type AttemptOutcome = {
  state: Exclude<IntentState, "SENDING">;
  /** True when a certain result may overwrite another process's. */
  isConclusive: boolean;
  /** Whether to resend the same bytes under the same key before anybody is told. */
  canTryAgain: boolean;
  stored: string | null;
  requestId: string | null;
  answerHash: string | null;
  error: unknown;
  word?: Unknown;
};

type Attempted = {
  isKeyed: boolean;
  mayHaveExecuted: boolean;
};

function isAmbiguous({ kind, details: { mayHaveExecuted } }: AppError): boolean {
  return mayHaveExecuted ?? (kind === "unavailable" || kind === "malformed");
}

/** Our assumption: under a key, these statuses are repeated (the interface names none). */
const BUSINESS_STATUSES: readonly (number | undefined)[] = [404, 422];

function refused(
  error: AppError,
  { isKeyed, mayHaveExecuted }: Attempted,
): Pick<AttemptOutcome, "state" | "isConclusive" | "canTryAgain"> {
  const { kind, details } = error;
  const isPassing = kind === "rate-limited" || kind === "unavailable";
  // The earlier attempt may be running (409) or have run, whatever this one got: only a success or a person ends it.
  if (mayHaveExecuted) return { state: "UNKNOWN", isConclusive: false, canTryAgain: isPassing || kind === "conflict" };
  const isOfBusiness = kind === "blocked" || BUSINESS_STATUSES.includes(details.status);
  return { state: "REFUSED", isConclusive: !isKeyed || isOfBusiness, canTryAgain: isKeyed && isPassing };
}

const NOT_KNOWN = { state: "UNKNOWN", isConclusive: false, canTryAgain: false, stored: null } as const;

/** interface: Errors › HTTP statuses; Antifraud-held transaction */
export function judgeFailure(error: unknown, known: Attempted): AttemptOutcome {
  const { requestId = null, answerHash = null } = error instanceof AppError ? error.details : {};
  const unsure = { ...NOT_KNOWN, requestId, answerHash, error };
  if (!(error instanceof AppError)) return unsure;
  if (error.kind === "held") {
    const isHeld = error.details.code === "TRANSACTION_PENDING_APPROVAL";
    return isHeld ? { ...unsure, state: "HELD", isConclusive: true } : unsure;
  }
  if (isAmbiguous(error)) return { ...unsure, canTryAgain: known.isKeyed && error.kind === "unavailable" };
  return { ...unsure, ...refused(error, known) };
}

/** False: the attempt never reached the provider. */
export const hasArrived = ({ error }: AttemptOutcome): boolean =>
  !(error instanceof AppError && NEVER_ARRIVED.includes(error.details.code ?? ""));

const WORD_MAX = 200;

/** An unconfirmed success stays unknown; a stated refusal is that order's answer, whatever was sent before. */
export function judgeAnswer({ told, ...answered }: AnsweredAttempt): AttemptOutcome {
  const ended = { ...answered, canTryAgain: false, error: null };
  if (told.is === "DONE") return { ...ended, state: "DONE", isConclusive: true };
  // Marked as theirs, so that it cannot pass for a code of ours.
  const word: Unknown = `unknown:${maskWithin(told.word).slice(0, WORD_MAX)}`;
  if (told.is === "OPEN") return { ...ended, state: "UNKNOWN", isConclusive: false, ...(told.word !== "" && { word }) };
  const { requestId, answerHash } = answered;
  const said = { status: 200, code: word, requestId, answerHash, mayHaveExecuted: false };
  const providerMessage = told.message === "" ? told.word : `${told.word} · ${told.message}`;
  const error = new AppError("invalid", { ...said, providerMessage });
  return { ...ended, state: "REFUSED", isConclusive: true, error };
}

export function refusedUnsent(error: unknown): AttemptOutcome {
  return { ...NOT_KNOWN, state: "REFUSED", requestId: null, answerHash: null, error };
}

export const unseen = (code: string): AttemptOutcome => ({
  ...NOT_KNOWN,
  state: "REFUSED",
  isConclusive: true,
  requestId: null,
  answerHash: null,
  error: new AppError("conflict", { code }),
});

export const SEEN: AttemptOutcome = {
  ...NOT_KNOWN,
  state: "DONE",
  isConclusive: true,
  requestId: null,
  answerHash: null,
  error: null,
};
