"use client";

import { useLocale, useTranslations } from "next-intl";
import { dayMarks } from "@/components/table/day-marks";
import { FLOW_TONES } from "@/components/table/pair-chart";
import { TabledChart } from "@/components/table/pair-table";
import { isInReais } from "@/lib/db/enums/position";
import type { SumFlow } from "@/lib/position/view";
import { formatDate, formatShort } from "@/lib/text/format";
import { type Drawn, SumAmount, useSayAmount } from "./sum-amount";

type FlowChartProps = { sum: Drawn; flow: SumFlow; days: readonly string[]; label: string };

export function FlowChart({ sum, flow, days, label }: FlowChartProps) {
  const t = useTranslations("position.flow");
  const locale = useLocale();
  const say = useSayAmount(sum);
  const pairs = flow.days.map((day) => ({ at: days.indexOf(day.day), up: day.in, down: day.out }));
  return (
    <div className="px-5">
      <TabledChart
        label={label}
        legend={[t("in"), t("out")]}
        head={[t("day"), t("in"), t("out")]}
        asTable={t("asTable")}
        names={days.map((day) => formatDate(day, locale))}
        pairs={pairs.filter(({ at }) => at >= 0)}
        marks={dayMarks(days, locale)}
        tones={FLOW_TONES}
        renderAmount={(decimal) => <SumAmount sum={sum} decimal={decimal} />}
        say={say}
        shorten={(decimal) => formatShort(decimal, locale, isInReais(sum.kind))}
      />
      {flow.untold === 0 ? null : <p className="pt-1 text-sm text-warning">{t("untold", { count: flow.untold })}</p>}
    </div>
  );
}
