import type { PointerEvent, ReactNode } from "react";
import { cn } from "@/components/ui/cn";

type ChartFrameProps = {
  /** What the arrow keys walk through, and what is read aloud of the chosen place. */
  label: string;
  said: string;
  count: number;
  /** Points stand on the edges of the plot, columns between them. */
  reads: "points" | "columns";
  at: number;
  onChoose: (at: number | null) => void;
  /** The highest first, evenly apart. */
  ticks: readonly string[];
  /** The tick of 0, from the top; -1 where the axis has none. */
  foot: number;
  unit?: string;
  /** Along the foot, evenly apart. */
  marks: readonly string[];
  size: string;
  children: ReactNode;
};

/** Axis, grid, and values at the pointer and by the arrow keys. */
export function ChartFrame(props: ChartFrameProps) {
  const { label, said, count, reads, at, onChoose, ticks, foot, unit = "", marks, size, children } = props;
  const last = count - 1;
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = (clientX - left) / Math.max(width, 1);
    const nearest = reads === "points" ? Math.round(share * last) : Math.floor(share * count);
    onChoose(Math.min(last, Math.max(0, nearest)));
  };
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
      <div
        aria-hidden
        className={cn(
          "-my-2 flex flex-col text-end text-xs text-muted tabular-nums",
          ticks.length === 1 ? "justify-end" : "justify-between",
        )}
      >
        {ticks.map((tick, nth) => (
          <span key={nth} className="whitespace-nowrap">
            {tick}
          </span>
        ))}
      </div>
      <div
        className={cn(
          "relative has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent",
          size,
        )}
      >
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label={label}
          aria-valuetext={said}
          className="absolute inset-0 z-1 size-full cursor-crosshair touch-pan-y opacity-0"
          onChange={({ target }) => onChoose(Number(target.value))}
          onPointerMove={follow}
          onPointerLeave={() => onChoose(null)}
        />
        <svg aria-hidden className="size-full overflow-visible">
          {ticks.map((_, nth) => {
            const y = `${ticks.length === 1 ? 100 : (nth / (ticks.length - 1)) * 100}%`;
            return (
              <line
                key={nth}
                x1="0"
                x2="100%"
                y1={y}
                y2={y}
                className={nth === foot ? "stroke-line-strong" : "stroke-line"}
              />
            );
          })}
          {children}
        </svg>
      </div>
      <span className="pt-2 text-end text-xs text-muted">{unit}</span>
      <p aria-hidden className="flex justify-between pt-2 text-xs text-muted tabular-nums">
        {[...new Set(marks)].map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </p>
    </div>
  );
}
