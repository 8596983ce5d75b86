"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { DateFilter } from "@/components/form/date-field";
import { type Period, PERIODS, settlePeriod } from "@/lib/text/period";
import { FilterChoice } from "./filter-bar";

type FilterPeriodProps = {
  period: Period | undefined;
  from: string | undefined;
  to: string | undefined;
  isByDay?: boolean;
};

const NAMES = ["period", "from", "to"] as const;

function PeriodFields({ period, from, to, isByDay = false }: FilterPeriodProps) {
  const t = useTranslations("common.period");
  const [first, setFirst] = useState(from ?? null);
  const fields = useRef<HTMLDivElement>(null);
  const [start, end] = isByDay ? [{}, {}] : [{ clock: "00:00" }, { clock: "23:59" }];

  useEffect(() => {
    const form = fields.current?.closest("form");
    const settle = ({ formData }: FormDataEvent) => {
      const textOf = (name: (typeof NAMES)[number]) => {
        const value = formData.get(name);
        return typeof value === "string" ? value : "";
      };
      const settled = settlePeriod({ period: textOf("period"), from: textOf("from"), to: textOf("to") }, period);
      for (const name of NAMES) formData.set(name, settled[name] ?? "");
    };
    form?.addEventListener("formdata", settle);
    return () => form?.removeEventListener("formdata", settle);
  }, [period]);

  return (
    <div ref={fields} className="flex flex-wrap items-start gap-2 @max-medium:w-full">
      <FilterChoice
        name="period"
        label={t("label")}
        value={period}
        any={from === undefined && to === undefined ? t("any") : t("typed")}
        options={PERIODS.map((value) => ({ value, label: t(`presets.${value}`) }))}
      />
      <DateFilter name="from" label={t("from")} value={from} {...start} onRead={setFirst} />
      <DateFilter name="to" label={t("to")} value={to} {...end} first={first ?? undefined} />
    </div>
  );
}

/** Presets, or two dates; a period that ends before it begins is not applied. */
export function FilterPeriod(given: FilterPeriodProps) {
  return <PeriodFields key={`${given.period} ${given.from} ${given.to}`} {...given} />;
}
