import { useLocale } from "next-intl";
import { cn } from "@/components/ui/cn";
import { formatCount } from "@/lib/text/format";

export type Bar = { at: number; up: number; down: number };

const HEIGHT = 100;
const GAP = 0.14;
const WIDTH = 1 - 2 * GAP;
/** Space for the outline of the highest bar. */
const MARGIN = 2;

const rounded = (length: number) => Number(length.toFixed(2));

type BarChartProps = {
  label: string;
  columns: number;
  bars: readonly Bar[];
  tones: readonly [string, string];
  /** Puts the second series on top of the first. */
  isStacked?: boolean;
};

export function BarChart({ label, columns, bars, tones, isStacked = false }: BarChartProps) {
  const most = (of: (bar: Bar) => number) => Math.max(0, ...bars.map(of));
  const mostUp = most(({ up }) => up);
  const mostDown = most(({ down }) => down);
  const whole = isStacked ? most(({ up, down }) => up + down) : mostUp + mostDown;
  const room = isStacked ? HEIGHT - MARGIN : HEIGHT;
  const high = (amount: number) => (whole === 0 ? 0 : rounded((amount / whole) * room));
  const line = isStacked ? HEIGHT : high(mostUp);
  const drawn = (side: "up" | "down") =>
    bars
      .filter((bar) => bar[side] > 0)
      .map((bar) => {
        const from = isStacked && side === "down" ? rounded(line - high(bar.up)) : line;
        const height = high(bar[side]);
        return `M${rounded(bar.at + GAP)} ${from}h${WIDTH}v${side === "up" || isStacked ? -height : height}h${-WIDTH}z`;
      })
      .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${columns} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn("w-full", isStacked ? "h-40 border-b border-line-strong" : "mt-2 h-24")}
    >
      <path d={drawn("up")} className={tones[0]} />
      <path
        d={drawn("down")}
        vectorEffect="non-scaling-stroke"
        strokeWidth={isStacked ? "1.5" : undefined}
        className={tones[1]}
      />
      {isStacked ? null : (
        <path d={`M0 ${line}h${columns}`} vectorEffect="non-scaling-stroke" className="stroke-line-strong" />
      )}
    </svg>
  );
}

export function Swatch({ tone }: { tone: string }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3">
      <rect x="1" y="1" width="10" height="10" strokeWidth="1.5" className={tone} />
    </svg>
  );
}

type ChartTableProps = {
  label: string;
  summary: string;
  head: readonly [string, string, string];
  rows: readonly (Bar & { name: string })[];
};

export function ChartTable({ label, summary, head, rows }: ChartTableProps) {
  const locale = useLocale();
  return (
    <details className="pt-1 text-sm">
      <summary className="w-fit text-muted hover:text-ink">{summary}</summary>
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
          {rows.map(({ at, name, up, down }) => (
            <tr key={at}>
              <th scope="row">{name}</th>
              <td data-align="end">{formatCount(up, locale)}</td>
              <td data-align="end">{formatCount(down, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
