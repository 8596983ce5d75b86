import { and, eq, not, sql } from "drizzle-orm";
import { cache } from "react";
import { record } from "@/lib/audit/record";
import type { Actor } from "@/lib/auth/grant";
import type { CustomerObject } from "./view";
import { preparedOnce } from "@/lib/store/prepared";
import { db } from "@/lib/store/store";
import { customerAccess } from "./schema";

// A page left open counts as one access, repeated each hour.
const isAnotherReading = sql`(${customerAccess.seenAt} < now() - interval '5 minutes'
  or ${customerAccess.recordedAt} < now() - interval '1 hour')`;

const seenAgain = preparedOnce((store) =>
  store
    .update(customerAccess)
    .set({ seenAt: sql`now()` })
    .where(
      and(
        eq(customerAccess.tenant, sql.placeholder("tenant")),
        eq(customerAccess.actor, sql.placeholder("id")),
        eq(customerAccess.object, sql.placeholder("object")),
        not(isAnotherReading),
      ),
    )
    .returning({ object: customerAccess.object })
    .prepare("customer_seen_again"),
);

const recordOnce = cache(async (tenant: string, id: string, object: CustomerObject): Promise<void> => {
  const store = await db();
  if ((await seenAgain(store).execute({ tenant, id, object })).length > 0) return;
  await store.transaction(async (tx) => {
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
});

/** Awaited before the data is answered. Renderings less than five minutes apart are one access. */
export async function recordAccess(actor: Actor, object: CustomerObject): Promise<void> {
  if (!actor.isWatch) await recordOnce(actor.tenant, actor.id, object);
}
