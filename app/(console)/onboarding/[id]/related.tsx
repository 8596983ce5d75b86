import { useLocale, useTranslations } from "next-intl";
import Link from "next/link";
import { RecordSection } from "@/components/record-columns";
import { KycStatusBadge } from "@/components/status-badge";
import { formatDateTime } from "@/lib/format";
import type { OnboardingRecordView } from "@/lib/onboarding/queries";

/** The KYC cases of the same document, and those that may be: the provider masks theirs. */
export function Related({ record: { cases } }: { record: OnboardingRecordView }) {
  const t = useTranslations("onboardingRecord");
  const locale = useLocale();
  return (
    <RecordSection id="cases" title={t("cases")}>
      {cases.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noCases")}</p> : null}
      <ul className="divide-y divide-line border-line not-empty:border-y">
        {cases.map(({ kycUUID, status, firstSeenAt, isSure }) => (
          <li key={kycUUID} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-5 py-2">
            <Link
              href={`/kyc/${encodeURIComponent(kycUUID)}`}
              prefetch={false}
              className="font-medium text-accent tabular-nums hover:underline"
            >
              {formatDateTime(firstSeenAt, locale)}
            </Link>
            <KycStatusBadge status={status} />
            <span className="text-sm text-muted">{t(isSure ? "sureCase" : "maybeCase")}</span>
          </li>
        ))}
      </ul>
    </RecordSection>
  );
}
