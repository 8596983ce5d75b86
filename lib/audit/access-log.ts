import { and, eq, gt, inArray, not, sql } from "drizzle-orm";
import { cache } from "react";
import { record, recordAll } from "./record";
import type { Actor } from "@/lib/permission/grant";
import type { CustomerObject } from "@/lib/db/enums/privacy";
import { storeTimeBefore } from "@/lib/db/clock";
import { preparedOnce } from "@/lib/db/prepared";
import { auditEvent } from "@/lib/db/tables/audit";
import { db } from "@/lib/db/connection";
import { customerAccess } from "@/lib/db/tables/privacy";

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
    const seen = { recordedAt: sql`now()`, seenAt: sql`now()` };
    const [first] = await tx
      .insert(customerAccess)
      .values({ tenant, actor: id, object, ...seen })
      .onConflictDoUpdate({
        target: [customerAccess.tenant, customerAccess.actor, customerAccess.object],
        set: seen,
        setWhere: isAnotherReading,
      })
      .returning({ object: customerAccess.object });
    // Another window recorded it meanwhile.
    if (first === undefined) return;
    await record(tx, { tenant, actor: id, code: "customer.view", outcome: "DONE", object });
  });
});

/** Awaited before the data is returned. Renders less than five minutes apart are one access. */
export async function recordAccess(actor: Actor, object: CustomerObject): Promise<void> {
  if (!actor.isWatch) await recordOnce(actor.tenant, actor.id, object);
}

const HOUR_MS = 3_600_000;

/** Records a hit in a search by document, once an hour. Awaited before the hits are returned. */
export async function recordFound({ tenant, id: actor }: Actor, objects: readonly CustomerObject[]): Promise<void> {
  if (objects.length === 0) return;
  const what = { tenant, actor, code: "customer.search", outcome: "DONE" } as const;
  const store = await db();
  const known = await store
    .select({ object: auditEvent.object })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.tenant, tenant),
        eq(auditEvent.actor, actor),
        eq(auditEvent.code, what.code),
        inArray(auditEvent.object, [...objects]),
        gt(auditEvent.at, storeTimeBefore(HOUR_MS)),
      ),
    );
  const others = objects.filter((object) => !known.some((one) => one.object === object));
  if (others.length === 0) return;
  await store.transaction((tx) =>
    recordAll(
      tx,
      others.map((object) => ({ ...what, object })),
    ),
  );
}
