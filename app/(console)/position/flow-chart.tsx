"use client";

import { useLocale, useTranslations } from "next-intl";
import { BarChart, Swatch } from "@/components/table/bar-chart";
import type { SumFlow } from "@/lib/position/view";
import { unitsOf } from "@/lib/text/decimal";
import { formatDate, formatMoment } from "@/lib/text/format";
import type { Drawn } from "./chart-plot";
import { SumAmount } from "./sum-amount";

const TONES = ["fill-accent", "fill-warning"] as const;
const STEPS = 10_000n;

type FlowChartProps = { sum: Drawn; flow: SumFlow; days: readonly string[]; label: string };

export function FlowChart({ sum, flow, days, label }: FlowChartProps) {
  const t = useTranslations("position.flow");
  const locale = useLocale();
  const all = flow.days.flatMap((day) => [unitsOf(day.in), unitsOf(day.out)]);
  const most = all.reduce((high, one) => (one > high ? one : high), 0n);
  const share = (decimal: string) => (most === 0n ? 0 : Number((unitsOf(decimal) * STEPS) / most));
  const bars = flow.days.map((day) => ({ at: days.indexOf(day.day), up: share(day.in), down: share(day.out) }));
  const ends = [days[0] ?? "", days.at(-1) ?? ""];
  return (
    <figure className="px-5">
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {TONES.map((tone) => (
          <span key={tone} className="flex items-center gap-1.5">
            <Swatch tone={tone} />
            {t(tone === "fill-accent" ? "in" : "out")}
          </span>
        ))}
      </figcaption>
      <BarChart label={label} columns={days.length} bars={bars.filter(({ at }) => at >= 0)} tones={TONES} />
      <p aria-hidden className="flex justify-between pt-1 text-xs text-muted tabular-nums">
        {ends.map((day) => (
          <span key={day}>{formatMoment(day, locale).day}</span>
        ))}
      </p>
      {flow.untold === 0 ? null : <p className="pt-1 text-sm text-warning">{t("untold", { count: flow.untold })}</p>}
      <details className="pt-1 text-sm">
        <summary className="w-fit text-muted hover:text-ink">{t("asTable")}</summary>
        <table className="ledger mt-2" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t("day")}</th>
              <th scope="col" data-align="end">
                {t("in")}
              </th>
              <th scope="col" data-align="end">
                {t("out")}
              </th>
            </tr>
          </thead>
          <tbody>
            {flow.days.toReversed().map((one) => (
              <tr key={one.day}>
                <th scope="row">{formatDate(one.day, locale)}</th>
                <td data-align="end">
                  <SumAmount sum={sum} decimal={one.in} />
                </td>
                <td data-align="end">
                  <SumAmount sum={sum} decimal={one.out} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
