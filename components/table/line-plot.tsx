"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/cn";
import { formatDate, isZero } from "@/lib/text/format";
import { civilDaysAgo } from "@/lib/text/time";
import { ticksOf } from "./axis";
import { ChartFrame } from "./chart-frame";
import { dayMarks } from "./day-marks";
import { areaOf, axisOfPoints, HEIGHT, marksOf, pathOf, placesOf, type PlotPoint } from "./line-scale";

type LinePlotProps = {
  name: string;
  days: readonly string[];
  points: readonly PlotPoint[];
  /** What is said of the amount of any day but the last. */
  otherDays: string | null;
  renderAmount: (decimal: string) => ReactNode;
  say: (decimal: string) => string;
  shorten: (decimal: string) => string;
  unit?: string;
  size?: string;
};

/** Values at the pointer, and by the arrow keys, which are read aloud. */
export function LinePlot(props: LinePlotProps) {
  const { name, days, points, otherDays, renderAmount, say, shorten, unit = "", size = "h-44" } = props;
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
  const foot = ticks.findIndex(isZero);
  const note = at === last ? null : otherDays;
  const said =
    point === undefined
      ? t("unreadDay")
      : [
          say(point.amount),
          ...(point.unread === 0 ? [] : [t("partDay", { count: point.unread })]),
          ...(note === null ? [] : [note]),
        ].join(", ");
  const share = (part: number) => `${last === 0 ? 0 : (part / last) * 100}%`;
  return (
    <>
      <p className="flex min-h-11 flex-wrap items-baseline gap-x-3 pb-2 tabular-nums">
        <span className="text-sm text-muted">{formatDate(day, locale)}</span>
        {point === undefined ? (
          <span className="text-muted">{t("unreadDay")}</span>
        ) : (
          <span className="text-md font-semibold">{renderAmount(point.amount)}</span>
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
        ticks={ticks.map(shorten)}
        foot={foot}
        unit={unit}
        marks={dayMarks(days, locale)}
        size={size}
      >
        <svg
          width="100%"
          height="100%"
          viewBox={`0 0 ${Math.max(last, 1)} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="overflow-visible"
        >
          {foot === ticks.length - 1 ? <path d={areaOf(places)} className="fill-accent-tint opacity-60" /> : null}
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
