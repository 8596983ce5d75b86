import type { ComponentProps } from "react";
import { cn } from "./cn";

export type ButtonTone = "primary" | "plain" | "quiet" | "negative";
export type ButtonSize = "small" | "medium" | "large";

const TONES: Record<ButtonTone, string> = {
  primary: "bg-accent text-accent-ink not-aria-disabled:hover:bg-accent-strong",
  plain: "border border-line-strong bg-raised text-ink shadow-control not-aria-disabled:hover:bg-hover",
  quiet: "text-muted hover:bg-hover hover:text-ink",
  negative: "bg-negative text-negative-ink not-aria-disabled:hover:bg-negative-strong",
};

const SIZES: Record<ButtonSize, string> = {
  small: "h-7 px-2.5 text-sm",
  medium: "h-8 px-3 text-base",
  large: "h-10 px-4 text-base",
};

export function buttonClass(tone: ButtonTone = "plain", size: ButtonSize = "medium"): string {
  return cn(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded font-medium whitespace-nowrap transition-colors print:hidden",
    "aria-disabled:cursor-not-allowed aria-disabled:border-line aria-disabled:bg-neutral-tint aria-disabled:text-faint aria-disabled:shadow-none",
    TONES[tone],
    SIZES[size],
  );
}

type ButtonProps = ComponentProps<"button"> & { tone?: ButtonTone; size?: ButtonSize; isBusy?: boolean };

/** A busy button keeps focus and place. */
export function Button({ tone = "plain", size = "medium", isBusy = false, className, ...button }: ButtonProps) {
  const busy = isBusy ? { "aria-busy": true, "aria-disabled": true } : {};
  return <button type="button" {...button} {...busy} className={cn(buttonClass(tone, size), className)} />;
}
