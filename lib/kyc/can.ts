import { approvalCan } from "@/lib/approvals/can";
import type { KycStatus, ManualDecision } from "@/lib/contract/kyc";
import { conflict } from "@/lib/errors/denial";

export const caseCan = {
  decide: ({ pendingApproval }: { pendingApproval: unknown }) =>
    approvalCan.propose({ isOpen: pendingApproval !== null }),
  /** Put off, or given to the second level. */
  work: ({ status }: { status: KycStatus }) =>
    status === "APPROVED" || status === "REPROVED" ? conflict("case-closed") : null,
  choose: ({ status }: { status: KycStatus }, decision: ManualDecision["decision"]) =>
    status === decision ? "same-decision" : null,
};
