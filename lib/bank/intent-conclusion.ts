import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/lib/store/store";
import type { Intent, RecoverableKind } from "./intent-kind";
import { named, now } from "./intent-record";
import { bankIntent } from "./intent-schema";

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
