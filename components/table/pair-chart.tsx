import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/cn";
import { Fold } from "@/components/ui/fold";
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

const NONE = "0";

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
  asTable?: string;
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
};

/** Two amounts for each day, hour or minute, on one axis. */
export function PairChart(props: PairChartProps) {
  const { label, caption, legend, head, asTable, names, pairs, marks, tones, finest, isStacked = false } = props;
  const { beside = [], size = "h-36" } = props;
  const { renderAmount, say, shorten } = props;
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
        ticks={ticks.map((tick) => shorten(tick.replace("-", "")))}
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
      {asTable === undefined ? null : (
        <Fold summary={asTable} className="pt-1 text-sm">
          <PairTable {...props} />
        </Fold>
      )}
    </figure>
  );
}

type PairTableProps = Pick<PairChartProps, "label" | "head" | "beside" | "names" | "pairs" | "renderAmount">;

type Side = {
  title: string;
  under: string | undefined;
  amountOf: (pair: Pair) => string;
  underOf: (pair: Pair) => string;
};

const below = (content: ReactNode) => <span className="block font-normal text-muted">{content}</span>;

/** Newest first; what stands beside an amount stands under it here, so that narrow columns hold both. */
export function PairTable({ label, head, beside, names, pairs, renderAmount }: PairTableProps) {
  const [column, first, second] = head;
  const sides: Side[] = [
    { title: first, under: beside?.[0], amountOf: (pair) => pair.up, underOf: (pair) => pair.beside?.[0] ?? NONE },
    { title: second, under: beside?.[1], amountOf: (pair) => pair.down, underOf: (pair) => pair.beside?.[1] ?? NONE },
  ];
  return (
    <table className="ledger mt-2" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{column}</th>
          {sides.map(({ title, under }) => (
            <th key={title} scope="col" data-align="end" className="py-1 whitespace-normal!">
              {title}
              {under === undefined ? null : below(under)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pairs.toReversed().map((pair) => (
          <tr key={pair.at}>
            <th scope="row">{names[pair.at]}</th>
            {sides.map(({ title, under, amountOf, underOf }) => (
              <td key={title} data-align="end" className="py-1 whitespace-normal!">
                {renderAmount(amountOf(pair))}
                {under === undefined ? null : below(renderAmount(underOf(pair)))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
