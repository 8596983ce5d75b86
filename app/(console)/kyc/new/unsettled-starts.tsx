"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { UnsettledList } from "@/app/(console)/ordering/unsettled-list";
import { UnsettledOrder } from "@/app/(console)/ordering/unsettled-order";
import { LiveRefresh } from "@/components/live/live-refresh";
import { KycStatusBadge } from "@/components/layout/badges";
import { useAction } from "@/components/form/use-action";
import { settleStart } from "@/lib/kyc/actions";
import type { StartCandidate, UnsettledStart } from "@/lib/kyc/view";

function ShownCase({ kycUUID, status }: StartCandidate) {
  return (
    <>
      <Link
        href={`/kyc/${encodeURIComponent(kycUUID)}`}
        prefetch={false}
        target="_blank"
        className="font-mono text-accent underline"
      >
        {kycUUID}
      </Link>
      <KycStatusBadge status={status} />
    </>
  );
}

function UnsettledItem({ start }: { start: UnsettledStart }) {
  const t = useTranslations("kycStart");
  const say = useTranslations("common");
  const router = useRouter();
  const { pending, failure, run } = useAction(settleStart);
  const { intentId, type, model, document } = start;
  const candidates = start.candidates.map((candidate) => ({
    id: candidate.kycUUID,
    firstSeenAt: candidate.firstSeenAt,
    shown: <ShownCase {...candidate} />,
  }));
  return (
    <UnsettledOrder
      words="kycStart"
      title={`${document ?? say("unopened")} · ${t("price", { type, model })}`}
      order={start}
      candidates={candidates}
      pending={pending}
      failure={failure}
      onSettle={(kycUUID) => run({ intentId, kycUUID }, () => router.refresh())}
    />
  );
}

export function UnsettledStarts({ starts }: { starts: readonly UnsettledStart[] }) {
  if (starts.length === 0) return null;
  return (
    <>
      <LiveRefresh topics={["kyc"]} tellsFreshness />
      <UnsettledList words="kycStart">
        {starts.map((start) => (
          <UnsettledItem key={start.intentId} start={start} />
        ))}
      </UnsettledList>
    </>
  );
}
