import type { ReactNode } from "react";
import { cn } from "./cn";
import type { Tone } from "./badge";

/** The shape repeats what the colour says. */
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
  waiting: "status-waiting",
  moving: "status-moving",
  settled: "status-settled",
};

export type Look = { tone: Tone; progress: Progress };

/** Saves an element in each row. */
export const statusCell = ({ tone, progress }: Look): string => cn("status-cell", COLOURS[tone], SHAPES[progress]);

export function Status({ tone, progress, children }: Look & { children: ReactNode }) {
  return <span className={cn("status", COLOURS[tone], SHAPES[progress])}>{children}</span>;
}
