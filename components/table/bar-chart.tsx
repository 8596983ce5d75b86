import { cn } from "@/components/ui/cn";

export type Bar = { at: number; up: number; down: number };

const HEIGHT = 100;
/** Of a column, and of the whole plot, so that the bars of few days stay bars. */
const WIDEST = 0.72;
const WIDEST_OF_ALL = 0.06;

const rounded = (length: number) => Number(length.toFixed(2));

type BarsProps = {
  columns: number;
  bars: readonly Bar[];
  tones: readonly [string, string];
  /** Puts the second series on top of the first. */
  isStacked?: boolean;
  /** What the axis spans above and below its line, in the bars' own numbers; without it, the highest bars. */
  span?: { up: number; down: number };
};

/** The bars alone, in a plot of its own width and height. */
export function Bars({ columns, bars, tones, isStacked = false, span }: BarsProps) {
  const most = (side: "up" | "down") => Math.max(0, ...bars.map((bar) => bar[side]));
  const { up: mostUp, down: mostDown } = span ?? { up: most("up"), down: most("down") };
  const whole = mostUp + mostDown;
  const high = (amount: number) => (whole === 0 ? 0 : rounded((amount / whole) * HEIGHT));
  const line = high(mostUp);
  const width = rounded(Math.min(WIDEST, columns * WIDEST_OF_ALL));
  const gap = (1 - width) / 2;
  const drawn = (side: "up" | "down") =>
    bars
      .filter((bar) => bar[side] > 0)
      .map((bar) => {
        const from = isStacked && side === "down" ? rounded(line - high(bar.up)) : line;
        const height = high(bar[side]);
        return `M${rounded(bar.at + gap)} ${from}h${width}v${side === "up" || isStacked ? -height : height}h${-width}z`;
      })
      .join("");
  return (
    <>
      <path d={drawn("up")} className={tones[0]} />
      <path d={drawn("down")} vectorEffect="non-scaling-stroke" className={tones[1]} />
      {isStacked ? null : (
        <path d={`M0 ${line}h${columns}`} vectorEffect="non-scaling-stroke" className="stroke-line-strong" />
      )}
    </>
  );
}

export function Swatch({ tone }: { tone: string }) {
  return (
    <svg aria-hidden viewBox="0 0 12 12" className="size-3">
      <rect x="1" y="1" width="10" height="10" strokeWidth="1.5" className={cn(tone)} />
    </svg>
  );
}
