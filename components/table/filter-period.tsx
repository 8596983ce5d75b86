import { FilterDates } from "./filter-dates";
import { FilterPresets, type PeriodProps } from "./filter-presets";

export function FilterPeriod(given: PeriodProps) {
  const { period, from, to } = given;
  return (
    <FilterPresets key={`${period} ${from} ${to}`} {...given}>
      <FilterDates {...given} />
    </FilterPresets>
  );
}
