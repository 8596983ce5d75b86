import { useLocale, useTranslations } from "next-intl";
import { DocumentReveal } from "@/app/(console)/privacy/document-reveal";
import { Described, DescriptionList } from "@/components/description-list";
import { RecordSection } from "@/components/record-columns";
import { SealedText } from "@/components/sealed-text";
import { Badge } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/format";
import type { StartView, SubjectView } from "@/lib/kyc/queries";
import { isUnopened } from "@/lib/unopened";

type KnownSectionProps = {
  kycUUID: string;
  start: StartView | null;
  /** Why this reader may reveal nothing. */
  denial: string | null;
};

/** What the form said with which the case was started here; each part in clear only for a reason. */
export function KnownSection({ kycUUID, start, denial }: KnownSectionProps) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  if (start === null) return <RecordSection id="known" title={t("known")} empty={t("notStartedHere")} />;
  return (
    <RecordSection id="known" title={t("known")}>
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
                <p className="px-5 pt-2">
                  <Badge tone="neutral" isDotted={false}>
                    {t(`ownerTypes.${member.ownerType}`)}
                  </Badge>
                </p>
                <dl>
                  <SubjectRows kycUUID={kycUUID} subject={member} member={index} denial={denial} />
                </dl>
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
