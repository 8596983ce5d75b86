"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { use } from "react";
import { cn } from "@/components/ui/cn";
import { CONTROL, Unfolded } from "./filter-bar";
import type { DatesProps } from "./filter-dates";
import { FilterPresets, type PeriodProps } from "./filter-presets";

const FilterDates = dynamic(() => import("./filter-dates").then((loaded) => loaded.FilterDates));

const DATES = ["from", "to"] as const;

function PlainDates() {
  const t = useTranslations("common.period");
  return DATES.map((name) => (
    <input key={name} name={name} aria-label={t(name)} placeholder={t(name)} className={cn(CONTROL, "max-w-42")} />
  ));
}

export function PeriodDates(given: DatesProps) {
  const isUnfolded = use(Unfolded);
  const asked = useSearchParams();
  const isTyped = DATES.some((name) => asked.has(name) || given[name] !== undefined);
  return isUnfolded || isTyped ? <FilterDates key={`${given.from} ${given.to}`} {...given} /> : <PlainDates />;
}

export function FilterPeriod({ period, ...dates }: PeriodProps) {
  return (
    <FilterPresets key={`${period} ${dates.from} ${dates.to}`} period={period} {...dates}>
      <PeriodDates {...dates} />
    </FilterPresets>
  );
}
