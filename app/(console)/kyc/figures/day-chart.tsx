import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/layout/record-columns";
import { BarList } from "@/components/table/bar-list";
import { TwoWayChart } from "@/components/table/two-way-chart";
import type { DayFigures, Figures } from "@/lib/kyc/queries";
import { formatCount, formatDate, type Locale } from "@/lib/text/format";

/** Age in hours from which a bar is marked. */
const OLD_HOURS = 72;

export function AgeChart({ ages, open }: Pick<Figures, "ages" | "open">) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  return (
    <RecordSection id="ages" title={t("ages")}>
      <BarList
        rows={ages.map(({ fromHours, open: count }) => ({
          id: String(fromHours),
          name: t(`age.${fromHours}`),
          count,
          shown: formatCount(count, locale),
          tone: fromHours >= OLD_HOURS ? "fill-warning" : "fill-accent",
        }))}
      />
      <p className="px-5 pt-2 text-sm text-muted">{t("agesNote", { count: open })}</p>
    </RecordSection>
  );
}

const TONES = ["fill-positive", "fill-negative-tint stroke-negative"] as const;

const totalOf = ({ approved, reproved }: DayFigures) => approved + reproved;
/** Noon in São Paulo is the same day in every time zone used here. */
const dayText = (day: string, locale: Locale) => formatDate(`${day}T12:00:00-03:00`, locale);

function bestOf(days: readonly DayFigures[]): DayFigures | undefined {
  return days.toSorted((one, other) => totalOf(other) - totalOf(one))[0];
}

/** Approvals filled below, rejections outlined above. */
export function DayChart({ days }: { days: readonly DayFigures[] }) {
  const t = useTranslations("kycFigures");
  const locale = useLocale();
  const best = bestOf(days);
  const most = best === undefined ? 0 : totalOf(best);
  const approved = days.reduce((sum, day) => sum + day.approved, 0);
  const reproved = days.reduce((sum, day) => sum + day.reproved, 0);
  return (
    <RecordSection id="per-day" title={t("perDay")}>
      <div className="px-5">
        <p className="pb-2 text-sm text-muted">{t("perDayNote", { count: days.length })}</p>
        {best === undefined || most === 0 ? (
          <p className="py-6 text-muted">{t("noDecisions")}</p>
        ) : (
          <>
            <p className="pb-2 text-sm text-muted">{t("best", { count: most, day: dayText(best.day, locale) })}</p>
            <TwoWayChart
              label={t("perDay")}
              legend={[t("approvedCount", { count: approved }), t("reprovedCount", { count: reproved })]}
              head={[t("day"), t("approved"), t("reproved")]}
              asTable={t("asTable")}
              names={days.map(({ day }) => dayText(day, locale))}
              bars={days.map(({ approved: up, reproved: down }, at) => ({ at, up, down }))}
              marks={[days[0], days.at(-1)].map((day) => (day === undefined ? "" : dayText(day.day, locale)))}
              tones={TONES}
              isStacked
            />
          </>
        )}
      </div>
    </RecordSection>
  );
}
