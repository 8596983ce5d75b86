import type { Actor } from "@/lib/permission/grant";
import { AppError, refuse } from "@/lib/errors/app-error";
import { db } from "@/lib/db/connection";
import { approvalCan } from "./can";
import { holdApproval, transition, announce } from "./records";
import type { Concluded } from "./execute";

/** Throws forbidden `approval-not-yours` and conflict `approval-ended`. */
export async function withdraw(
  actor: Actor<"approvals:read">,
  { approvalId }: { approvalId: string },
): Promise<Concluded> {
  const { tenant, id: by } = actor;
  return (await db()).transaction(async (tx) => {
    const row = await holdApproval(tx, { tenant, id: approvalId });
    if (row === null) throw new AppError("not-found", { code: "approval" });
    const { state: from } = row;
    refuse(approvalCan.withdraw({ state: from, isMine: row.makerId === by }));
    const moved = await transition(tx, row, { from, to: "WITHDRAWN" });
    if (moved === null) throw new AppError("conflict", { code: "approval-ended" });
    await announce(tx, moved, { by, code: "approval.withdraw", outcome: "DONE" });
    return { state: moved.state, code: moved.code };
  });
}
