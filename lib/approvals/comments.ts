import { and, eq } from "drizzle-orm";
import { staff } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { readComment } from "./frozen";
import type { ApprovalId } from "./row";
import { approvalComment } from "./schema";

/** `at` is ISO. */
export type ReadComment = { id: string; byName: string; isMine: boolean; text: string; at: string };

/** What was said about it, oldest first. */
export async function readComments(store: Db, { tenant, id }: ApprovalId, readerId: string): Promise<ReadComment[]> {
  const rows = await store
    .select({ said: approvalComment, byName: staff.name })
    .from(approvalComment)
    .innerJoin(staff, eq(staff.id, approvalComment.staffId))
    .where(and(eq(approvalComment.tenant, tenant), eq(approvalComment.approvalId, id)))
    .orderBy(approvalComment.createdAt);
  return rows.map(({ said, byName }) => ({
    id: said.id,
    byName,
    isMine: said.staffId === readerId,
    text: readComment(said),
    at: said.createdAt.toISOString(),
  }));
}
