"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { UnconfirmedOrder, UnconfirmedList } from "@/app/(console)/write-checks/unconfirmed-order";
import { LiveRefresh } from "@/components/live/live-refresh";
import { OnboardingStatusBadge } from "@/components/layout/badges";
import { useAction } from "@/components/session/use-action";
import type { AccountCandidate, UnconfirmedAccount } from "@/lib/onboarding/view";
import { reconcileAccount } from "@/lib/onboarding/actions";

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

function UnconfirmedItem({ account }: { account: UnconfirmedAccount }) {
  const say = useTranslations("common");
  const router = useRouter();
  const { pending, failure, run } = useAction(reconcileAccount);
  const { intentId, kind, document } = account;
  const candidates = account.candidates.map((candidate) => ({
    id: candidate.id,
    firstSeenAt: candidate.firstSeenAt,
    shown: <ShownOnboarding {...candidate} />,
  }));
  return (
    <UnconfirmedOrder
      words="accountForm"
      title={`${document ?? say("unopened")} · ${kind}`}
      order={account}
      candidates={candidates}
      pending={pending}
      failure={failure}
      onReconcile={(onboardingId) => run({ intentId, onboardingId }, () => router.refresh())}
    />
  );
}

export function UnconfirmedAccounts({ accounts }: { accounts: readonly UnconfirmedAccount[] }) {
  return (
    <>
      <LiveRefresh topics={["onboarding"]} everyMinute />
      <UnconfirmedList words="accountForm">
        {accounts.map((account) => (
          <UnconfirmedItem key={account.intentId} account={account} />
        ))}
      </UnconfirmedList>
    </>
  );
}
