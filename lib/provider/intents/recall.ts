import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Actor } from "@/lib/permission/grant";
import { lookupHash } from "@/lib/db/seal";
import type { Tx } from "@/lib/db/connection";
import { ALONE, endIntent, type Intent, type IntentKind, openIntent } from "./intent-record";
import { providerIntent } from "@/lib/db/tables/provider";
import { MINUTE_MS } from "@/lib/text/time";

const ANSWERED_AFTER_MS = 2_000;

type PastWrite<Body> = {
  kind: Pick<IntentKind<Body, unknown>, "path" | "isKeyed" | "busyCode" | "bytesOf" | "tracedOf">;
  body: Body;
  object: string;
  stored: unknown;
  finishedAt: Date;
  /** Its answer was lost. */
  isLost?: boolean;
};

/** Records it as ordered by the actor and done by the provider at that time: for the demo, which sends nothing. */
export async function recallIntent<Body>(tx: Tx, { tenant, id: actor }: Actor, past: PastWrite<Body>): Promise<Intent> {
  const { kind, body, object, stored, finishedAt, isLost = false } = past;
  const traced = kind.tracedOf(body);
  const id = randomUUID();
  const row = {
    tenant,
    id,
    operation: kind.path,
    object,
    actor,
    bodyHash: lookupHash(traced),
    bytes: kind.isKeyed ? kind.bytesOf(body) : null,
    busyCode: kind.busyCode,
    traced,
  };
  const opened = await openIntent(tx, row, ALONE);
  if (!("intent" in opened)) throw new Error(`intent ${id} was proposed`);
  const { intent } = opened;
  await endIntent(tx, intent, {
    state: isLost ? "UNKNOWN" : "DONE",
    isConclusive: !isLost,
    canTryAgain: false,
    stored: JSON.stringify(stored),
    requestId: null,
    answerHash: null,
    error: null,
  });
  const createdAt = new Date(finishedAt.getTime() - ANSWERED_AFTER_MS);
  const [ended] = await tx
    .update(providerIntent)
    .set({
      createdAt,
      firstSentAt: createdAt,
      finishedAt: isLost ? null : finishedAt,
      attempts: 1,
      mayHaveExecuted: true,
    })
    .where(and(eq(providerIntent.tenant, tenant), eq(providerIntent.id, intent.id)))
    .returning();
  if (ended === undefined) throw new Error(`intent ${intent.id} is not on record`);
  return ended;
}

type Times = Pick<Intent, "firstSentAt" | "finishedAt">;

/** Of what was put on record long after it was sent, when its steps were; null of everything else. */
export function recalledTimes(
  { firstSentAt, finishedAt }: Times,
  recordedAt: Date | undefined,
): Readonly<Record<string, Date>> | null {
  if (firstSentAt === null || recordedAt === undefined) return null;
  if (recordedAt.getTime() - firstSentAt.getTime() < MINUTE_MS) return null;
  const endedAt = finishedAt ?? firstSentAt;
  return { sent: firstSentAt, confirmed: endedAt, done: endedAt, unconfirmed: endedAt };
}
