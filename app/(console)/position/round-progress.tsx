import { useLocale, useTranslations } from "next-intl";
import type { RoundView } from "@/lib/position/view";
import { formatCount, formatDateTime } from "@/lib/text/format";

export function RoundProgress({ round }: { round: RoundView }) {
  const t = useTranslations("position.round");
  const locale = useLocale();
  const { startedAt, finishedAt, total, tried, failed, outside } = round;
  const counts = { tried: formatCount(tried, locale), total: formatCount(total, locale) };
  return (
    <output className="block px-5 pb-3 text-sm text-muted tabular-nums">
      {finishedAt === null
        ? t("underWay", { ...counts, time: formatDateTime(startedAt, locale) })
        : t("finished", { ...counts, time: formatDateTime(finishedAt, locale) })}
      {outside === 0 ? null : <span className="text-warning"> · {t("outside", { count: outside })}</span>}
      {failed === 0 ? null : <span className="text-warning"> · {t("failed", { count: failed })}</span>}
    </output>
  );
}
