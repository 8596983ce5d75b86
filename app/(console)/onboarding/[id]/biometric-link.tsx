"use client";

import { Icon } from "@/components/ui/icons";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useAction } from "@/components/session/use-action";
import { FailureText } from "@/components/layout/failure-text";
import { RecordSection } from "@/components/layout/record-columns";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-text";
import { LinkActions, LinkUses } from "@/components/links/link-actions";
import { takeBiometricLink } from "@/lib/onboarding/actions";
import type { LinkView, OnboardingRecordView } from "@/lib/onboarding/queries";
import { formatDateTime } from "@/lib/text/format";
import { hostOrName } from "@/lib/text/safe-link";
import { readIso } from "@/lib/text/time";

const SHOWN_MS = 2_000;

type HolderCopyProps = {
  text: string;
  /** Copying is audited; null when the text has no link. */
  linkOf: string | null;
};

export function HolderCopy({ text, linkOf }: HolderCopyProps) {
  const t = useTranslations("onboardingRecord");
  const router = useRouter();
  const { pending, failure, run } = useAction(takeBiometricLink);
  const noting = useAction(takeBiometricLink);
  const [wasCopied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (wasCopied !== true) return undefined;
    const timer = setTimeout(() => setCopied(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [wasCopied]);

  const note = (isWritten: boolean) => {
    if (linkOf === null || !isWritten) return setCopied(isWritten);
    noting.run({ id: linkOf, use: "copied" }, () => {
      setCopied(true);
      router.refresh();
    });
  };
  const copy = () => {
    setCopied(null);
    if (linkOf === null) return void copyText(text).then(setCopied);
    run({ id: linkOf, use: "taken" }, ({ href }) => void copyText(`${text}\n\n${href}`).then(note));
  };
  const failed = failure ?? noting.failure;
  const icon = wasCopied === true ? "check" : "copy";
  return (
    <div>
      <Button size="small" isBusy={pending || noting.pending} onClick={copy}>
        <Icon of={icon} size={13} />
        <span aria-live="polite">{wasCopied === true ? t("copiedHolder") : t("copyHolder")}</span>
      </Button>
      <p aria-live="assertive" className="mt-1 text-sm text-negative empty:hidden">
        {failed === null ? null : <FailureText failure={failed} />}
        {wasCopied === false ? t("holderNotCopied") : null}
      </p>
    </div>
  );
}

type BiometricLinkProps = {
  record: Pick<OnboardingRecordView, "links" | "messages"> & {
    row: Pick<OnboardingRecordView["row"], "id" | "document" | "biometric">;
  };
  denial: string | null;
};

export function BiometricLink({ record: { row, links, messages }, denial }: BiometricLinkProps) {
  const t = useTranslations();
  const locale = useLocale();
  const current = links.find(({ goneAt }) => goneAt === null);
  const told = messages.find(({ isOfLink, date }) => isOfLink && readIso(date) !== null);
  return (
    <RecordSection id="link" title={t("onboardingRecord.link")}>
      <div className="border-y border-line">
        {row.biometric === null ? (
          <p className="px-5 py-3 text-muted">{t("onboarding.noBiometric")}</p>
        ) : (
          <div className="px-5 py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <p className="min-w-0 flex-1 font-medium wrap-anywhere">
                {row.biometric.isSafe
                  ? hostOrName(row.biometric.host, t("onboardingRecord.link"))
                  : row.biometric.host === ""
                    ? t("handOver.linkUnsafe")
                    : t("handOver.linkUnsafeHost", { host: row.biometric.host })}
              </p>
              {current?.isNew === true ? (
                <Badge tone="warning">{t(`onboardingRecord.${links.length > 1 ? "linkNew" : "linkFirst"}`)}</Badge>
              ) : null}
            </div>
            {current === undefined ? null : (
              <p className="mt-0.5 text-sm text-muted tabular-nums">
                {told === undefined
                  ? t("onboardingRecord.linkSince", { time: formatDateTime(current.appearedAt, locale) })
                  : t("onboardingRecord.linkToldSince", { time: formatDateTime(told.date, locale) })}
              </p>
            )}
            {row.biometric.isSafe ? (
              <LinkActions
                take={takeBiometricLink}
                inputOf={(use) => ({ id: row.id, use })}
                words={{
                  title: t("onboardingRecord.qrTitle"),
                  body: t("onboardingRecord.qrBody", { document: row.document }),
                  warning: t("onboardingRecord.qrWarning"),
                  labelOf: (host) => t("onboardingRecord.qrLabel", { host }),
                }}
                denial={denial}
              />
            ) : null}
          </div>
        )}
        {links.length === 0 ? null : <History links={links} />}
      </div>
    </RecordSection>
  );
}

function History({ links }: { links: readonly LinkView[] }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  return (
    <details className="group border-t border-line">
      <summary className="cursor-pointer px-5 py-2.5 text-sm font-medium text-muted hover:text-ink">
        {t("linkHistory")}
      </summary>
      <ol aria-label={t("linkHistory")} className="divide-y divide-line border-t border-line">
        {links.map((link) => (
          <li key={link.id} className="px-5 py-2.5 text-sm">
            <p className="font-medium wrap-anywhere">{hostOrName(link.host, t("link"))}</p>
            <p className="text-muted tabular-nums">
              {t("linkAppeared", { time: formatDateTime(link.appearedAt, locale) })}
              {link.goneAt === null ? null : ` · ${t("linkGone", { time: formatDateTime(link.goneAt, locale) })}`}
            </p>
            <LinkUses uses={link.uses} />
          </li>
        ))}
      </ol>
    </details>
  );
}
