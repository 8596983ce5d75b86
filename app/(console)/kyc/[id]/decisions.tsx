import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/record-columns";
import { Badge, type Tone } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/format";
import type { KycCaseView } from "@/lib/kyc/queries";

type Decided = KycCaseView["decisions"][number];

const TONES: Record<Decided["state"], Tone> = {
  SENDING: "info",
  DONE: "positive",
  REFUSED: "negative",
  UNKNOWN: "warning",
};

/** What our own people decided about the case, newest first, each with its reason and how it ended. */
export function Decisions({ decisions }: { decisions: Decided[] }) {
  const t = useTranslations("kycCase");
  const locale = useLocale();
  return (
    <RecordSection id="decisions" title={t("decisions")}>
      {decisions.length === 0 ? <p className="border-y border-line px-5 py-3 text-muted">{t("noDecisions")}</p> : null}
      <ol className="divide-y divide-line border-line not-empty:border-y">
        {decisions.map((decided) => (
          <li key={decided.intentId} className="px-5 py-3">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">
                {t("decidedBy", { decision: decided.decision, name: decided.byName })}
              </span>
              <time dateTime={decided.at} className="text-sm text-muted tabular-nums">
                {formatDateTime(decided.at, locale)}
              </time>
              <Badge tone={TONES[decided.state]}>{t(`outcome.${decided.state}`)}</Badge>
            </div>
            <p className="mt-1 max-w-prose break-words whitespace-pre-line">{decided.reason}</p>
          </li>
        ))}
      </ol>
    </RecordSection>
  );
}
