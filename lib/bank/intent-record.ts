import { randomUUID } from "node:crypto";
import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Actor } from "@/lib/auth/grant";
import { parseJson, stringifyJson } from "@/lib/contract/json";
import { instanceId } from "@/lib/store/lease";
import { seal, unseal } from "@/lib/store/seal";
import type { SealedPlace } from "@/lib/store/sealed-columns";
import type { Db, Tx } from "@/lib/store/store";
import { sha256 } from "@/lib/text/hash";
import { BankError } from "./answer";
import type { Bank } from "./client";
import type { Write } from "./operations";
import { bankIntent, type IntentState } from "./schema";

/** Where an intent keeps what is sealed. */
export const intentPlace = (
  column: "body_sealed" | "kept_sealed",
  { tenant, id }: Pick<Intent, "tenant" | "id">,
): SealedPlace => ({ column: `bank_intent.${column}`, row: [tenant, id] });

export type Intent = typeof bankIntent.$inferSelect;

/** How an intent ended, or that it is not known: `intent.state` says which. `by` is who found out. */
export type IntentEnd<Kept> = { intent: Intent; by: string; kept: Kept | null };

/** An intent that a person must see to: its own row is gone, what is sealed does not open, or it ended otherwise than somebody said. */
export type IntentIncident = { tenant: string; by: string; object: string; intentId: string; cause: unknown };

/** `withinMs` is how long somebody waits for it; nobody waits for what recovery asks. */
export type Sending = { actor: Actor; bytes: string; withinMs?: number };

/** What an answered attempt leaves: `kept` as JSON, null when the answer does not say that it is done. */
type AnsweredAttempt = { kept: string | null; requestId: string; answerHash: string };

/** A write that is carried out by intents; see `intentKind`. */
export type IntentKind<Body, Kept> = {
  path: string;
  isKeyed: boolean;
  busyCode: string | null;
  unconfirmedCode: string;
  bytesOf: (body: Body) => string;
  /** What of the bytes tells one order from another. */
  tracedOf: (body: Body) => string;
  attempt: (post: Bank["post"], sending: Sending, intent: Intent) => Promise<AnsweredAttempt>;
  keptOf: (intent: Intent) => Kept;
  ended: (tx: Tx, intent: Intent, by: string) => Promise<void>;
  unreadable: (tx: Tx, incident: IntentIncident) => Promise<void>;
};

/** What recovery needs to know of a kind. */
export type RecoverableKind = Pick<IntentKind<never, unknown>, "path" | "isKeyed" | "attempt" | "ended" | "unreadable">;

type Spec<Body extends z.ZodType, Answer extends z.ZodType, Kept> = {
  operation: Write<Body, Answer>;
  /** Takes an Idempotency-Key: its bytes are kept, sealed, and may go out again. Never for a body that holds a secret. */
  isKeyed: boolean;
  /** The body without its secrets: not even a keyed hash is kept of those. Left out: there are none. */
  traced?: (body: z.output<Body>) => unknown;
  /** One in flight for each object: what a person is told who wants another one. Null: any number. */
  busyCode: string | null;
  /** What a person is told when it is not known whether it took effect. */
  unconfirmedCode: string;
  /** What a screen shows of the answer, also when the intent comes again; `keep` gives null when it is not an answer that says done. */
  kept: z.ZodType<Kept>;
  keep: (answer: z.output<Answer>) => Kept | null;
  /** Runs in the transaction that writes the end, as often as what is known changes: the audit row, the area's own rows. */
  ended: (tx: Tx, end: IntentEnd<Kept>) => Promise<void>;
  /** Puts on record that recovery can do nothing with one. */
  unreadable: (tx: Tx, incident: IntentIncident) => Promise<void>;
};

/** Describes a write once, for those who order it and for the recovery of what was left behind. */
export function intentKind<Body extends z.ZodType, Answer extends z.ZodType, Kept>(
  spec: Spec<Body, Answer, Kept>,
): IntentKind<z.output<Body>, Kept> {
  const { operation, isKeyed, busyCode, unconfirmedCode } = spec;
  const write = (body: z.output<Body>) => stringifyJson(z.encode(operation.body, body));
  const read = (bytes: string) => operation.body.parse(parseJson(bytes));
  // Read back once, so that what is read from the store is written as it was: 10.5 and 10.50 are one amount.
  const bytesOf = (body: z.output<Body>) => write(read(write(body)));
  const keptOf = (intent: Intent) => {
    const { keptSealed } = intent;
    const kept = keptSealed === null ? "null" : unseal(keptSealed, intentPlace("kept_sealed", intent));
    return spec.kept.parse(JSON.parse(kept));
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
      // Another release may write the same order in other bytes, which the provider refuses under the same key.
      if (write(body) !== bytes) throw new BankError("conflict", { code: "intent-bytes", mayHaveExecuted: false });
      const { answer, text, requestId } = await post(actor, operation, {
        body,
        object,
        nth: attempts,
        ...(isKeyed && { idempotencyKey: key }),
        ...(withinMs !== undefined && { withinMs }),
      });
      const kept = spec.keep(answer);
      return { kept: kept === null ? null : JSON.stringify(kept), requestId, answerHash: sha256(text) };
    },
    keptOf,
    unreadable: spec.unreadable,
    ended: (tx, intent, by) => spec.ended(tx, { intent, by, kept: intent.state === "DONE" ? keptOf(intent) : null }),
  };
}

