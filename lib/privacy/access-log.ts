import { sql } from "drizzle-orm";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import type { CustomerObject } from "./view";
import { db } from "@/lib/store/store";
import { customerAccess } from "./schema";

// A page left open counts as one access, repeated each hour.
const isAnotherReading = sql`(${customerAccess.seenAt} < now() - interval '5 minutes'
  or ${customerAccess.recordedAt} < now() - interval '1 hour')`;

/** Awaited before the data is answered. Renderings less than five minutes apart are one access. */
export async function recordAccess(actor: Actor, object: CustomerObject): Promise<void> {
  if (actor.isWatch) return;
  const { tenant, id } = actor;
  await (
    await db()
  ).transaction(async (tx) => {
    const [seen] = await tx
      .insert(customerAccess)
      .values({ tenant, actor: id, object, recordedAt: sql`now()`, seenAt: sql`now()` })
      .onConflictDoUpdate({
        target: [customerAccess.tenant, customerAccess.actor, customerAccess.object],
        set: {
          recordedAt: sql`case when ${isAnotherReading} then now() else ${customerAccess.recordedAt} end`,
          seenAt: sql`now()`,
        },
      })
      .returning({ isNew: sql`${customerAccess.recordedAt} = ${customerAccess.seenAt}`.mapWith(Boolean) });
    if (seen?.isNew === false) return;
    await record(tx, { tenant, actor: id, code: "customer.view", outcome: "DONE", object });
  });
}
