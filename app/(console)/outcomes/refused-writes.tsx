import { getLocale, getTranslations } from "next-intl/server";
import { RequestLink } from "@/app/(console)/approvals/request-link";
import { RecordSection } from "@/components/layout/record-columns";
import { explainTold } from "@/lib/errors/explain";
import { formatDateTime } from "@/lib/text/format";
import type { RefusedWrite } from "@/lib/outcomes/view";
import { WriteSubject } from "./write-subject";

type RefusedWritesProps = { read: Promise<RefusedWrite[]>; isOfRecord?: boolean };

export async function RefusedWrites({ read, isOfRecord = false }: RefusedWritesProps) {
  const [rows, t, locale] = await Promise.all([read, getTranslations(), getLocale()]);
  if (rows.length === 0) return null;
  const whyOf = ({ told }: RefusedWrite) => {
    const why = explainTold(told, t);
    return told.wasSent ? why : t("outcomes.refused.unsent", { why });
  };
  return (
    <RecordSection id="refused" title={t("outcomes.refused.title")}>
      <p className="px-5 pb-2 text-sm text-muted">{t("outcomes.refused.lead")}</p>
      <ul className="divide-y divide-line border-y border-line">
        {rows.map((write) => (
          <li key={write.intentId} className="space-y-0.5 px-5 py-2 wrap-anywhere">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium">{t(`writes.${write.name}`)}</span>
              <WriteSubject write={write} isNamed={!isOfRecord && write.subject !== null} />
            </div>
            <p>{whyOf(write)}</p>
            <p className="flex flex-wrap gap-x-2 text-sm text-muted tabular-nums">
              {t("outcomes.refused.by", { name: write.byName, time: formatDateTime(write.at, locale) })}
              <RequestLink id={write.requestId} />
            </p>
          </li>
        ))}
      </ul>
    </RecordSection>
  );
}
