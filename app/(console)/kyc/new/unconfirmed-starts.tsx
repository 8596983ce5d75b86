"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { UnconfirmedOrder, UnconfirmedList } from "@/app/(console)/write-checks/unconfirmed-order";
import { LiveRefresh } from "@/components/live/live-refresh";
import { KycStatusBadge } from "@/components/layout/badges";
import { useAction } from "@/components/session/use-action";
import { reconcileStart } from "@/lib/kyc/actions";
import type { StartCandidate, UnconfirmedStart } from "@/lib/kyc/view";

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

function UnconfirmedItem({ start }: { start: UnconfirmedStart }) {
  const t = useTranslations("kycStart");
  const say = useTranslations("common");
  const router = useRouter();
  const { pending, failure, run } = useAction(reconcileStart);
  const { intentId, type, model, document } = start;
  const candidates = start.candidates.map((candidate) => ({
    id: candidate.kycUUID,
    firstSeenAt: candidate.firstSeenAt,
    shown: <ShownCase {...candidate} />,
  }));
  return (
    <UnconfirmedOrder
      words="kycStart"
      title={`${document ?? say("unopened")} · ${t("price", { type, model })}`}
      order={start}
      candidates={candidates}
      pending={pending}
      failure={failure}
      onReconcile={(kycUUID) => run({ intentId, kycUUID }, () => router.refresh())}
    />
  );
}

export function UnconfirmedStarts({ starts }: { starts: readonly UnconfirmedStart[] }) {
  if (starts.length === 0) return null;
  return (
    <>
      <LiveRefresh topics={["kyc"]} everyMinute />
      <UnconfirmedList words="kycStart">
        {starts.map((start) => (
          <UnconfirmedItem key={start.intentId} start={start} />
        ))}
      </UnconfirmedList>
    </>
  );
}
