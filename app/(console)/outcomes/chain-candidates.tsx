"use client";

import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FailureNotice } from "@/components/layout/failure-text";
import { ProviderText } from "@/components/layout/provider-text";
import { useAction } from "@/components/session/use-action";
import { SafeLink } from "@/components/table/safe-link";
import { Button } from "@/components/ui/button";
import { formatDateTime } from "@/lib/text/format";
import { excludeCandidate } from "@/lib/unconfirmed/actions";
import type { UnknownOutcome } from "@/lib/unconfirmed/view";

type ChainCandidatesProps = Pick<UnknownOutcome, "intentId" | "candidates"> & { isOpen: boolean };

export function ChainCandidates({ intentId, candidates, isOpen }: ChainCandidatesProps) {
  const t = useTranslations("outcomes");
  const locale = useLocale();
  const router = useRouter();
  const { pending, failure, run } = useAction(excludeCandidate);
  return (
    <div className="space-y-1 py-1 text-sm">
      <p className="text-muted">{t("onChain")}</p>
      <ul className="space-y-1">
        {candidates.map(({ id, at, link }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
            <span className="text-muted">{formatDateTime(at, locale)}</span>
            <code className="min-w-0 font-mono wrap-anywhere">
              <ProviderText text={id} />
            </code>
            {link === null ? null : <SafeLink link={link} />}
            {isOpen ? (
              <Button
                tone="quiet"
                size="small"
                isBusy={pending}
                onClick={() => run({ intentId, candidate: id }, () => router.refresh())}
              >
                {t("exclude")}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <FailureNotice failure={failure} />
    </div>
  );
}
