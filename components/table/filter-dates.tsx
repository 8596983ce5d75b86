"use client";

import { useState } from "react";
import { useTranslations } from "next-intl";
import { DateFilter } from "@/components/form/date-field";

export type DatesProps = { from: string | undefined; to: string | undefined; isByDay?: boolean };

/** Dates that end before they begin are not applied. */
export function FilterDates({ from, to, isByDay = false }: DatesProps) {
  const t = useTranslations("common.period");
  const [first, setFirst] = useState(from ?? null);
  const [start, end] = isByDay ? [{}, {}] : [{ clock: "00:00" }, { clock: "23:59" }];
  return (
    <>
      <DateFilter name="from" label={t("from")} value={from} {...start} onRead={setFirst} />
      <DateFilter name="to" label={t("to")} value={to} {...end} first={first ?? undefined} />
    </>
  );
}
