"use client";

import { BarChart } from "@/components/table/bar-chart";
import { daysBetween } from "@/lib/text/time";
import { movedDays } from "./moved-days";
import type { DaySums } from "./statement-rows";

const LINE_HEIGHT = 100;

type DayBarsProps = {
  label: string;
  from: string;
  to: string;
  sums: DaySums;
  tones: readonly [string, string];
  /** Balance at the end of each day, from 0 (lowest) to 1 (highest); null when unknown. */
  balance: { label: string; path: readonly number[] } | null;
};

/** Drawn in the browser: Next hides a streamed part of an SVG with an inline style, which our policy blocks. */
export function DayBars({ label, from, to, sums, tones, balance }: DayBarsProps) {
  const columns = daysBetween(from, to) + 1;
  const bars = movedDays(sums, { from, to }).map((moved) => ({
    at: daysBetween(from, moved.day),
    up: Number(moved.in),
    down: Number(moved.out),
  }));
  return (
    <>
      {balance === null ? null : (
        <svg
          role="img"
          aria-label={balance.label}
          viewBox={`0 0 ${columns} ${LINE_HEIGHT}`}
          preserveAspectRatio="none"
          className="my-1 h-12 w-full overflow-visible"
        >
          <path
            d={`M0 0H${columns}M0 ${LINE_HEIGHT}H${columns}`}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
          <path
            d={`M0 ${LINE_HEIGHT * (1 - (balance.path[0] ?? 0))}${balance.path
              .map((share, day) => `V${(LINE_HEIGHT * (1 - share)).toFixed(1)}H${day + 1}`)
              .join("")}`}
            vectorEffect="non-scaling-stroke"
            className="fill-none stroke-accent"
          />
        </svg>
      )}
      <BarChart label={label} columns={columns} bars={bars} tones={tones} />
    </>
  );
}
