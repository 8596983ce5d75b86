"use client";

import { typedDate } from "@/lib/typed";
import { MaskedField } from "./masked-field";

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
export const DateField = (props: DateFieldProps) => (
  <MaskedField {...props} mask={typedDate} inputMode="numeric" className="max-w-40" />
);
