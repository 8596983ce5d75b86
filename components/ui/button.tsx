import type { ComponentProps } from "react";
import { cn } from "./cn";

export type ButtonTone = "primary" | "plain" | "quiet" | "negative";
export type ButtonSize = "icon" | "small" | "medium" | "large";

const TONES: Record<ButtonTone, string> = {
  primary: "btn-primary",
  plain: "btn-plain",
  quiet: "btn-quiet",
  negative: "btn-negative",
};

const SIZES: Record<ButtonSize, string> = {
  icon: "size-7",
  small: "h-7 px-2.5 text-sm",
  medium: "h-8 px-3 text-base",
  large: "h-10 px-4 text-base",
};

export function buttonClass(tone: ButtonTone = "plain", size: ButtonSize = "medium"): string {
  return cn("btn print:hidden", TONES[tone], SIZES[size]);
}

type ButtonProps = ComponentProps<"button"> & { tone?: ButtonTone; size?: ButtonSize; isBusy?: boolean };

/** A busy button keeps focus and place. */
export function Button({ tone = "plain", size = "medium", isBusy = false, className, ...button }: ButtonProps) {
  const busy = isBusy ? { "aria-busy": true, "aria-disabled": true } : {};
  return <button type="button" {...button} {...busy} className={cn(buttonClass(tone, size), className)} />;
}
