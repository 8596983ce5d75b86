"use client";

import { useLocale } from "next-intl";
import { formatCount } from "@/lib/text/format";

type Bar = { at: number; name: string; up: number; down: number };

const HEIGHT = 100;
const GAP = 0.14;
const WIDTH = 1 - 2 * GAP;
const UP_TONE = "fill-accent";

export type TwoWayChartProps = {
  label: string;
  legend: readonly [string, string];
  head: readonly [string, string, string];
  asTable: string;
  columns: number;
  bars: readonly Bar[];
  ends: readonly [string, string];
  downTone: string;
};

// In the browser's part: what the server draws in two pieces inside of an svg, a style would hide.
export function TwoWayChart({ label, legend, head, asTable, columns, bars, ends, downTone }: TwoWayChartProps) {
  const locale = useLocale();
  const most = { up: Math.max(...bars.map(({ up }) => up)), down: Math.max(...bars.map(({ down }) => down)) };
  const high = (count: number) => (count / Math.max(1, most.up + most.down)) * HEIGHT;
  const line = high(most.up);
  const drawn = (side: "up" | "down") =>
    bars
      .filter((bar) => bar[side] > 0)
      .map(({ at, ...bar }) => `M${at + GAP} ${line}h${WIDTH}v${(side === "up" ? -1 : 1) * high(bar[side])}h${-WIDTH}z`)
      .join("");
  return (
    <figure>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {[UP_TONE, downTone].map((tone, side) => (
          <span key={tone} className="flex items-center gap-1.5">
            <svg aria-hidden viewBox="0 0 12 12" className="size-3">
              <rect x="1" y="1" width="10" height="10" strokeWidth="1.5" className={tone} />
            </svg>
            {legend[side]}
          </span>
        ))}
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${columns} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-2 h-24 w-full"
      >
        <path d={drawn("up")} className={UP_TONE} />
        <path d={drawn("down")} vectorEffect="non-scaling-stroke" className={downTone} />
        <path d={`M0 ${line}h${columns}`} vectorEffect="non-scaling-stroke" className="stroke-line-strong" />
      </svg>
      <p aria-hidden className="flex justify-between pt-1 text-xs text-muted tabular-nums">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </p>
      <details className="pt-1 text-sm">
        <summary className="w-fit text-muted hover:text-ink">{asTable}</summary>
        <table className="ledger mt-2" aria-label={label}>
          <thead>
            <tr>
              {head.map((name, column) => (
                <th key={name} scope="col" data-align={column === 0 ? undefined : "end"}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(({ at, name, up, down }) => (
              <tr key={at}>
                <th scope="row">{name}</th>
                <td data-align="end">{formatCount(up, locale)}</td>
                <td data-align="end">{formatCount(down, locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
