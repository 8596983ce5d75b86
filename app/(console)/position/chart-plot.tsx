"use client";

import { useLocale, useTranslations } from "next-intl";
import { type PointerEvent, useState } from "react";
import { cn } from "@/components/ui/cn";
import { isInReais, type SumKey } from "@/lib/db/enums/position";
import type { LinePoint } from "@/lib/position/view";
import { formatBrl, formatCrypto, formatDate, formatMoment, formatShort } from "@/lib/text/format";
import { providerText, providerWord } from "@/lib/text/provider-word";
import { areaOf, HEIGHT, marksOf, pathOf, placesOf, ticksOf } from "./chart-scale";
import { SumAmount } from "./sum-amount";

const DATES = 3;

export type Drawn = Pick<SumKey, "kind" | "asset">;

type ChartPlotProps = { sum: Drawn; name: string; days: readonly string[]; points: readonly LinePoint[] };

/** Values at the pointer, and by the arrow keys, which are read aloud. */
export function ChartPlot({ sum, name, days, points }: ChartPlotProps) {
  const t = useTranslations("position.line");
  const locale = useLocale();
  const [chosen, setChosen] = useState<number | null>(null);
  const last = days.length - 1;
  const places = placesOf(points, days);
  const lastWhole = places.findLast(({ unread }) => unread === 0) ?? places.at(-1);
  const at = Math.min(chosen ?? lastWhole?.x ?? last, last);
  const day = days[at] ?? "";
  const point = places.find(({ x }) => x === at);
  const ticks = ticksOf(points);
  const isReais = isInReais(sum.kind);
  const amountOf = (decimal: string) =>
    isReais ? formatBrl(decimal, locale) : `${formatCrypto(decimal, locale)} ${providerText(providerWord(sum.asset))}`;
  const said =
    point === undefined
      ? t("unreadDay")
      : [amountOf(point.amount), ...(point.unread === 0 ? [] : [t("partDay", { count: point.unread })])].join(", ");
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setChosen(Math.min(last, Math.max(0, Math.round(((clientX - left) / Math.max(width, 1)) * last))));
  };
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
      </p>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div
          aria-hidden
          className={cn(
            "-my-2 flex flex-col text-end text-xs text-muted tabular-nums",
            ticks.length === 1 ? "justify-end" : "justify-between",
          )}
        >
          {ticks.map((tick) => (
            <span key={tick} className="whitespace-nowrap">
              {formatShort(tick, locale, isReais)}
            </span>
          ))}
        </div>
        <div className="relative h-44 has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent">
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-label={name}
            aria-valuetext={`${formatDate(day, locale)}: ${said}`}
            className="absolute inset-0 z-1 size-full cursor-crosshair touch-pan-y opacity-0"
            onChange={({ target }) => setChosen(Number(target.value))}
            onPointerMove={follow}
            onPointerLeave={() => setChosen(null)}
          />
          <svg aria-hidden className="size-full overflow-visible">
            {ticks.map((tick, nth) => {
              const y = `${ticks.length === 1 ? HEIGHT : (nth / (ticks.length - 1)) * HEIGHT}%`;
              const isFoot = nth === ticks.length - 1;
              return (
                <line
                  key={tick}
                  x1="0"
                  x2="100%"
                  y1={y}
                  y2={y}
                  className={isFoot ? "stroke-line-strong" : "stroke-line"}
                />
              );
            })}
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
            {chosen === null ? null : (
              <line x1={share(at)} x2={share(at)} y1="0" y2="100%" className="stroke-control" />
            )}
            {point === undefined ? null : (
              <circle
                cx={share(at)}
                cy={`${point.y}%`}
                r="4"
                strokeWidth="2"
                className={cn("fill-surface", point.unread === 0 ? "stroke-accent" : "stroke-warning")}
              />
            )}
          </svg>
        </div>
        <span className="pt-2 text-end text-xs text-muted">{isReais ? "" : providerWord(sum.asset)}</span>
        <p aria-hidden className="flex justify-between pt-2 text-xs text-muted tabular-nums">
          {[...new Set(marked)].map((shown) => (
            <span key={shown}>{formatMoment(shown, locale).day}</span>
          ))}
        </p>
      </div>
    </>
  );
}
