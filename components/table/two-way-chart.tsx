"use client";

import { type Bar, BarChart, ChartTable, Swatch } from "./bar-chart";

const UP_TONE = "fill-accent";

export type TwoWayChartProps = {
  label: string;
  legend: readonly [string, string];
  head: readonly [string, string, string];
  asTable: string;
  columns: number;
  bars: readonly (Bar & { name: string })[];
  ends: readonly [string, string];
  downTone: string;
};

// Rendered in the browser: Next hides a streamed part of an SVG with an inline style, which our policy blocks.
export function TwoWayChart({ label, legend, head, asTable, columns, bars, ends, downTone }: TwoWayChartProps) {
  return (
    <figure>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {[UP_TONE, downTone].map((tone, side) => (
          <span key={tone} className="flex items-center gap-1.5">
            <Swatch tone={tone} />
            {legend[side]}
          </span>
        ))}
      </figcaption>
      <BarChart label={label} columns={columns} bars={bars} tones={[UP_TONE, downTone]} />
      <p aria-hidden className="flex justify-between pt-1 text-xs text-muted tabular-nums">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
      <ChartTable label={label} summary={asTable} head={head} rows={bars.toReversed()} />
    </figure>
  );
}
