import { and, desc, eq } from "drizzle-orm";
import { env } from "@/lib/env";
import type { OwnSession } from "@/lib/own-session";
import { type Db, db } from "@/lib/store/store";
import { endSessionsOf, endWhere, isLiving, type Session } from "./sessions";
import { staffSession } from "./schema";

/** The living sessions of this session's person: their own first, then the one used last. */
export async function readOwnSessions(store: Db, session: Session): Promise<OwnSession[]> {
  const rows = await store
    .select()
    .from(staffSession)
    .where(and(eq(staffSession.staffId, session.staffId), isLiving(env().sessionIdleMs)))
    .orderBy(desc(staffSession.seenAt));
  const own = rows.map((row) => ({
    ref: row.ref,
    isThis: row.idHash === session.idHash,
    browser: row.browser,
    system: row.system,
    maskedAddress: row.maskedAddress,
    how: row.how,
    secondFactor: row.secondFactor,
    openedAt: row.createdAt.toISOString(),
    seenAt: row.seenAt.toISOString(),
  }));
  return [...own.filter(({ isThis }) => isThis), ...own.filter(({ isThis }) => !isThis)];
}

/** The person ends another of their sessions; false when it has ended already, or never was theirs. */
export async function endOwn(session: Session, ref: string): Promise<boolean> {
  const isTheirs = and(eq(staffSession.ref, ref), eq(staffSession.staffId, session.staffId));
  const why = { reason: "ended-by-owner", by: session.staffId } as const;
  return (await (await db()).transaction((tx) => endWhere(tx, isTheirs, why))) > 0;
}

/** The person ends all their sessions but this one; returns how many. */
export async function endOthers(session: Session): Promise<number> {
  const why = { reason: "ended-by-owner", by: session.staffId, at: [], except: session.idHash } as const;
  return (await db()).transaction((tx) => endSessionsOf(tx, session.staffId, why));
}
