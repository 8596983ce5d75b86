"use client";

import { useLocale } from "next-intl";
import { formatCount } from "@/lib/text/format";
import type { Bar } from "./bar-chart";
import { TabledChart, type TabledChartProps } from "./pair-table";

export type TwoWayChartProps = Pick<
  TabledChartProps,
  "label" | "legend" | "head" | "asTable" | "names" | "marks" | "tones" | "isStacked"
> & { bars: readonly Bar[] };

/** Counts. Rendered in the browser: Next hides a streamed part of an SVG with an inline style, which our policy blocks. */
export function TwoWayChart({ bars, ...chart }: TwoWayChartProps) {
  const locale = useLocale();
  const shown = (decimal: string) => formatCount(Number(decimal), locale);
  return (
    <TabledChart
      {...chart}
      pairs={bars.map(({ at, up, down }) => ({ at, up: String(up), down: String(down) }))}
      renderAmount={shown}
      say={shown}
      shorten={(decimal) => shown(decimal.replace("-", ""))}
      finest="1"
    />
  );
}
