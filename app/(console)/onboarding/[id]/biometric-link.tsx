import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/record-columns";
import { Badge } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/format";
import type { LinkView, OnboardingRecordView } from "@/lib/onboarding/queries";
import { LinkActions } from "./link-actions";

type BiometricLinkProps = { record: OnboardingRecordView; denial: string | null };

/** The link of the biometrics, its host in sight, and what became of it and of those before it. */
export function BiometricLink({ record: { row, links }, denial }: BiometricLinkProps) {
  const t = useTranslations();
  const locale = useLocale();
  const current = links.find(({ goneAt }) => goneAt === null);
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
                  ? row.biometric.host
                  : row.biometric.host === ""
                    ? t("onboardingRecord.linkUnsafe")
                    : t("onboardingRecord.linkUnsafeHost", { host: row.biometric.host })}
              </p>
              {current?.isNew === true ? (
                <Badge tone="warning">{t(`onboardingRecord.${links.length > 1 ? "linkNew" : "linkFirst"}`)}</Badge>
              ) : null}
            </div>
            {current === undefined ? null : (
              <p className="mt-0.5 text-sm text-muted tabular-nums">
                {t("onboardingRecord.linkSince", { time: formatDateTime(current.appearedAt, locale) })}
              </p>
            )}
            {row.biometric.isSafe ? <LinkActions id={row.id} document={row.document} denial={denial} /> : null}
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
            <p className="font-medium wrap-anywhere">{link.host}</p>
            <p className="text-muted tabular-nums">
              {t("linkAppeared", { time: formatDateTime(link.appearedAt, locale) })}
              {link.goneAt === null ? null : ` · ${t("linkGone", { time: formatDateTime(link.goneAt, locale) })}`}
            </p>
            <Uses link={link} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Uses({ link: { uses } }: { link: LinkView }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  if (uses.length === 0) return <p className="text-muted">{t("linkUnused")}</p>;
  return (
    <ul>
      {uses.map(({ use, byName, isMine, at }) => (
        <li key={`${at} ${use} ${byName}`} className="tabular-nums">
          {t(`linkUsed.${use}`, { name: isMine ? t("you") : byName, time: formatDateTime(at, locale) })}
        </li>
      ))}
    </ul>
  );
}
