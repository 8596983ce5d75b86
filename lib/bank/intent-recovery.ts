import { and, eq, inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { Actor } from "@/lib/auth/grant";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { withoutParameters } from "@/lib/store/error";
import { instanceId } from "@/lib/store/lease";
import { unseal } from "@/lib/store/seal";
import type { Db } from "@/lib/store/store";
import type { Intent, RecoverableKind } from "./intent-kind";
import { intentPlace } from "./intent-place";
import { isAbandoned, sendingUntil, widerLater } from "./intent-record";
import { bankIntent } from "./intent-schema";
import { attempt, end, type IntentDoor } from "./intent-sending";

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

/** See `Intents.settle`. */
export async function settleAbandoned(recovery: Recovery): Promise<void> {
  const { store, actor, inFlight } = recovery;
  const isSent = sql`${bankIntent.attempts} > 0`;
  await store.transaction(async (tx) => {
    const settled = await tx
      .update(bankIntent)
      .set({
        state: sql`case when ${isSent} then 'UNKNOWN' else 'REFUSED' end`,
        code: sql`case when ${isSent} then 'sender-gone' else 'never-sent' end`,
        mayHaveExecuted: sql`${isSent}`,
        finishedAt: sql`case when ${isSent} then null else clock_timestamp() end`,
        nextTryAt: sql`case when ${isSent} and ${bankIntent.bodySealed} is not null then clock_timestamp() end`,
      })
      .where(and(ofKinds(recovery), isAbandoned(env().databaseUrl === null), notInArray(bankIntent.id, [...inFlight])))
      .returning();
    for (const intent of settled) await kindOf(recovery, intent)?.ended(tx, intent, actor.id);
  });
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
  const kind = kindOf(recovery, intent);
  if (kind === undefined || intent.bodySealed === null) return false;
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
    for (const answer of asked) {
      if (answer.status === "rejected") log.error({ err: withoutParameters(answer.reason) }, "intent not recovered");
    }
    // When nothing can be learnt, the provider has other troubles than ours: the next round asks.
    if (due.length < AT_ONCE || asked.every((answer) => answer.status === "rejected" || !answer.value)) return;
  }
}
