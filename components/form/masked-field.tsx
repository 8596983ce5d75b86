"use client";

import type { ChangeEvent, ComponentProps, FocusEvent } from "react";
import { TextField } from "@/components/ui/field";
import { cn } from "@/components/ui/cn";

type MaskedFieldProps = Omit<ComponentProps<typeof TextField>, "onChange" | "onBlur" | "value"> & {
  value: string;
  /** What was typed, with the signs that people write between. */
  mask: (typed: string) => string;
  onChange: (typed: string) => void;
};

/** What brings the signs between into a field, as one types and once one leaves it. */
export const masking = (mask: (typed: string) => string, onChange: (typed: string) => void) => ({
  onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
    // In the middle of it the caret would jump.
    const isAtEnd = target.selectionStart === target.value.length;
    onChange(isAtEnd ? mask(target.value) : target.value);
  },
  onBlur: ({ target }: FocusEvent<HTMLInputElement>) => onChange(mask(target.value)),
});

/** A field whose points, slashes and dashes come by themselves. */
export function MaskedField({ mask, onChange, className, ...field }: MaskedFieldProps) {
  return (
    <TextField
      autoComplete="off"
      spellCheck={false}
      {...field}
      {...masking(mask, onChange)}
      className={cn("tabular-nums", className)}
    />
  );
}
