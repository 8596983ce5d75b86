"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { ticksOf } from "@/components/table/axis";
import { ChartFrame } from "@/components/table/chart-frame";
import { cn } from "@/components/ui/cn";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import type { LinePoint } from "@/lib/position/view";
import { formatDate, formatMoment, formatShort } from "@/lib/text/format";
import { civilDaysAgo } from "@/lib/text/time";
import { providerWord } from "@/lib/text/provider-word";
import { areaOf, axisOfPoints, HEIGHT, marksOf, pathOf, placesOf } from "./chart-scale";
import { SumAmount, useSayAmount } from "./sum-amount";

const DATES = 3;

export type Drawn = Pick<SumKey, "kind" | "asset">;

type ChartPlotProps = {
  sum: Drawn;
  name: string;
  days: readonly string[];
  points: readonly LinePoint[];
  otherDays: string | null;
  size?: string;
};

/** Values at the pointer, and by the arrow keys, which are read aloud. */
export function ChartPlot({ sum, name, days, points, otherDays, size = "h-44" }: ChartPlotProps) {
  const t = useTranslations("position.line");
  const locale = useLocale();
  const [chosen, setChosen] = useState<number | null>(null);
  const last = days.length - 1;
  const places = placesOf(points, days);
  const isToday = days[last] === civilDaysAgo(0);
  const lastWhole = isToday ? places.findLast(({ unread }) => unread === 0) : undefined;
  const at = Math.min(chosen ?? lastWhole?.x ?? last, last);
  const day = days[at] ?? "";
  const point = places.find(({ x }) => x === at);
  const ticks = ticksOf(axisOfPoints(points));
  const isReais = isInReais(sum.kind);
  const amountOf = useSayAmount(sum);
  const note = at === last ? null : otherDays;
  const said =
    point === undefined
      ? t("unreadDay")
      : [
          amountOf(point.amount),
          ...(point.unread === 0 ? [] : [t("partDay", { count: point.unread })]),
          ...(note === null ? [] : [note]),
        ].join(", ");
  const share = (part: number) => `${last === 0 ? 0 : (part / last) * 100}%`;
  const marked = Array.from({ length: DATES + 1 }, (_, nth) => days[Math.round((nth * last) / DATES)] ?? "");
  return (
    <>
      <p className="flex min-h-11 flex-wrap items-baseline gap-x-3 pb-2 tabular-nums">
        <span className="text-sm text-muted">{formatDate(day, locale)}</span>
        {point === undefined ? (
          <span className="text-muted">{t("unreadDay")}</span>
        ) : (
          <span className="text-md font-semibold">
            <SumAmount sum={sum} decimal={point.amount} />
          </span>
        )}
        {point === undefined || point.unread === 0 ? null : (
          <span className="text-sm text-warning">{t("partDay", { count: point.unread })}</span>
        )}
        {point === undefined || note === null ? null : <span className="text-sm text-muted">{note}</span>}
      </p>
      <ChartFrame
        label={name}
        said={`${formatDate(day, locale)}: ${said}`}
        count={days.length}
        reads="points"
        at={at}
        onChoose={setChosen}
        ticks={ticks.map((tick) => formatShort(tick, locale, isReais))}
        foot={ticks.length - 1}
        unit={isReais ? "" : providerWord(sum.asset)}
        marks={marked.map((shown) => formatMoment(shown, locale).day)}
        size={size}
      >
        <svg
          width="100%"
          height="100%"
          viewBox={`0 0 ${Math.max(last, 1)} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="overflow-visible"
        >
          <path d={areaOf(places)} className="fill-accent-tint opacity-60" />
          <path
            d={pathOf(places)}
            vectorEffect="non-scaling-stroke"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
            className="fill-none stroke-accent"
          />
          <path
            d={marksOf(places)}
            vectorEffect="non-scaling-stroke"
            strokeWidth="6"
            strokeLinecap="round"
            className="fill-none stroke-warning"
          />
        </svg>
        {chosen === null ? null : <line x1={share(at)} x2={share(at)} y1="0" y2="100%" className="stroke-control" />}
        {point === undefined ? null : (
          <circle
            cx={share(at)}
            cy={`${point.y}%`}
            r="4"
            strokeWidth="2"
            className={cn("fill-surface", point.unread === 0 ? "stroke-accent" : "stroke-warning")}
          />
        )}
      </ChartFrame>
    </>
  );
}
