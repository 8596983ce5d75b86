import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { WhoActs } from "@/app/(console)/onboarding/onboarding-words";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { Described, DescriptionList } from "@/components/description-list";
import { RecordSection } from "@/components/record-columns";
import { OnboardingStatusBadge } from "@/components/status-badge";
import { formatDateTime } from "@/lib/format";
import type { OnboardingRecordView } from "@/lib/onboarding/queries";
import { ProviderText } from "@/components/provider-text";

type DetailsProps = { record: OnboardingRecordView; denial: string | null };

export function Details({ record: { row, account, attempts }, denial }: DetailsProps) {
  const t = useTranslations();
  const locale = useLocale();
  const { chain, place } = attempts;
  return (
    <RecordSection id="details" title={t("onboarding.details")}>
      <DescriptionList>
        <Described name={t("onboarding.columns.status")}>
          <OnboardingStatusBadge status={row.status} />
        </Described>
        <Described name={t("onboarding.columns.stage")}>{t(`onboarding.stage.${row.stage}`)}</Described>
        <Described name={t("onboarding.columns.acts")}>
          <WhoActs who={row.whoActs} />
        </Described>
        <Described name={t("onboarding.columns.document")}>
          <DocumentReveal masked={row.document} kind="onboarding" id={row.id} denial={denial} />
        </Described>
        <Described name={t("onboarding.columns.kind")}>{t(`onboarding.kind.${row.kind}`)}</Described>
        <Described name={t("onboarding.columns.returns")}>
          {t("onboarding.returnedTimes", { count: row.returns })}
        </Described>
        {chain.length > 1 ? (
          <Described name={t("onboardingRecord.attempts")}>
            {t("onboardingRecord.attempt", { place, total: chain.length })}
          </Described>
        ) : null}
        <Described name={t("onboarding.account")}>
          {account ? (
            <>
              <span className="min-w-0 wrap-anywhere">
                <ProviderText text={t("onboarding.branchNumber", { branch: account.branch, number: account.number })} />
              </span>
              <Link href={`/accounts/${account.ref}`} prefetch={false} className="text-accent hover:underline">
                {t("onboarding.viewAccount")}
              </Link>
            </>
          ) : (
            <span className="text-muted">{t("onboarding.noAccount")}</span>
          )}
        </Described>
        <Described name={t("onboarding.begun")}>{formatDateTime(row.firstSeenAt, locale)}</Described>
        <Described name={t("onboarding.changedAt")}>{formatDateTime(row.changedAt, locale)}</Described>
      </DescriptionList>
    </RecordSection>
  );
}
