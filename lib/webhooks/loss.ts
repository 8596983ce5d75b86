import { and, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "@/lib/db/connection";
import { expectedEvent } from "@/lib/db/tables/webhooks";

/** Of one day back from now: `never` did not come, of those `judged`, which came or whose time is over. */
export type Losses = { never: number; judged: number };

/** One lost event is the provider's normal case: seven seconds of silence are enough for it. */
export const LOSS_COUNT = 5;
export const LOSS_SHARE = 0.05;

/** Whether so much was lost that somebody must be told: `LOSS_COUNT` events, and `LOSS_SHARE` of all that were judged. */
export const isLossGrave = ({ never, judged }: Losses): boolean => never >= LOSS_COUNT && never >= judged * LOSS_SHARE;

/** Of the last 24 hours, of all that came or whose time is over. */
export async function readLosses(store: Db | Tx, tenant: string): Promise<Losses> {
  const { state, seenAt } = expectedEvent;
  const [row] = await store
    .select({
      never: sql`count(*) filter (where ${state} = 'NEVER')`.mapWith(Number),
      judged: sql`count(*) filter (where ${state} <> 'EXPECTED')`.mapWith(Number),
    })
    .from(expectedEvent)
    .where(and(eq(expectedEvent.tenant, tenant), gt(seenAt, sql`statement_timestamp() - interval '1 day'`)));
  return row ?? { never: 0, judged: 0 };
}
