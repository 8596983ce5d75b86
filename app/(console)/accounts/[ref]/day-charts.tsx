"use client";

import { useLocale, useTranslations } from "next-intl";
import { dayMarks } from "@/components/table/day-marks";
import { LinePlot } from "@/components/table/line-plot";
import { FLOW_TONES, PairChart } from "@/components/table/pair-chart";
import { formatBrl, formatDate, formatShort } from "@/lib/text/format";
import { daysBetween, daysUntil } from "@/lib/text/time";
import { DayTable } from "./day-table";
import { movedDays } from "./moved-days";
import type { DaySums } from "./statement-rows";

type DayChartsProps = {
  from: string;
  to: string;
  sums: DaySums;
  /** At the end of each day; null when unknown. */
  held: readonly string[] | null;
  isWithBlocked: boolean;
};

export function DayCharts({ from, to, sums, held, isWithBlocked }: DayChartsProps) {
  const t = useTranslations("statement");
  const locale = useLocale();
  const days = daysUntil(daysBetween(from, to) + 1, to);
  const shown = (decimal: string) => formatBrl(decimal, locale);
  const shorten = (decimal: string) => formatShort(decimal, locale, true);
  const period = { from: formatDate(from, locale), to: formatDate(to, locale) };
  return (
    <>
      {held === null ? null : (
        <figure className="pb-5">
          <figcaption className="text-sm font-medium text-muted" title={isWithBlocked ? t("withBlocked") : undefined}>
            {t("dayBalance")}
          </figcaption>
          <LinePlot
            renderAmount={shown}
            say={shown}
            shorten={shorten}
            name={t("balanceChart", period)}
            days={days}
            points={days.map((day, nth) => ({ day, amount: held[nth] ?? "", unread: 0 }))}
            otherDays={null}
            size="h-28"
          />
        </figure>
      )}
      <PairChart
        label={t("perDayChart", period)}
        caption={t("perDay")}
        legend={[t("in"), t("out")]}
        head={[t("day"), t("in"), t("out")]}
        names={days.map((day) => formatDate(day, locale))}
        pairs={movedDays(sums, { from, to }).map((moved) => ({
          at: days.indexOf(moved.day),
          up: moved.in,
          down: moved.out,
        }))}
        marks={dayMarks(days, locale)}
        tones={FLOW_TONES}
        renderAmount={shown}
        say={shown}
        size="h-24"
        shorten={shorten}
      >
        <DayTable sums={sums} from={from} to={to} />
      </PairChart>
    </>
  );
}
