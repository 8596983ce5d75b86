import type { ReactNode } from "react";
import { cn } from "./cn";
import type { Tone } from "./badge";

/** The shape says it where colour cannot. */
export type Progress = "waiting" | "moving" | "settled";

const COLOURS: Record<Tone, string> = {
  positive: "before:text-positive",
  negative: "before:text-negative",
  warning: "before:text-warning",
  info: "before:text-info",
  neutral: "before:text-neutral",
  accent: "before:text-accent",
};

const SHAPES: Record<Progress, string> = {
  waiting: "before:border-2",
  moving:
    "before:border-[1.5px] before:bg-linear-to-r before:from-transparent before:from-50% before:to-current before:to-50%",
  settled: "before:bg-current",
};

const MARK = "before:size-2.5 before:shrink-0 before:rounded-full before:border-current";

export type Look = { tone: Tone; progress: Progress };

/** No element of its own in each row. */
export const statusCell = ({ tone, progress }: Look): string =>
  cn("before:mr-2 before:inline-block", MARK, COLOURS[tone], SHAPES[progress]);

export function Status({ tone, progress, children }: Look & { children: ReactNode }) {
  return (
    <span
      className={cn(
        "inline-flex max-w-full items-center gap-2 whitespace-nowrap",
        MARK,
        COLOURS[tone],
        SHAPES[progress],
      )}
    >
      {children}
    </span>
  );
}
