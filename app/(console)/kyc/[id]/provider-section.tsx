import { useLocale, useTranslations } from "next-intl";
import { KycStepName, KycTypeName } from "@/app/(console)/kyc/case-words";
import { CopyButton } from "@/components/copy-button";
import { Described, DescriptionList } from "@/components/description-list";
import { RecordSection } from "@/components/record-columns";
import { SafeLink } from "@/components/safe-link";
import { useNamedReason } from "@/components/stale-notice";
import { KycStatusBadge } from "@/components/status-badge";
import { Notice } from "@/components/ui/notice";
import { formatDateTime } from "@/lib/format";
import type { KycCaseView } from "@/lib/kyc/queries";

/** What the provider says of the case, and as of when. */
export function ProviderSection({ found: { row, asOf, isStale, failure, webview } }: { found: KycCaseView }) {
  const t = useTranslations();
  const locale = useLocale();
  const time = formatDateTime(asOf, locale);
  const reason = useNamedReason(failure);
  return (
    <RecordSection id="process" title={t("kycCase.details")}>
      {isStale ? (
        <Notice tone="warning" className="mx-5 mb-3">
          {t("kycCase.stale", { time })} {reason}
        </Notice>
      ) : null}
      <DescriptionList>
        <Described name={t("kyc.columns.status")}>
          <KycStatusBadge status={row.status} />
        </Described>
        <Described name={t("kyc.columns.document")}>{row.vatNumber}</Described>
        <Described name={t("kyc.columns.type")}>
          <KycTypeName type={row.kycType} />
        </Described>
        <Described name={t("kyc.columns.process")}>
          <KycStepName process={row.process} />
        </Described>
        <Described name={t("kyc.columns.id")}>
          <code className="font-mono text-sm break-all">{row.kycUUID}</code>
          <CopyButton text={row.kycUUID} label={t("common.copy")} />
        </Described>
        <Described name={t("kycCase.webview")}>
          {webview ? <SafeLink link={webview} /> : <span className="text-muted">{t("kycCase.noWebview")}</span>}
        </Described>
        <Described name={t("kycCase.firstSeen")}>{formatDateTime(row.firstSeenAt, locale)}</Described>
        <Described name={t("kycCase.changedAt")}>{formatDateTime(row.changedAt, locale)}</Described>
      </DescriptionList>
      <p className="px-5 pt-2 text-sm text-muted">
        {t("kycCase.asOf", { time })} {t("kycCase.listOnly")}
      </p>
    </RecordSection>
  );
}