/** Longer than an attempt can take. Who is slower loses nothing: what it learns is written all the same. */
const SENDING_FOR_MS = 75_000;

// The store's own clock: those of the instances may differ.
const now = sql`clock_timestamp()`;
export const sendingUntil = sql`clock_timestamp() + ${SENDING_FOR_MS} * interval '1 millisecond'`;
/** Half of its age later, between half a minute and an hour. */
export const widerLater = sql`clock_timestamp() + greatest(interval '30 seconds',
  least(interval '1 hour', (clock_timestamp() - ${bankIntent.firstSentAt}) / 2))`;

type Opening = Pick<Intent, "tenant" | "id" | "operation" | "object" | "actor" | "bodyHash"> & {
  /** The bytes to keep, sealed; null where they must not be. */
  bytes: string | null;
  /** Null: any number may be in flight for the object. */
  busyCode: string | null;
};

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
} as const;

const named = ({ tenant, id }: Pick<Intent, "tenant" | "id">) =>
  and(eq(bankIntent.tenant, tenant), eq(bankIntent.id, id));

export async function findIntent(tx: Db | Tx, intent: Pick<Intent, "tenant" | "id">): Promise<Intent | null> {
  const [row] = await tx.select().from(bankIntent).where(named(intent));
  return row ?? null;
}

