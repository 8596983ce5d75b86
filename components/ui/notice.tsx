import type { ReactNode } from "react";
import { cn } from "./cn";

const TONES = {
  warning: "border-warning/30 bg-warning-tint",
  negative: "border-negative/30 bg-negative-tint",
  positive: "border-positive/30 bg-positive-tint",
  info: "border-info/25 bg-info-tint",
} as const;

type NoticeProps = { tone: keyof typeof TONES; live?: "polite" | "assertive"; className?: string; children: ReactNode };

export function Notice({ tone, live, className, children }: NoticeProps) {
  return (
    <div
      aria-live={live}
      className={cn("rounded border px-3 py-2 text-sm wrap-anywhere text-ink", TONES[tone], className)}
    >
      {children}
    </div>
  );
}
