import { isZero } from "@/lib/text/format";
import { DAY_MS } from "@/lib/text/time";
import type { DaySums } from "./statement-rows";

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);

export const dayAfter = (first: string, count: number): string =>
  new Date(noon(first) + count * DAY_MS).toISOString().slice(0, "yyyy-MM-dd".length);

/** Of the period's days, in order; of days outside it nothing is drawn. */
export function movedDays({ days }: Pick<DaySums, "days">, { from, to }: { from: string; to: string }) {
  return Object.entries(days)
    .filter(([day, moved]) => day >= from && day <= to && !(isZero(moved.in) && isZero(moved.out)))
    .map(([day, moved]) => ({ day, ...moved }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
}
