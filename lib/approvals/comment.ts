import { sql } from "drizzle-orm";
import type { z } from "zod";
import { decidingPermission } from "./view";
import type { Actor } from "@/lib/auth/grant";
import { can } from "@/lib/auth/permission";
import { BankError } from "@/lib/bank/answer";
import { db } from "@/lib/store/store";
import { sealComment } from "./frozen";
import { findApproval, tell } from "./row";
import type { Commenting } from "./rules";
import { approvalComment } from "./schema";

/** Idempotent. Throws not-found, and forbidden `approval-not-yours` for others than maker and deciders. */
export async function comment(
  actor: Actor<"approvals:read">,
  { approvalId, commentId, text }: z.output<typeof Commenting>,
): Promise<null> {
  const { tenant, id: staffId, roles } = actor;
  return (await db()).transaction(async (tx) => {
    const row = await findApproval(tx, { tenant, id: approvalId });
    if (row === null) throw new BankError("not-found", { code: "approval" });
    if (row.makerId !== staffId && !can(roles, decidingPermission(row.kind))) {
      throw new BankError("forbidden", { code: "approval-not-yours" });
    }
    const which = { tenant, id: commentId };
    const written = { approvalId, staffId, textSealed: sealComment(which, text), createdAt: sql`clock_timestamp()` };
    const [kept] = await tx
      .insert(approvalComment)
      .values({ ...which, ...written })
      .onConflictDoNothing()
      .returning();
    if (kept === undefined) return null;
    await tell(tx, row, { by: staffId, code: "approval.comment", outcome: "DONE" });
    return null;
  });
}
