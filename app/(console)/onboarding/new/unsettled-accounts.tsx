"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { UnsettledList } from "@/app/(console)/ordering/unsettled-list";
import { UnsettledOrder } from "@/app/(console)/ordering/unsettled-order";
import { LiveRefresh } from "@/components/live/live-refresh";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { useAction } from "@/components/form/use-action";
import type { AccountCandidate, UnsettledAccount } from "@/lib/onboarding/creation-view";
import { settleAccount } from "@/lib/onboarding/actions";

function ShownOnboarding({ id, status }: AccountCandidate) {
  const t = useTranslations("accountForm");
  return (
    <>
      <Link href={`/onboarding/${id}`} prefetch={false} target="_blank" className="text-accent underline">
        {t("openOne")}
      </Link>
      <OnboardingStatusBadge status={status} />
    </>
  );
}

function UnsettledItem({ account }: { account: UnsettledAccount }) {
  const say = useTranslations("common");
  const router = useRouter();
  const { pending, failure, run } = useAction(settleAccount);
  const { intentId, kind, document } = account;
  const candidates = account.candidates.map((candidate) => ({
    id: candidate.id,
    firstSeenAt: candidate.firstSeenAt,
    shown: <ShownOnboarding {...candidate} />,
  }));
  return (
    <UnsettledOrder
      words="accountForm"
      title={`${document ?? say("unopened")} · ${kind}`}
      order={account}
      candidates={candidates}
      pending={pending}
      failure={failure}
      onSettle={(onboardingId) => run({ intentId, onboardingId }, () => router.refresh())}
    />
  );
}

export function UnsettledAccounts({ accounts }: { accounts: readonly UnsettledAccount[] }) {
  return (
    <>
      <LiveRefresh topics={["onboarding"]} tellsFreshness />
      <UnsettledList words="accountForm">
        {accounts.map((account) => (
          <UnsettledItem key={account.intentId} account={account} />
        ))}
      </UnsettledList>
    </>
  );
}
