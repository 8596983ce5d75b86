import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/cn";
import { decimalOf, unitsOf } from "@/lib/text/decimal";
import { isZero } from "@/lib/text/format";
import { axisOf, shareOf, sidesOf, ticksOf } from "./axis";
import { Bars, Swatch } from "./bar-chart";
import { ChartFrame } from "./chart-frame";

/** Two decimals of one column, neither below 0. */
export type Pair = {
  at: number;
  up: string;
  down: string;
  /** Not drawn: told in words and in the table. */
  beside?: readonly [string, string];
};

export const NONE = "0";

export const FLOW_TONES = ["fill-positive", "fill-negative-tint stroke-negative"] as const;

const negated = ({ down }: Pair) => decimalOf(-unitsOf(down));

const together = ({ up, down }: Pair) => decimalOf(unitsOf(up) + unitsOf(down));

export type PairChartProps = {
  label: string;
  /** Before the legend, where the heading around it does not say what is drawn. */
  caption?: string;
  legend: readonly [string, string];
  /** Of the column's name and of both amounts. */
  head: readonly [string, string, string];
  beside?: readonly [string, string] | undefined;
  /** Of every column, from left to right. */
  names: readonly string[];
  pairs: readonly Pair[];
  marks: readonly string[];
  tones: readonly [string, string];
  renderAmount: (decimal: string) => ReactNode;
  say: (decimal: string) => string;
  shorten: (decimal: string) => string;
  /** No step of the axis is smaller. */
  finest?: string;
  /** The second on top of the first instead of below the line. */
  isStacked?: boolean;
  size?: string;
  children?: ReactNode;
};

/** Two amounts for each day, hour or minute, on one axis. */
export function PairChart(props: PairChartProps) {
  const { label, caption, legend, head, names, pairs, marks, tones, finest, isStacked = false } = props;
  const { beside = [], size = "h-36" } = props;
  const { renderAmount, say, shorten, children } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.min(chosen ?? pairs.at(-1)?.at ?? names.length - 1, names.length - 1);
  const name = names[at] ?? "";
  const read: Pair = pairs.find((pair) => pair.at === at) ?? { at, up: NONE, down: NONE };
  const reached = pairs.flatMap((pair) => (isStacked ? [together(pair)] : [pair.up, negated(pair)]));
  const axis = axisOf([NONE, ...reached], finest);
  const ticks = ticksOf(axis);
  const [, first, second] = head;
  return (
    <figure className="min-w-0">
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {caption === undefined ? null : <span className="text-muted">{caption}</span>}
        {tones.map((tone, side) => (
          <span key={tone} className="flex items-center gap-1.5">
            <Swatch tone={tone} />
            {legend[side]}
          </span>
        ))}
      </figcaption>
      <p className="flex flex-wrap items-baseline gap-x-3 pt-1 pb-3 text-sm tabular-nums">
        <span className="text-muted">{name}</span>
        <span>
          {first} <span className="font-semibold">{renderAmount(read.up)}</span>
        </span>
        <span>
          {second} <span className="font-semibold">{renderAmount(read.down)}</span>
        </span>
        {beside.map((title, side) => (
          <span key={title} className="text-muted">
            {title} {renderAmount(read.beside?.[side] ?? NONE)}
          </span>
        ))}
      </p>
      <ChartFrame
        label={label}
        said={[
          `${name}: ${first} ${say(read.up)}`,
          `${second} ${say(read.down)}`,
          ...beside.map((title, side) => `${title} ${say(read.beside?.[side] ?? NONE)}`),
        ].join(", ")}
        count={names.length}
        reads="columns"
        at={at}
        onChoose={setChosen}
        ticks={ticks.map((tick) => shorten(tick))}
        foot={ticks.findIndex(isZero)}
        marks={marks}
        size={size}
      >
        <svg
          width="100%"
          height="100%"
          viewBox={`0 0 ${names.length} 100`}
          preserveAspectRatio="none"
          className="overflow-visible"
        >
          <rect
            x={at}
            y="0"
            width="1"
            height="100"
            className={cn("fill-accent-tint", chosen === null && "opacity-0")}
          />
          <Bars
            columns={names.length}
            bars={pairs.map((pair) => ({ at: pair.at, up: shareOf(axis, pair.up), down: shareOf(axis, pair.down) }))}
            tones={tones}
            isStacked={isStacked}
            span={sidesOf(axis)}
          />
        </svg>
      </ChartFrame>
      {children}
    </figure>
  );
}
