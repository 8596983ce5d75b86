import { useLocale, useTranslations } from "next-intl";
import { WhoMayReveal } from "@/app/(console)/permission-denied";
import { KycStepName, KycTypeName } from "@/app/(console)/kyc/case-words";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { KycStatusBadge } from "@/components/layout/badges";
import { Described, DescriptionList } from "@/components/layout/description-list";
import { DetailDrawer } from "@/components/layout/detail-drawer";
import { RecordSection } from "@/components/layout/record-columns";
import { LastChange } from "@/components/freshness/last-change";
import { useNamedReason } from "@/components/freshness/stale-notice";
import { CopyButton } from "@/components/table/copy-button";
import { ProviderText, SealedText } from "@/components/layout/provider-text";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import type { KycCaseView, StartView, SubjectView } from "@/lib/kyc/queries";
import { isUnansweredRead } from "@/lib/errors/result";
import { formatDateTime } from "@/lib/text/format";
import { isUnopened } from "@/lib/text/provider-word";
import { WebviewLink } from "./webview-link";

type KnownSectionProps = {
  kycUUID: string;
  start: StartView | null;
  denial: string | null;
};

export function KnownSection({ kycUUID, start, denial }: KnownSectionProps) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  if (start === null) return <RecordSection id="known" title={t("known")} empty={t("notStartedHere")} />;
  return (
    <RecordSection id="known" title={t("known")}>
      {denial === null ? null : <WhoMayReveal />}
      <DescriptionList>
        <SubjectRows kycUUID={kycUUID} subject={start.subject} member={null} denial={denial} />
        <Described name={t("model")}>
          {t(`models.${start.model}`)}
          <span className="text-muted">{t(start.documentscopy ? "withDocumentscopy" : "withoutDocumentscopy")}</span>
        </Described>
        <Described name={t("startedBy")}>
          {t("startedAt", { name: start.byName, time: formatDateTime(start.at, locale) })}
          {start.isRepeat ? <span className="text-muted">{t("isRepeat")}</span> : null}
        </Described>
      </DescriptionList>
      {start.members.length === 0 ? null : (
        <>
          <h3 className="px-5 pt-3 pb-2 text-sm font-medium text-muted">{t("members")}</h3>
          <ol className="divide-y divide-line border-y border-line">
            {start.members.map((member, index) => (
              <li key={`${index} ${member.document}`}>
                <p className="px-5 pt-2 pb-1.5">
                  <Badge tone="neutral" isDotted={false}>
                    {t(`ownerTypes.${member.ownerType}`)}
                  </Badge>
                </p>
                <DescriptionList>
                  <SubjectRows kycUUID={kycUUID} subject={member} member={index} denial={denial} />
                </DescriptionList>
              </li>
            ))}
          </ol>
        </>
      )}
    </RecordSection>
  );
}

type SubjectRowsProps = { kycUUID: string; subject: SubjectView; member: number | null; denial: string | null };

function SubjectRows({ kycUUID, subject, member, denial }: SubjectRowsProps) {
  const t = useTranslations("kycCase");
  const asked = { kind: "kyc", id: kycUUID, member, denial } as const;
  return (
    <>
      <Described name={t("subject.document")}>
        {isUnopened(subject.document) ? (
          <SealedText text={subject.document} />
        ) : (
          <DocumentReveal key={kycUUID} masked={subject.document} field="document" {...asked} />
        )}
      </Described>
      <Described name={t("subject.identity")}>
        {isUnopened(subject.name) ? (
          <SealedText text={subject.name} />
        ) : (
          <DocumentReveal key={kycUUID} masked={subject.name} field="identity" {...asked} />
        )}
      </Described>
      {subject.birthYear === null ? null : (
        <Described name={t("subject.birthYear")}>{t("subject.bornIn", { year: subject.birthYear })}</Described>
      )}
      {subject.motherName === null ? null : <Described name={t("subject.motherName")}>{subject.motherName}</Described>}
    </>
  );
}

type ProviderSectionProps = { found: KycCaseView; linkDenial: string | null };

export function ProviderSection({ found, linkDenial }: ProviderSectionProps) {
  const { row, asOf, isStale, failure, records, webviews } = found;
  const t = useTranslations();
  const locale = useLocale();
  const time = formatDateTime(asOf, locale);
  const reason = useNamedReason(failure);
  const isSilent = failure !== null && isUnansweredRead(failure);
  const hasFailed = failure !== null && !isSilent;
  return (
    <RecordSection id="process" title={t("kycCase.details")} action={<CaseDetails found={found} />}>
      {isStale ? (
        <Notice tone="warning" className="mx-5 mb-3">
          {t(isSilent ? "kycCase.stale" : hasFailed ? "kycCase.staleFailed" : "kycCase.staleLate", { time })} {reason}
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
            {webviews.map((webview) => {
              const { key, vatNumber, name } = webview;
              return (
                <li key={key} className="flex flex-wrap items-center gap-x-2">
                  {vatNumber === null ? null : (
                    <span className="text-muted">
                      {name === null ? vatNumber : t("kycCase.partnerWebview", { name, document: vatNumber })}
                    </span>
                  )}
                  <WebviewLink
                    kycUUID={row.kycUUID}
                    document={vatNumber ?? row.vatNumber}
                    webview={webview}
                    denial={linkDenial}
                  />
                </li>
              );
            })}
          </ul>
        </Described>
      </DescriptionList>
      <p className="px-5 pt-2 text-sm text-muted">
        {t("kycCase.asOf", { time })} {t("kycCase.listOnly")}
      </p>
    </RecordSection>
  );
}

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
        <Described name={t("kycCase.changedAt")}>
          <LastChange seenAt={row.firstSeenAt} changedAt={row.changedAt} />
        </Described>
        <Described name={t("kycCase.readAt")}>{formatDateTime(asOf, locale)}</Described>
      </DescriptionList>
    </DetailDrawer>
  );
}
