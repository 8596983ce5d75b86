import { useTranslations } from "next-intl";
import { caseCan } from "@/lib/kyc/can";
import type { KycRow } from "@/lib/kyc/queries";

/** Why nobody, or not this person, can decide now; `denial` is the person's. */
export function useBlockedReason(subject: KycRow, denial: string | null): string | null {
  const t = useTranslations("approvals");
  const escalated = useTranslations("triage.escalate");
  if (denial !== null || caseCan.decide(subject) === null) return denial;
  if (subject.pendingApproval === null) return escalated("blocked");
  return t(subject.pendingApproval.isUnderWay ? "alreadyUnderWay" : "alreadyWaits", {
    name: subject.pendingApproval.makerName,
  });
}
