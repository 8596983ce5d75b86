import { useTranslations } from "next-intl";
import Link from "next/link";
import { Notice } from "@/components/ui/notice";
import type { KycRow } from "@/lib/kyc/queries";

type Reader = { id: string; permissions: readonly string[] };

type WaitingProposalProps = { proposal: NonNullable<KycRow["proposal"]>; desk: Reader };

/** Who follows proposals, or made this one, is led to it; the others learn that it waits. */
const maySee = ({ id, permissions }: Reader, makerId: string) =>
  id.startsWith(`${makerId}:`) || permissions.includes("approvals:authorize") || permissions.includes("audit:read");

/** Says beside the case that somebody else has yet to agree to a decision about it. */
export function WaitingProposal({ proposal, desk }: WaitingProposalProps) {
  const t = useTranslations("approvals");
  return (
    <Notice tone="warning" className="mx-5 mb-3">
      {t("waitsFor", { name: proposal.makerName })}{" "}
      {maySee(desk, proposal.makerId) ? (
        <Link href={`/approvals/${proposal.approvalId}`} prefetch={false} className="font-medium text-accent underline">
          {t("seeProposal")}
        </Link>
      ) : null}
    </Notice>
  );
}
