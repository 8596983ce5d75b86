import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { KycStatusBadge, OnboardingStatusBadge } from "@/components/layout/badges";
import { RecordSection } from "@/components/layout/record-columns";
import { ProviderText } from "@/components/layout/provider-text";
import type { Related } from "@/lib/kyc/queries";
import { formatDate } from "@/lib/text/format";

/** `by`: how sure the match is: the form's document, its mask alone, or an account's document. */
type RelatedSectionProps = { related: Related; by: "sure" | "perhaps" | "account" };

export function RelatedSection({ related: { cases, onboardings, accounts }, by }: RelatedSectionProps) {
  const t = useTranslations("kycCase");
  const isEmpty = cases.length + onboardings.length + accounts.length === 0;
  if (isEmpty) return <RecordSection id="related" title={t("related")} empty={t("noRelated")} />;
  return (
    <RecordSection id="related" title={t("related")}>
      <ul className="divide-y divide-line border-y border-line">
        {cases.map(({ kycUUID, vatNumber, status, firstSeenAt, isSure }) => (
          <RelatedItem
            key={`kyc ${kycUUID}`}
            kind="case"
            href={`/kyc/${encodeURIComponent(kycUUID)}`}
            document={vatNumber}
            at={firstSeenAt}
            isSure={isSure}
          >
            <KycStatusBadge status={status} />
          </RelatedItem>
        ))}
        {onboardings.map(({ id, document, status, firstSeenAt, isSure }) => (
          <RelatedItem
            key={`onboarding ${id}`}
            kind="onboarding"
            href={`/onboarding/${id}`}
            document={document}
            at={firstSeenAt}
            isSure={isSure}
          >
            <OnboardingStatusBadge status={status} />
          </RelatedItem>
        ))}
        {accounts.map(({ ref, document, branch, number, isSure }) => (
          <RelatedItem
            key={`account ${ref}`}
            kind="account"
            href={`/accounts/${ref}`}
            document={document}
            at={null}
            isSure={isSure}
          >
            <span className="min-w-0 wrap-anywhere tabular-nums">
              <ProviderText text={t("accountNumber", { branch, number })} />
            </span>
          </RelatedItem>
        ))}
      </ul>
      <p className="px-5 pt-2 text-sm text-muted">{t(`relatedHint.${by}`)}</p>
    </RecordSection>
  );
}

type RelatedItemProps = {
  kind: "case" | "onboarding" | "account";
  href: string;
  document: string;
  at: string | null;
  isSure: boolean;
  children: ReactNode;
};

function RelatedItem({ kind, href, document, at, isSure, children }: RelatedItemProps) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  return (
    <li className="flex min-h-9.5 flex-wrap items-center gap-x-3 gap-y-0.5 px-5 py-1.5">
      <span className="w-34 shrink-0 text-muted">{t(`relatedKinds.${kind}`)}</span>
      <Link href={href} prefetch={false} className="font-medium text-accent tabular-nums hover:underline">
        {document}
      </Link>
      {children}
      {at === null ? null : (
        <time dateTime={at} className="text-sm text-muted tabular-nums">
          {formatDate(at, locale)}
        </time>
      )}
      {isSure ? null : <span className="basis-full text-sm text-warning">{t("perhaps")}</span>}
    </li>
  );
}
