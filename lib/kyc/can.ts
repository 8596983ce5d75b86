import { approvalCan } from "@/lib/approvals/can";
import type { KycStatus, ManualDecision } from "@/lib/contract/kyc";

export const caseCan = {
  decide: ({ pendingApproval }: { pendingApproval: unknown }) =>
    approvalCan.propose({ isOpen: pendingApproval !== null }),
  choose: ({ status }: { status: KycStatus }, decision: ManualDecision["decision"]) =>
    status === decision ? "same-decision" : null,
};
