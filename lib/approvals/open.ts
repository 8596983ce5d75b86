import { and, eq, inArray } from "drizzle-orm";
import { type ApprovalKindName, OPEN_STATES } from "./view";
import { staff } from "@/lib/store/schema";
import type { Db } from "@/lib/store/store";
import { approval } from "./schema";

export type OpenProposal = { approvalId: string; makerId: string; makerName: string; at: string };

export async function openProposals(
  store: Db,
  { tenant, kind }: { tenant: string; kind: ApprovalKindName },
  objects: readonly string[],
): Promise<Map<string, OpenProposal>> {
  if (objects.length === 0) return new Map();
  const { id: approvalId, object, makerId, createdAt } = approval;
  const rows = await store
    .select({ approvalId, object, makerId, createdAt, makerName: staff.name })
    .from(approval)
    .innerJoin(staff, eq(staff.id, approval.makerId))
    .where(
      and(
        eq(approval.tenant, tenant),
        eq(approval.kind, kind),
        inArray(object, [...objects]),
        inArray(approval.state, [...OPEN_STATES]),
      ),
    );
  return new Map(
    rows.map(({ object: about, createdAt: at, ...proposal }) => [about, { ...proposal, at: at.toISOString() }]),
  );
}
