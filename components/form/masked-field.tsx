"use client";

import type { ChangeEvent, ComponentProps, FocusEvent } from "react";
import { TextField } from "@/components/ui/field";
import { cn } from "@/components/ui/cn";

type MaskedFieldProps = Omit<ComponentProps<typeof TextField>, "onChange" | "onBlur" | "value"> & {
  value: string;
  mask: (typed: string) => string;
  onChange: (typed: string) => void;
};

export const masking = (mask: (typed: string) => string, onChange: (typed: string) => void) => ({
  onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
    // Elsewhere the caret would jump.
    const isAtEnd = target.selectionStart === target.value.length;
    onChange(isAtEnd ? mask(target.value) : target.value);
  },
  onBlur: ({ target }: FocusEvent<HTMLInputElement>) => onChange(mask(target.value)),
});

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
