import { useLocale, useTranslations } from "next-intl";
import { type Look, Status } from "@/components/ui/status";
import type { SuspicionState } from "@/lib/db/enums/suspicions";
import type { SuspicionRow } from "@/lib/suspicions/view";
import { formatDate } from "@/lib/text/format";

const LOOKS: Readonly<Record<SuspicionState, Look>> = {
  suspected: { tone: "warning", progress: "waiting" },
  analysing: { tone: "info", progress: "moving" },
  "to-report": { tone: "warning", progress: "moving" },
  reported: { tone: "positive", progress: "settled" },
  dismissed: { tone: "neutral", progress: "settled" },
};

export function SuspicionStatus({ state }: { state: SuspicionState }) {
  const t = useTranslations("suspicions.states");
  return <Status {...LOOKS[state]}>{t(state)}</Status>;
}

export function SuspicionDue({ row: { dueOn, daysLeft } }: { row: Pick<SuspicionRow, "dueOn" | "daysLeft"> }) {
  const t = useTranslations("suspicions");
  const locale = useLocale();
  if (dueOn === null || daysLeft === null) return <span className="text-faint">–</span>;
  const tone = daysLeft < 0 ? "text-negative" : daysLeft <= 5 ? "text-warning" : "text-muted";
  return (
    <span className="tabular-nums">
      <time dateTime={dueOn}>{formatDate(dueOn, locale)}</time>
      <span className={`block text-sm ${tone}`}>
        {daysLeft < 0 ? t("late", { days: -daysLeft }) : t("left", { days: daysLeft })}
      </span>
    </span>
  );
}
