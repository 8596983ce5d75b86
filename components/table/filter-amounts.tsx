"use client";

import { useLocale, useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { unitsOf } from "@/lib/text/decimal";
import { readAmount } from "@/lib/text/typed-amount";
import { Checked } from "./filter-text";

type Range = Record<"min" | "max", string>;
type FilterAmountsProps = { value: { min: string | undefined; max: string | undefined }; labels: Range };

export function FilterAmounts({ value, labels }: FilterAmountsProps) {
  const t = useTranslations("common");
  const locale = useLocale();
  const asked = useSearchParams();
  const written = (name: keyof Range) =>
    value[name]?.replace(".", locale === "en" ? "." : ",") ?? asked.get(name) ?? "";
  const [typed, setTyped] = useState<Range>(() => ({ min: written("min"), max: written("max") }));
  const min = readAmount(typed.min);
  const max = readAmount(typed.max);
  const isReversed = min !== null && max !== null && unitsOf(min) > unitsOf(max);
  const isBad = (name: keyof Range) => typed[name].trim() !== "" && readAmount(typed[name]) === null;
  const problems: Range = {
    min: isBad("min") ? t("badAmount") : "",
    max: isBad("max") ? t("badAmount") : isReversed ? t("reversedAmounts") : "",
  };
  const isFilled = typed.min + typed.max !== "";
  const fields = (["min", "max"] as const).map((name) => (
    <div key={name} className="w-36 @max-medium:flex-1">
      {isFilled ? (
        <span aria-hidden className="text-sm text-muted @medium:hidden">
          {labels[name]}
        </span>
      ) : null}
      <Checked
        type="text"
        inputMode="decimal"
        name={name}
        value={typed[name]}
        label={labels[name]}
        problem={problems[name]}
        wasTried={typed[name] !== "" && problems[name] !== ""}
        onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
      />
    </div>
  ));
  return <div className="flex items-start gap-2 @max-medium:w-full">{fields}</div>;
}
