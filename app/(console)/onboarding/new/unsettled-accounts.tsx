"use client";

import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { FailureText } from "@/components/failure-text";
import { LiveRefresh } from "@/components/live-refresh";
import { OnboardingStatusBadge } from "@/components/status-badge";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useAction } from "@/components/use-action";
import type { UnsettledAccount } from "@/lib/account-creation";
import { formatDateTime } from "@/lib/format";
import { settleAccount } from "@/lib/onboarding/actions";

type CandidatesProps = { account: UnsettledAccount; settle: (id: string) => void; pending: boolean };

function Candidates({ account, settle, pending }: CandidatesProps) {
  const t = useTranslations("accountForm");
  const locale = useLocale();
  return (
    <>
      <p>{t("choose")}</p>
      <ul className="mt-2 space-y-2">
        {account.candidates.map(({ id, firstSeenAt, status }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link href={`/onboarding/${id}`} prefetch={false} target="_blank" className="text-accent underline">
              {t("openOne")}
            </Link>
            <OnboardingStatusBadge status={status} />
            <span className="text-muted">{t("firstSeen", { time: formatDateTime(firstSeenAt, locale) })}</span>
            <Button size="small" isBusy={pending} onClick={() => settle(id)}>
              {t("thisOne")}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function UnsettledItem({ account }: { account: UnsettledAccount }) {
  const t = useTranslations("accountForm");
  const locale = useLocale();
  const router = useRouter();
  const { pending, failure, run } = useAction(settleAccount);
  const { intentId, kind, document, byName, at, isSending, candidates, mayBeWaived } = account;
  const settle = (onboardingId: string | null) => run({ intentId, onboardingId }, () => router.refresh());
  return (
    <li className="space-y-2 px-4 py-3 text-sm">
      <p className="font-medium tabular-nums">
        {document} · {kind}
      </p>
      <p className="text-muted">{t("sentBy", { name: byName, time: formatDateTime(at, locale) })}</p>
      {isSending ? <p>{t("stillSending")}</p> : null}
      {!isSending && candidates.length === 0 ? <p>{t(mayBeWaived ? "notFound" : "looking")}</p> : null}
      {candidates.length > 0 ? <Candidates account={account} settle={settle} pending={pending} /> : null}
      {mayBeWaived ? (
        <Button size="small" isBusy={pending} onClick={() => settle(null)}>
          {t("letGo")}
        </Button>
      ) : null}
      {failure ? (
        <Notice tone="negative" live="assertive">
          <FailureText failure={failure} />
        </Notice>
      ) : null}
    </li>
  );
}

/** The requests of all our people of which nobody knows what became of them, until they are settled. */
export function UnsettledAccounts({ accounts }: { accounts: readonly UnsettledAccount[] }) {
  const t = useTranslations("accountForm");
  if (accounts.length === 0) return null;
  return (
    <section aria-labelledby="unsettled-accounts" className="max-w-4xl px-5 pt-4">
      <LiveRefresh topics={["onboarding"]} tellsFreshness />
      <h2 id="unsettled-accounts" className="font-semibold">
        {t("unsettledTitle")}
      </h2>
      <p className="mt-0.5 text-sm text-muted">{t("unsettledLead")}</p>
      <ul className="mt-2 divide-y divide-line rounded border border-warning/30 bg-warning-tint">
        {accounts.map((account) => (
          <UnsettledItem key={account.intentId} account={account} />
        ))}
      </ul>
    </section>
  );
}
