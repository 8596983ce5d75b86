import { sql } from "drizzle-orm";
import type { z } from "zod";
import { decidingPermission } from "./view";
import type { Actor } from "@/lib/permission/grant";
import { can } from "@/lib/permission/permission";
import { AppError, refuse } from "@/lib/errors/app-error";
import { db } from "@/lib/db/connection";
import { approvalCan } from "./can";
import { sealComment } from "./snapshot";
import type { Commenting } from "./inputs";
import { approvalComment } from "@/lib/db/tables/approvals";
import { findApproval, announce } from "./records";

/** Idempotent. Throws not-found, and forbidden `approval-not-yours` for others than maker and deciders. */
export async function comment(
  actor: Actor<"approvals:read">,
  { approvalId, commentId, text }: z.output<typeof Commenting>,
): Promise<null> {
  const { tenant, id: staffId, roles } = actor;
  return (await db()).transaction(async (tx) => {
    const row = await findApproval(tx, { tenant, id: approvalId });
    if (row === null) throw new AppError("not-found", { code: "approval" });
    const mayDecide = can(roles, decidingPermission(row.kind));
    refuse(approvalCan.comment({ isMine: row.makerId === staffId, mayDecide }));
    const which = { tenant, id: commentId };
    const written = { approvalId, staffId, textSealed: sealComment(which, text), createdAt: sql`clock_timestamp()` };
    const [stored] = await tx
      .insert(approvalComment)
      .values({ ...which, ...written })
      .onConflictDoNothing()
      .returning();
    if (stored === undefined) return null;
    await announce(tx, row, { by: staffId, code: "approval.comment", outcome: "DONE" });
    return null;
  });
}