/** Holds the object until the transaction ends; conflict when another one is in flight for it. */
async function holdObject(tx: Tx, { tenant, operation, object }: Opening, busyCode: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`${tenant} ${operation} ${object}`}))`);
  const inFlight = and(
    eq(bankIntent.tenant, tenant),
    eq(bankIntent.operation, operation),
    eq(bankIntent.object, object),
    eq(bankIntent.state, "SENDING"),
  );
  if ((await tx.$count(bankIntent, inFlight)) > 0) throw new BankError("conflict", { code: busyCode });
}

/** Puts the intent on record as SENDING: anew when it is new or was refused; any other is given back as it stands. */
export async function openIntent(tx: Tx, opening: Opening): Promise<{ intent: Intent; isOpened: boolean }> {
  const { tenant, id, operation, object, actor, bodyHash, bytes, busyCode } = opening;
  const standing = await findIntent(tx, opening);
  if (standing !== null && standing.state !== "REFUSED") return { intent: standing, isOpened: false };
  if (busyCode !== null) await holdObject(tx, opening, busyCode);
  const ordered = {
    operation,
    object,
    actor,
    bodyHash,
    bodySealed: bytes === null ? null : seal(bytes, intentPlace("body_sealed", opening)),
  };
  const isExclusive = busyCode !== null;
  const afresh = {
    ...ordered,
    ...UNSENT,
    isExclusive,
    key: randomUUID(),
    owner: instanceId(),
    sendingUntil,
    createdAt: now,
  };
  const [opened] = await tx
    .insert(bankIntent)
    .values({ tenant, id, ...afresh })
    .onConflictDoUpdate({
      target: [bankIntent.tenant, bankIntent.id],
      set: afresh,
      setWhere: eq(bankIntent.state, "REFUSED"),
    })
    .returning();
  if (opened !== undefined) return { intent: opened, isOpened: true };
  const taken = await findIntent(tx, opening);
  if (taken === null) throw new Error(`intent ${id} is neither new nor on record`);
  return { intent: taken, isOpened: false };
}

const ours = (intent: Intent): SQL | undefined =>
  and(named(intent), eq(bankIntent.key, intent.key), eq(bankIntent.owner, instanceId()));

/** Notes, before its first byte leaves, that an attempt is made; null when the intent is no longer ours to send. */
export async function noteSending(store: Db, intent: Intent): Promise<Intent | null> {
  const [noted] = await store
    .update(bankIntent)
    .set({
      attempts: sql`${bankIntent.attempts} + 1`,
      mayHaveExecuted: intent.mayHaveExecuted,
      firstSentAt: sql`coalesce(${bankIntent.firstSentAt}, clock_timestamp())`,
      sendingUntil,
    })
    .where(and(ours(intent), eq(bankIntent.state, "SENDING")))
    .returning();
  return noted ?? null;
}

function asInstant(text: string | undefined): Date | null {
  const instant = new Date(text ?? Number.NaN);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

function learnt(intent: Intent, { error, kept, requestId, answerHash }: Verdict) {
  const { status, code, antifraudId, pendingExpiresAt } = error instanceof BankError ? error.details : {};
  return {
    status: status ?? (kept === null ? null : 200),
    requestId,
    answerHash,
    code: code ?? null,
    antifraudId: antifraudId ?? null,
    pendingExpiresAt: asInstant(pendingExpiresAt),
    keptSealed: kept === null ? null : seal(kept, intentPlace("kept_sealed", intent)),
  };
}

/**
 * Writes what an attempt says. What is certain is written over UNKNOWN too, which recovery may have written meanwhile;
 * what holds only for our own attempt is not. Null when nothing was written.
 */
export async function endIntent(tx: Tx, intent: Intent, verdict: Verdict): Promise<Intent | null> {
  const { state, isConclusive } = verdict;
  const open = isConclusive
    ? and(named(intent), eq(bankIntent.key, intent.key), inArray(bankIntent.state, ["SENDING", "UNKNOWN"]))
    : and(ours(intent), eq(bankIntent.state, "SENDING"));
  const isKnown = state !== "UNKNOWN";
  const [ended] = await tx
    .update(bankIntent)
    .set({
      ...learnt(intent, verdict),
      state,
      finishedAt: isKnown ? now : null,
      nextTryAt: isKnown || intent.bodySealed === null ? null : widerLater,
      mayHaveExecuted: state === "REFUSED" ? false : intent.mayHaveExecuted || intent.attempts > 0,
    })
    .where(open)
    .returning();
  return ended ?? null;
}

/** A sender that died: not of this instance, or silent for longer than an attempt can take. */
export function isAbandoned(isEmbedded: boolean): SQL {
  // Who opens the embedded database is alone: any other sender is dead.
  const isForeign = isEmbedded ? ne(bankIntent.owner, instanceId()) : sql`false`;
  return sql`${bankIntent.state} = 'SENDING' and (${bankIntent.sendingUntil} < clock_timestamp() or ${isForeign})`;
}

// Without a readable end of its own, a day is what we wait for the provider's analyst.
const isOverdue = sql`coalesce(${bankIntent.pendingExpiresAt}, ${bankIntent.finishedAt} + interval '1 day') < ${now}`;

/**
 * Only a person can say what became of it: the same bytes do not go out again by themselves, the provider's analyst is
 * overdue, or what a person said of it was contradicted.
 */
export const needsPerson: SQL<boolean> = sql<boolean>`(${or(
  and(eq(bankIntent.state, "UNKNOWN"), isNull(bankIntent.nextTryAt)),
  and(eq(bankIntent.state, "HELD"), isOverdue),
  isNotNull(bankIntent.contradictedAt),
)})`;

/** Nobody knows yet what became of it, or what was said of it was contradicted. */
export const isUnresolved: SQL | undefined = or(
  inArray(bankIntent.state, ["UNKNOWN", "HELD"]),
  isNotNull(bankIntent.contradictedAt),
);

/** A person ended it, and nothing has contradicted them so far; older ones are no longer compared. */
export const wasSaid: SQL | undefined = and(
  isNotNull(bankIntent.endedBy),
  isNull(bankIntent.contradictedAt),
  sql`${bankIntent.finishedAt} > clock_timestamp() - interval '30 days'`,
);

type Conclusion = { intent: Pick<Intent, "tenant" | "id">; kind: RecoverableKind; by: string; hasHappened: boolean };

/** Ends what no answer ended, on a person's word, with what the area adds; null when it is not for people to end. */
export async function concludeIntent(tx: Tx, { intent, kind, by, hasHappened }: Conclusion): Promise<Intent | null> {
  const [ended] = await tx
    .update(bankIntent)
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

/** Puts on record that the provider shows otherwise than a person said; once, until somebody says anew. */
export async function contradictIntent(
  tx: Tx,
  { intent: { tenant, id }, kind, by }: Omit<Conclusion, "hasHappened">,
): Promise<void> {
  const isSaid = and(named({ tenant, id }), isNotNull(bankIntent.endedBy), isNull(bankIntent.contradictedAt));
  const [contradicted] = await tx.update(bankIntent).set({ contradictedAt: now }).where(isSaid).returning();
  if (contradicted === undefined) return;
  await kind.unreadable(tx, { tenant, by, object: contradicted.object, intentId: id, cause: "contradicted" });
}

/** Only what is looked at so long after it was sent tells that it had no effect. */
const SHOWS_AFTER_MS = 60_000;
type Ordered = Record<"tenant" | "intentId", AnyPgColumn>;

/** Joins what was ordered with its intent. */
export const ofIntent = ({ tenant, intentId }: Ordered): SQL | undefined =>
  and(eq(bankIntent.tenant, tenant), eq(bankIntent.id, intentId));

export const isSending = sql<boolean>`${bankIntent.state} = 'SENDING'`;

/** It was sent, and whether it had an effect is not known: it stays so until it is found, or a person says. */
export const isLookedFor: SQL = inArray(bankIntent.state, ["SENDING", "UNKNOWN"]);

/** What the provider showed at `lookedAt`, long enough after it was sent, would show its effect. */
export const wasLookedSince = (lookedAt: AnyPgColumn | SQL) =>
  sql<boolean>`coalesce(${lookedAt} > ${bankIntent.firstSentAt} + ${SHOWS_AFTER_MS} * interval '1 millisecond', false)`;

type Open<Candidate> = { isSending: boolean; candidates: readonly Candidate[] };

/** The one of its candidates that can have come of nothing else among `all`; several need a person. */
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

/** What an attempt says of its intent. */
export type Verdict = {
  state: Exclude<IntentState, "SENDING">;
  /** Whether it holds whoever else is finding out about the same intent. */
  isConclusive: boolean;
  /** Whether the same bytes may go out again, under the same key, before anybody is told. */
  canTryAgain: boolean;
  kept: string | null;
  requestId: string | null;
  /** SHA-256 in hex of the answer's text; null when there was none. */
  answerHash: string | null;
  error: unknown;
};

type Known = {
  isKeyed: boolean;
  /** Whether an attempt before this one may have taken effect. */
  mayHaveExecuted: boolean;
};

/** Whether a failed write may have taken effect all the same. */
function isAmbiguous({ kind, details: { mayHaveExecuted } }: BankError): boolean {
  return mayHaveExecuted ?? (kind === "unavailable" || kind === "malformed");
}

/** Given under a key, these are what the business said the first time: our assumption, for the interface names none. */
const BUSINESS_STATUSES: readonly (number | undefined)[] = [404, 422];

function refused(
  error: BankError,
  { isKeyed, mayHaveExecuted }: Known,
): Pick<Verdict, "state" | "isConclusive" | "canTryAgain"> {
  const { kind, details } = error;
  const isOfBusiness = kind === "blocked" || BUSINESS_STATUSES.includes(details.status);
  const isPassing = kind === "rate-limited" || kind === "unavailable";
  if (!mayHaveExecuted || isOfBusiness) {
    return { state: "REFUSED", isConclusive: !isKeyed || isOfBusiness, canTryAgain: isKeyed && isPassing };
  }
  // A refusal at the gate is this attempt's; the earlier one may be running yet (409) or have run.
  return { state: "UNKNOWN", isConclusive: false, canTryAgain: isPassing || kind === "conflict" };
}

const NOT_KNOWN = { state: "UNKNOWN", isConclusive: false, canTryAgain: false, kept: null } as const;

/** Judges a failed attempt (interface: Errors › HTTP statuses; Antifraud-held transaction). */
export function judgeFailure(error: unknown, known: Known): Verdict {
  const { requestId = null, answerHash = null } = error instanceof BankError ? error.details : {};
  const unsure = { ...NOT_KNOWN, requestId, answerHash, error };
  if (!(error instanceof BankError)) return unsure;
  if (error.kind === "held") {
    const isHeld = error.details.code === "TRANSACTION_PENDING_APPROVAL";
    return isHeld ? { ...unsure, state: "HELD", isConclusive: true } : unsure;
  }
  if (isAmbiguous(error)) return { ...unsure, canTryAgain: known.isKeyed && error.kind === "unavailable" };
  return { ...unsure, ...refused(error, known) };
}

/** Judges an answered attempt: a success that does not say so leaves a doubt. */
export function judgeAnswer(answered: AnsweredAttempt): Verdict {
  const isDone = answered.kept !== null;
  return { ...answered, state: isDone ? "DONE" : "UNKNOWN", isConclusive: isDone, canTryAgain: false, error: null };
}

/** Refused on our own side: nothing left. */
export function refusedUnsent(error: unknown): Verdict {
  return { ...NOT_KNOWN, state: "REFUSED", requestId: null, answerHash: null, error };
}

/** What was not known has had no effect: it was looked for, and is not there. */
export const unseen = (code: string): Verdict => ({
  ...NOT_KNOWN,
  state: "REFUSED",
  isConclusive: true,
  requestId: null,
  answerHash: null,
  error: new BankError("conflict", { code }),
});

/** What was not known has taken effect: it was seen, though its answer never was. */
export const SEEN: Verdict = {
  ...NOT_KNOWN,
  state: "DONE",
  isConclusive: true,
  requestId: null,
  answerHash: null,
  error: null,
};
