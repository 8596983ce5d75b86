import type { ApprovalKindName } from "@/lib/permission/writes";
import { and, eq, inArray, lte } from "drizzle-orm";
import { restoredUntil } from "@/lib/audit/restored";
import { db, type Tx } from "@/lib/db/connection";
import { approval } from "@/lib/db/tables/approvals";
import { AppError } from "@/lib/errors/app-error";
import { type ApprovalId, announce, findApproval, transition } from "./records";

const RESTORED = "approval-restored";

/** Throws conflict `approval-restored` when it may have run in the lost part of the record. */
export async function refuseRestored(tx: Tx, which: ApprovalId): Promise<void> {
  const until = await restoredUntil(tx, which.tenant);
  const row = until === null ? null : await findApproval(tx, which);
  if (until !== null && row !== null && row.createdAt <= until) throw new AppError("conflict", { code: RESTORED });
}

/** Ends requests from before a restore: without a key, nobody can tell whether the write was sent in the lost time. */
export async function endRestored(tenant: string, kinds: readonly ApprovalKindName[], by: string): Promise<void> {
  const store = await db();
  const until = await restoredUntil(store, tenant);
  if (until === null) return;
  const isOpen = and(inArray(approval.kind, [...kinds]), inArray(approval.state, ["PENDING", "READY"]));
  const open = await store
    .select({ id: approval.id, from: approval.state })
    .from(approval)
    .where(and(eq(approval.tenant, tenant), isOpen, lte(approval.createdAt, until)));
  for (const { id, from } of open) {
    await store.transaction(async (tx) => {
      const ended = await transition(tx, { tenant, id }, { from, to: "EXPIRED", set: { code: RESTORED } });
      if (ended !== null)
        await announce(tx, ended, { by, code: "approval.expire", outcome: "DONE", detail: { code: RESTORED } });
    });
  }
}
