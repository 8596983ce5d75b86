import { and, eq, lte, sql } from "drizzle-orm";
import { env } from "@/lib/env";
import { staff } from "@/lib/store/schema";
import { type Db, db } from "@/lib/store/store";
import { endWhere, hashOf, isLiving, type Session } from "./sessions";
import { forgetOldTries } from "./sign-in-try";
import { type EndReason, staffSession } from "./schema";

const now = sql`clock_timestamp()`;
const idleSince = () => sql`clock_timestamp() - ${env().sessionIdleMs} * interval '1 millisecond'`;

/**
 * The person of this session is there: it lasts from now on as if they had just signed in, but not beyond its twelve hours.
 * Returns how many milliseconds that is, or null when it has ended.
 */
export async function notePresence(session: Session): Promise<number | null> {
  const endsAt = sql`least(${staffSession.expiresAt}, ${staffSession.seenAt} + ${env().sessionIdleMs} * interval '1 millisecond')`;
  const [seen] = await (
    await db()
  )
    .update(staffSession)
    .set({ seenAt: now })
    .where(and(eq(staffSession.idHash, session.idHash), isLiving(env().sessionIdleMs)))
    .returning({ endsInMs: sql`(extract(epoch from ${endsAt} - clock_timestamp()) * 1000)::float8`.mapWith(Number) });
  return seen?.endsInMs ?? null;
}

/** Why this session opens nothing any more; null for an id that never was one. */
export async function findEnding(sessionId: string): Promise<EndReason | null> {
  const [row] = await (
    await db()
  )
    .select({
      endReason: staffSession.endReason,
      isExpired: sql<boolean>`${staffSession.expiresAt} <= ${now}`,
      isIdle: sql<boolean>`${staffSession.seenAt} <= ${idleSince()}`,
      isDisabled: sql<boolean>`${staff.disabledAt} is not null`,
    })
    .from(staffSession)
    .innerJoin(staff, eq(staff.id, staffSession.staffId))
    .where(eq(staffSession.idHash, hashOf(sessionId)));
  if (row === undefined) return null;
  if (row.endReason !== null) return row.endReason;
  if (row.isExpired) return "expired";
  if (row.isIdle) return "idle";
  // Nobody ended it, nor did time: what is left is that its person may enter nowhere any more.
  return row.isDisabled ? "disabled" : "roles-changed";
}

/** Ends the sessions at this tenant whose time is over, so that their end is on record, and forgets old tries. */
export async function endTimedOut(store: Db, tenant: string): Promise<void> {
  await store.transaction(async (tx) => {
    const isHere = eq(staffSession.tenant, tenant);
    await endWhere(tx, and(isHere, lte(staffSession.expiresAt, now)), { reason: "expired", by: "watch:sessions" });
    await endWhere(tx, and(isHere, lte(staffSession.seenAt, idleSince())), { reason: "idle", by: "watch:sessions" });
  });
  await forgetOldTries(store);
}
