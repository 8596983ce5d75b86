import { randomUUID } from "node:crypto";
import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { instanceId } from "@/lib/store/lease";
import { seal } from "@/lib/store/seal";
import type { Db, Tx } from "@/lib/store/store";
import { BankError } from "./error";
import type { Intent } from "./intent-kind";
import { intentPlace } from "./intent-place";
import { bankIntent } from "./intent-schema";
import type { Verdict } from "./intent-verdict";

/** Longer than an attempt can take. Who is slower loses nothing: what it learns is written all the same. */
const SENDING_FOR_MS = 75_000;

// The store's own clock: those of the instances may differ.
export const now = sql`clock_timestamp()`;
export const sendingUntil = sql`clock_timestamp() + ${SENDING_FOR_MS} * interval '1 millisecond'`;
/** Half of its age later, between half a minute and an hour. */
export const widerLater = sql`clock_timestamp() + greatest(interval '30 seconds',
  least(interval '1 hour', (clock_timestamp() - ${bankIntent.firstSentAt}) / 2))`;

export type Opening = Pick<Intent, "tenant" | "id" | "operation" | "object" | "actor" | "bodyHash"> & {
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

export const named = ({ tenant, id }: Pick<Intent, "tenant" | "id">) =>
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
