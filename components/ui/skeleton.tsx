import type { ReactNode } from "react";
import { cn } from "./cn";

export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={cn("skeleton block", className)} />;
}

/** Appears after four seconds, by the style sheet alone. */
export function LateNote({ className, children }: { className?: string; children: ReactNode }) {
  return <output className={cn("late block text-sm text-muted", className)}>{children}</output>;
}
