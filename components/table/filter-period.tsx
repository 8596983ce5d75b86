"use client";

import { useState } from "react";
import { DateFilter } from "@/components/form/date-field";

type FilterPeriodProps = {
  from: string | undefined;
  to: string | undefined;
  labels: { from: string; to: string };
  isByDay?: boolean;
};

function Period({ from, to, labels, isByDay = false }: FilterPeriodProps) {
  const [first, setFirst] = useState(from ?? null);
  const [start, end] = isByDay ? [{}, {}] : [{ clock: "00:00" }, { clock: "23:59" }];
  return (
    <div className="flex flex-wrap items-start gap-2 @max-medium:w-full">
      <DateFilter name="from" label={labels.from} value={from} {...start} onRead={setFirst} />
      <DateFilter name="to" label={labels.to} value={to} {...end} first={first ?? undefined} />
    </div>
  );
}

/** A period that ends before it begins is not applied. */
export function FilterPeriod(period: FilterPeriodProps) {
  return <Period key={`${period.from} ${period.to}`} {...period} />;
}
