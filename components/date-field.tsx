"use client";

import type { ChangeEvent } from "react";
import { TextField } from "@/components/ui/field";
import { typedDate } from "@/lib/typed";

type DateFieldProps = {
  label: string;
  /** How a date is written. */
  hint: string;
  name: string;
  value: string;
  error: string | undefined;
  onChange: (typed: string) => void;
};

/** A civil date as people type it, DD/MM/AAAA: the slashes come by themselves. */
export function DateField({ onChange, ...field }: DateFieldProps) {
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    // In the middle of it the caret would jump.
    const isAtEnd = target.selectionStart === target.value.length;
    onChange(isAtEnd ? typedDate(target.value) : target.value);
  };
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      className="max-w-40 tabular-nums"
      onChange={take}
      onBlur={({ target }) => onChange(typedDate(target.value))}
    />
  );
}
