import { useLocale, useTranslations } from "next-intl";
import { KycStepName, KycTypeName } from "@/app/(console)/kyc/case-words";
import { CopyButton } from "@/components/copy-button";
import { Described, DescriptionList } from "@/components/description-list";
import { DetailDrawer } from "@/components/detail-drawer";
import { RecordSection } from "@/components/record-columns";
import { SafeLink } from "@/components/safe-link";
import { useNamedReason } from "@/components/stale-notice";
import { KycStatusBadge } from "@/components/status-badge";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import type { KycCaseView } from "@/lib/kyc/queries";
import { ProviderText } from "@/components/provider-text";

/** What the provider says of the case, and as of when. */
export function ProviderSection({ found }: { found: KycCaseView }) {
  const { row, asOf, isStale, failure, records, webviews } = found;
  const t = useTranslations();
  const locale = useLocale();
  const time = formatDateTime(asOf, locale);
  const reason = useNamedReason(failure);
  return (
    <RecordSection id="process" title={t("kycCase.details")} action={<CaseDetails found={found} />}>
      {isStale ? (
        <Notice tone="warning" className="mx-5 mb-3">
          {t("kycCase.stale", { time })} {reason}
        </Notice>
      ) : null}
      <DescriptionList>
        {records.length < 2 ? null : (
          <Described name={t("kycCase.records")}>
            <ul className="grid gap-1">
              {records.map(({ process, status }) => (
                <li key={process} className="flex flex-wrap items-center gap-x-2">
                  <KycStepName process={process} />
                  <KycStatusBadge status={status} />
                </li>
              ))}
            </ul>
          </Described>
        )}
        <Described name={t("kyc.columns.document")}>{row.vatNumber}</Described>
        <Described name={t("kyc.columns.type")}>
          <KycTypeName type={row.kycType} />
        </Described>
        <Described name={t("kyc.columns.process")}>
          <KycStepName process={row.process} />
        </Described>
        <Described name={t("kycCase.webview")}>
          {webviews.length === 0 ? <span className="text-muted">{t("kycCase.noWebview")}</span> : null}
          <ul className="grid gap-1">
            {webviews.map(({ link, vatNumber, name }, index) => (
              <li key={`${index} ${vatNumber}`} className="flex flex-wrap items-center gap-x-2">
                {vatNumber === null ? null : (
                  <span className="text-muted">
                    {name === null ? vatNumber : t("kycCase.partnerWebview", { name, document: vatNumber })}
                  </span>
                )}
                <SafeLink link={link} />
              </li>
            ))}
          </ul>
        </Described>
      </DescriptionList>
      <p className="px-5 pt-2 text-sm text-muted">
        {t("kycCase.asOf", { time })} {t("kycCase.listOnly")}
      </p>
    </RecordSection>
  );
}

/** What one quotes to the provider, or to who looks after the console. */
function CaseDetails({ found: { row, asOf } }: { found: KycCaseView }) {
  const t = useTranslations();
  const locale = useLocale();
  return (
    <DetailDrawer label={t("kycCase.technical")} description={t("kycCase.technicalBody")}>
      <DescriptionList>
        <Described name={t("kyc.columns.id")}>
          <code className="font-mono text-sm break-all">
            <ProviderText text={row.kycUUID} />
          </code>
          <CopyButton text={row.kycUUID} label={t("common.copy")} />
        </Described>
        <Described name={t("kycCase.firstSeen")}>{formatDateTime(row.firstSeenAt, locale)}</Described>
        <Described name={t("kycCase.changedAt")}>{formatDateTime(row.changedAt, locale)}</Described>
        <Described name={t("kycCase.readAt")}>{formatDateTime(asOf, locale)}</Described>
      </DescriptionList>
    </DetailDrawer>
  );
}
