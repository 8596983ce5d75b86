import { useLocale, useTranslations } from "next-intl";
import { RecordSection } from "@/components/layout/record-columns";
import { BarChart, ChartTable, Swatch } from "@/components/table/bar-chart";
import { BarList } from "@/components/table/bar-list";
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
const MAX_NUMBERED = 14;

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
  const bars = days.map(({ day, approved: up, reproved: down }, at) => ({ at, name: dayText(day, locale), up, down }));
  return (
    <RecordSection id="per-day" title={t("perDay")}>
      <div className="px-5">
        <p className="pb-2 text-sm text-muted">{t("perDayNote", { count: days.length })}</p>
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          <li className="flex items-center gap-1.5">
            <Swatch tone={TONES[0]} />
            {t("approvedCount", { count: approved })}
          </li>
          <li className="flex items-center gap-1.5">
            <Swatch tone={TONES[1]} />
            {t("reprovedCount", { count: reproved })}
          </li>
        </ul>
        {best === undefined || most === 0 ? (
          <p className="py-6 text-muted">{t("noDecisions")}</p>
        ) : (
          <figure>
            <figcaption className="pt-3 pb-1 text-sm text-muted">
              {t("best", { count: most, day: dayText(best.day, locale) })}
            </figcaption>
            <BarChart
              label={t("perDayChart", { approved, reproved, count: days.length })}
              columns={days.length}
              bars={bars}
              tones={TONES}
              isStacked
            />
            <DayMarks days={days} />
            <ChartTable
              label={t("perDay")}
              summary={t("asTable")}
              head={[t("day"), t("approved"), t("reproved")]}
              rows={bars}
            />
          </figure>
        )}
      </div>
    </RecordSection>
  );
}

function DayMarks({ days }: { days: readonly DayFigures[] }) {
  const locale = useLocale();
  const first = days[0];
  const last = days.at(-1);
  return (
    <div aria-hidden className="text-xs text-muted tabular-nums">
      {days.length > MAX_NUMBERED ? null : (
        <ol className="grid grid-cols-[repeat(14,minmax(0,1fr))] pt-1 text-center">
          {days.map((day) => (
            <li key={day.day}>{totalOf(day) === 0 ? "·" : totalOf(day)}</li>
          ))}
        </ol>
      )}
      <p className="flex justify-between pt-1">
        <span>{first ? dayText(first.day, locale) : null}</span>
        <span>{last ? dayText(last.day, locale) : null}</span>
      </p>
    </div>
  );
}
