import { and, eq, inArray, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { env } from "@/lib/env";
import { isStoreTrouble } from "@/lib/store/error";
import { instanceId } from "@/lib/store/lease";
import { unseal } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import type { Intent, RecoverableKind } from "./intent-kind";
import { intentPlace } from "./intent-place";
import { isAbandoned, sendingUntil, widerLater } from "./intent-record";
import { bankIntent } from "./intent-schema";
import { attempt, end, type IntentDoor } from "./intent-sending";
import * as operations from "./operations";

/** Our assumption: keys are kept for 24 hours. An hour less, for an attempt takes time and clocks differ. */
const isKeyAlive = sql`${bankIntent.firstSentAt} > clock_timestamp() - interval '23 hours'`;
const AT_ONCE = 10;

export type Recovery = {
  door: IntentDoor;
  store: Db;
  actor: Actor;
  kinds: readonly RecoverableKind[];
  /** Those of the tenant that this process is sending. */
  inFlight: readonly string[];
};

const ofKinds = ({ actor, kinds }: Recovery): SQL | undefined =>
  and(
    eq(bankIntent.tenant, actor.tenant),
    inArray(
      bankIntent.operation,
      kinds.map(({ path }) => path),
    ),
  );

const kindOf = ({ kinds }: Recovery, { operation }: Intent) => kinds.find(({ path }) => path === operation);

const ABANDONED = {
  state: sql`case when ${bankIntent.attempts} > 0 then 'UNKNOWN' else 'REFUSED' end`,
  code: sql`case when ${bankIntent.attempts} > 0 then 'sender-gone' else 'never-sent' end`,
  mayHaveExecuted: sql`${bankIntent.attempts} > 0`,
  finishedAt: sql`case when ${bankIntent.attempts} > 0 then null else clock_timestamp() end`,
};

/** When it is due again: what no attempt left, or whose bytes were not kept, is not. */
const asksAtOnce = sql`case when ${bankIntent.attempts} > 0 and ${bankIntent.bodySealed} is not null then clock_timestamp() end`;

const kindNamed = (recovery: Recovery, intent: Intent): RecoverableKind => {
  const kind = kindOf(recovery, intent);
  if (kind === undefined) throw new Error(`nothing here recovers ${intent.operation}`);
  return kind;
};

/**
 * Leaves an intent to people that `kind` can do nothing with, as a try at it has just shown: that is on record, and nothing is
 * sent by itself any more. Throws what the store is to blame for.
 */
export async function setAside(
  { store, actor, kind }: Pick<Recovery, "store" | "actor"> & { kind: RecoverableKind },
  { tenant, id: intentId, object }: Intent,
  cause: unknown,
): Promise<void> {
  if (isStoreTrouble(cause)) throw cause;
  const isIt = and(eq(bankIntent.tenant, tenant), eq(bankIntent.id, intentId));
  await store.transaction(async (tx) => {
    await tx
      .update(bankIntent)
      .set(ABANDONED)
      .where(and(isIt, eq(bankIntent.state, "SENDING")));
    await tx.update(bankIntent).set({ nextTryAt: null }).where(isIt);
    await kind.unreadable(tx, { tenant, by: actor.id, object, intentId, cause });
  });
}

/** See `Intents.settle`. Each by itself: what is wrong with one keeps none of the others. */
export async function settleAbandoned(recovery: Recovery): Promise<void> {
  const { store, actor, inFlight } = recovery;
  const isLeft = and(
    ofKinds(recovery),
    isAbandoned(env().databaseUrl === null),
    notInArray(bankIntent.id, [...inFlight]),
  );
  for (const intent of await store.select().from(bankIntent).where(isLeft)) {
    const settling = store.transaction(async (tx) => {
      const [settled] = await tx
        .update(bankIntent)
        .set({ ...ABANDONED, nextTryAt: asksAtOnce })
        .where(and(isLeft, eq(bankIntent.id, intent.id), eq(bankIntent.key, intent.key)))
        .returning();
      if (settled !== undefined) await kindNamed(recovery, settled).ended(tx, settled, actor.id);
    });
    const [settled] = await Promise.allSettled([settling]);
    if (settled.status === "rejected")
      await setAside({ ...recovery, kind: kindNamed(recovery, intent) }, intent, settled.reason);
  }
}

const isUnknown = (recovery: Recovery, more: SQL) => and(ofKinds(recovery), eq(bankIntent.state, "UNKNOWN"), more);

/** After the key's time the same bytes would be a second order: a person decides. */
async function leaveToPeople(recovery: Recovery): Promise<void> {
  const isOver = sql`${bankIntent.nextTryAt} is not null and not (${isKeyAlive})`;
  await recovery.store.update(bankIntent).set({ nextTryAt: null }).where(isUnknown(recovery, isOver));
}

/** Takes what is due, with the next time already set: who dies over it leaves it to the next round. */
async function takeDue(recovery: Recovery): Promise<Intent[]> {
  const { store } = recovery;
  const isDue = sql`${bankIntent.nextTryAt} <= clock_timestamp() and ${isKeyAlive}`;
  const due = store
    .select({ id: bankIntent.id })
    .from(bankIntent)
    .where(isUnknown(recovery, isDue))
    .orderBy(bankIntent.nextTryAt)
    .limit(AT_ONCE);
  return store
    .update(bankIntent)
    .set({
      owner: instanceId(),
      attempts: sql`${bankIntent.attempts} + 1`,
      mayHaveExecuted: true,
      sendingUntil,
      nextTryAt: widerLater,
    })
    .where(and(isUnknown(recovery, isDue), inArray(bankIntent.id, due)))
    .returning();
}

/** Sends the same bytes under the same key; true when that told what became of the intent. */
async function askAgain(recovery: Recovery, intent: Intent): Promise<boolean> {
  const kind = kindNamed(recovery, intent);
  if (intent.bodySealed === null) return false;
  const { door, actor } = recovery;
  const verdict = await attempt(
    { door, kind, actor, bytes: unseal(intent.bodySealed, intentPlace("body_sealed", intent)) },
    intent,
  );
  if (verdict.state === "UNKNOWN") return false;
  return (await end({ ...recovery, kind }, intent, verdict)) !== null;
}

/** See `Intents.recover`. One instance at a time. */
export async function recoverIntents(recovery: Recovery): Promise<void> {
  await settleAbandoned(recovery);
  await leaveToPeople(recovery);
  for (;;) {
    const due = await takeDue(recovery);
    const asked = await Promise.allSettled(due.map((intent) => askAgain(recovery, intent)));
    for (const [index, intent] of due.entries()) {
      const answer = asked[index];
      if (answer?.status !== "rejected") continue;
      await setAside({ ...recovery, kind: kindNamed(recovery, intent) }, intent, answer.reason);
    }
    // When nothing can be learnt, the provider has other troubles than ours: the next round asks.
    if (due.length < AT_ONCE || asked.every((answer) => answer.status === "rejected" || !answer.value)) return;
  }
}

/** The open intents of a tenant whose operation is none of this version's. */
export async function unknownIntents(store: Db, tenant: string): Promise<Intent[]> {
  const known = Object.values(operations).map(({ path }) => path);
  const isOpen = or(isAbandoned(env().databaseUrl === null), eq(bankIntent.state, "UNKNOWN"));
  return store
    .select()
    .from(bankIntent)
    .where(and(eq(bankIntent.tenant, tenant), notInArray(bankIntent.operation, known), isOpen));
}
