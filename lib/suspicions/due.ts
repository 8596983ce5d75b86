import { dayAfter, firstBusinessDay } from "@/lib/calendar/business-days";
import { ANALYSIS_DAYS, SELECTION_DAYS } from "@/lib/db/enums/suspicions";
import type { SuspicionRow } from "./view";

type Clock = Pick<SuspicionRow, "state" | "occurredOn" | "enteredOn">;

/**
 * The last day to go on: 45 days from the operation to its selection, 45 from there for the analysis, and the next day of
 * work for the report. `closed`: the tenant's own holidays.
 */
export function dueDay({ state, occurredOn, enteredOn }: Clock, closed: ReadonlySet<string>): string | null {
  switch (state) {
    case "suspected":
      return dayAfter(occurredOn, SELECTION_DAYS);
    case "analysing":
      return dayAfter(enteredOn, ANALYSIS_DAYS);
    case "to-report":
      return firstBusinessDay(dayAfter(enteredOn), closed);
    case "reported":
    case "dismissed":
      return null;
  }
}
