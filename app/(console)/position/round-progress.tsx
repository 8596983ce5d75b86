import { useLocale, useTranslations } from "next-intl";
import type { Position } from "@/lib/position/queries";
import type { AgainView, RoundView } from "@/lib/position/view";
import { civilDaysAgo } from "@/lib/text/time";
import { formatClock, formatCount, formatDateTime, formatTime } from "@/lib/text/format";
import { useMoment } from "./position-words";

type RoundProgressProps = {
  position: Pick<Position, "day" | "moment" | "reading" | "betweenReadings">;
  round: RoundView;
};

export function RoundProgress({ position: { day, moment, reading, betweenReadings }, round }: RoundProgressProps) {
  const t = useTranslations("position.round");
  const locale = useLocale();
  const momentOf = useMoment();
  const { startedAt, finishedAt, failed, outside } = round;
  const countsOf = (of: RoundView) => ({
    tried: formatCount(of.tried, locale),
    read: formatCount(of.tried - of.failed, locale),
    total: formatCount(of.total, locale),
  });
  const counts = countsOf(round);
  return (
    <output className="block px-5 pb-3 text-sm @max-medium:pt-3 text-muted tabular-nums">
      {reading === null ? null : (
        <span className="block text-ink">
          {t("today", {
            ...countsOf(reading),
            time: formatTime(reading.startedAt, locale),
            day: momentOf(day, moment),
          })}
        </span>
      )}
      <span className="text-ink">{momentOf(day, moment)}</span>
      {" · "}
      {finishedAt === null || (day === civilDaysAgo(0) && round.tried < round.total)
        ? t("underWay", { ...counts, time: formatDateTime(startedAt, locale) })
        : t("finished", counts)}
      {round.again === null ? null : <Again again={round.again} total={counts.total} />}
      {outside === 0 ? null : <span className="text-warning"> · {t("outside", { count: outside })}</span>}
      {failed === 0 ? null : <span className="text-warning"> · {t("failed", { count: failed })}</span>}
      {betweenReadings === 0 ? null : (
        <span className="block text-warning">{t("between", { count: betweenReadings })}</span>
      )}
    </output>
  );
}

function Again({ again: { at, tried, failed, state }, total }: { again: AgainView; total: string }) {
  const t = useTranslations("position.again");
  const locale = useLocale();
  return (
    <>
      {" · "}
      <span className={state === "ended" ? "text-warning" : "text-ink"}>
        {t(state, { time: formatClock(at, locale), tried: formatCount(tried, locale), total })}
      </span>
      {failed === 0 ? null : <span className="text-warning"> · {t("failed", { count: failed })}</span>}
    </>
  );
}
