import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { db } from "@/lib/store/store";
import { moveOn, tell } from "./row";
import { approval } from "./schema";

/** Ends what nobody decided about in time, or its maker did not complete, and tells whoever proposed it. */
export async function expireOverdue(tenant: string, by: string): Promise<void> {
  const store = await db();
  const isOverdue = lte(approval.expiresAt, sql`clock_timestamp()`);
  const overdue = await store
    .select({ id: approval.id, from: approval.state })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), inArray(approval.state, ["PENDING", "READY"]), isOverdue));
  for (const { id, from } of overdue) {
    await store.transaction(async (tx) => {
      const moved = await moveOn(tx, { tenant, id }, { from, to: "EXPIRED" });
      if (moved !== null) await tell(tx, moved, { by, code: "approval.expire", outcome: "DONE" });
    });
  }
}
