import { DateFilter } from "@/components/form/date-field";

type FilterPeriodProps = { from: string | undefined; to: string | undefined; labels: { from: string; to: string } };

export function FilterPeriod({ from, to, labels }: FilterPeriodProps) {
  return (
    <div className="flex flex-wrap items-start gap-2 max-sm:w-full">
      <DateFilter key={`from ${from}`} name="from" label={labels.from} value={from} clock="00:00" />
      <DateFilter key={`to ${to}`} name="to" label={labels.to} value={to} clock="23:59" />
    </div>
  );
}
