import { and, asc, eq, sql } from "drizzle-orm";
import { kycCase } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { kycEvent } from "./schema";

/** For so long it is as though they had waited, of the twenty-four hours that people have: one is late, two are due soon. */
const WAITED_HOURS = [27, 21, 18, 11, 5] as const;

/**
 * Sets back when the demo's people's cases came, as though the desk had been at work for a day. The provider gives no dates, so
 * at the first look every case is new; where fewer wait, it is no demo, and nothing changes.
 */
export async function ageDemo(store: Db, tenant: string): Promise<void> {
  await store.transaction(async (tx) => {
    const { kycUUID, kycType, status, seq } = kycCase;
    const waiting = await tx
      .select({ kycUUID })
      .from(kycCase)
      .where(and(eq(kycCase.tenant, tenant), eq(status, "PENDING"), eq(kycType, "PF")))
      .orderBy(asc(seq))
      .limit(WAITED_HOURS.length);
    if (waiting.length < WAITED_HOURS.length) return;
    const rows = waiting.map(({ kycUUID: id }, place) => sql`(${id}::text, ${WAITED_HOURS[place]}::int)`);
    const aged = sql`(values ${sql.join(rows, sql`, `)}) as aged (id, hours)`;
    const earlier = sql`aged.hours * interval '1 hour'`;
    await tx
      .update(kycCase)
      .set({
        firstSeenAt: sql`${kycCase.firstSeenAt} - ${earlier}`,
        changedAt: sql`${kycCase.changedAt} - ${earlier}`,
        waitingSince: sql`${kycCase.waitingSince} - ${earlier}`,
        dueAt: sql`${kycCase.dueAt} - ${earlier}`,
      })
      .from(aged)
      .where(and(eq(kycCase.tenant, tenant), eq(kycUUID, sql`aged.id`)));
    await tx
      .update(kycEvent)
      .set({ at: sql`${kycEvent.at} - ${earlier}` })
      .from(aged)
      .where(and(eq(kycEvent.tenant, tenant), eq(kycEvent.kycUUID, sql`aged.id`)));
  });
}
