"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useRef } from "react";
import { type Period, PERIODS, settlePeriod } from "@/lib/text/period";
import type { DatesProps } from "./filter-dates";
import { FilterChoice } from "./filter-bar";

export type PeriodProps = DatesProps & { period: Period | undefined };

const NAMES = ["period", "from", "to"] as const;

type PresetsProps = PeriodProps & { isAlwaysBounded?: boolean; children?: ReactNode };

/** Presets and, as `children`, two dates; whichever was set last applies. */
export function FilterPresets({ period, from, to, isAlwaysBounded = false, children }: PresetsProps) {
  const t = useTranslations("common.period");
  const fields = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const form = fields.current?.closest("form");
    const settle = ({ formData }: FormDataEvent) => {
      const asked = { period, from, to };
      for (const name of NAMES) {
        const value = formData.get(name);
        // Dates that are not loaded yet stay as they are.
        if (typeof value === "string") Object.assign(asked, { [name]: value });
      }
      const settled = settlePeriod(asked, period);
      for (const name of NAMES) formData.set(name, settled[name] ?? "");
    };
    form?.addEventListener("formdata", settle);
    return () => form?.removeEventListener("formdata", settle);
  }, [period, from, to]);

  return (
    <div
      ref={fields}
      className={children === undefined ? "contents" : "flex flex-wrap items-start gap-2 @max-medium:w-full"}
    >
      <FilterChoice
        name="period"
        label={t("label")}
        value={period}
        any={from !== undefined || to !== undefined ? t("typed") : isAlwaysBounded ? null : t("any")}
        options={PERIODS.map((value) => ({ value, label: t(`presets.${value}`) }))}
      />
      {children}
    </div>
  );
}
