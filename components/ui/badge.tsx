import type { ReactNode } from "react";
import { cn } from "./cn";

export type Tone = "positive" | "negative" | "warning" | "info" | "neutral" | "accent";

const TONES: Record<Tone, string> = {
  positive: "bg-positive-tint text-positive",
  negative: "bg-negative-tint text-negative",
  warning: "bg-warning-tint text-warning",
  info: "bg-info-tint text-info",
  neutral: "bg-neutral-tint text-neutral",
  accent: "bg-accent-tint text-accent",
};

/** The colour only repeats the word. */
export function Badge({ tone, isDotted = true, children }: { tone: Tone; isDotted?: boolean; children: ReactNode }) {
  return (
    <span
      data-tone={tone}
      className={cn("badge", isDotted && "before:size-1.5 before:rounded-full before:bg-current", TONES[tone])}
    >
      {children}
    </span>
  );
}
