import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { db } from "@/lib/db/connection";
import { transition, announce } from "./records";
import { approval } from "@/lib/db/tables/approvals";

export async function expireOverdue(tenant: string, by: string): Promise<void> {
  const store = await db();
  const isOverdue = lte(approval.expiresAt, sql`clock_timestamp()`);
  const overdue = await store
    .select({ id: approval.id, from: approval.state })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), inArray(approval.state, ["PENDING", "READY"]), isOverdue));
  for (const { id, from } of overdue) {
    await store.transaction(async (tx) => {
      const moved = await transition(tx, { tenant, id }, { from, to: "EXPIRED" });
      if (moved !== null) await announce(tx, moved, { by, code: "approval.expire", outcome: "DONE" });
    });
  }
}
