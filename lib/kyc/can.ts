import { approvalCan } from "@/lib/approvals/can";
import type { KycStatus, ManualDecision } from "@/lib/contract/kyc";
import { conflict, forbidden } from "@/lib/errors/denial";

type Escalated = { escalation: { isOpen: boolean } | null };
type Work = { status: KycStatus } & Escalated;

const escalated = ({ escalation }: Escalated) => (escalation?.isOpen === true ? conflict("case-escalated") : null);

export const caseCan = {
  decide: ({ pendingApproval, ...subject }: { pendingApproval: unknown } & Escalated) =>
    approvalCan.propose({ isOpen: pendingApproval !== null }) ?? escalated(subject),
  putOff: ({ status, ...subject }: Work) =>
    status === "APPROVED" || status === "REPROVED" ? conflict("case-closed") : escalated(subject),
  escalate: ({ pendingApproval, ...subject }: { pendingApproval: unknown } & Work) =>
    caseCan.putOff(subject) ?? approvalCan.propose({ isOpen: pendingApproval !== null }),
  /** Answered by somebody else than who asked. */
  takeEscalation: ({ isMine }: { isMine: boolean }) => (isMine ? forbidden("escalation-own") : null),
  choose: ({ status }: { status: KycStatus }, decision: ManualDecision["decision"]) =>
    status === decision ? "same-decision" : null,
};
