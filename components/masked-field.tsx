"use client";

import type { ChangeEvent, ComponentProps } from "react";
import { TextField } from "@/components/ui/field";
import { cn } from "@/lib/cn";

type MaskedFieldProps = Omit<ComponentProps<typeof TextField>, "onChange" | "onBlur" | "value"> & {
  value: string;
  /** What was typed, with the signs that people write between. */
  mask: (typed: string) => string;
  onChange: (typed: string) => void;
};

/** A field whose points, slashes and dashes come by themselves. */
export function MaskedField({ mask, onChange, className, ...field }: MaskedFieldProps) {
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    // In the middle of it the caret would jump.
    const isAtEnd = target.selectionStart === target.value.length;
    onChange(isAtEnd ? mask(target.value) : target.value);
  };
  return (
    <TextField
      autoComplete="off"
      spellCheck={false}
      {...field}
      className={cn("tabular-nums", className)}
      onChange={take}
      onBlur={({ target }) => onChange(mask(target.value))}
    />
  );
}
