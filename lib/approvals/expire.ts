import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "@/lib/store/store";
import { moveOn, tell } from "./row";
import { approval } from "./schema";

/** Ends what nobody decided about in time, and tells whoever proposed it. */
export async function expireOverdue(tenant: string, by: string): Promise<void> {
  const store = await db();
  const isOverdue = lte(approval.expiresAt, sql`clock_timestamp()`);
  const overdue = await store
    .select({ id: approval.id })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), eq(approval.state, "PENDING"), isOverdue));
  for (const { id } of overdue) {
    await store.transaction(async (tx) => {
      const moved = await moveOn(tx, { tenant, id }, { from: "PENDING", to: "EXPIRED" });
      if (moved !== null) await tell(tx, moved, { by, code: "approval.expire", outcome: "DONE" });
    });
  }
}
