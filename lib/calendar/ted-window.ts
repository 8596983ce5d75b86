import { civilMinute } from "@/lib/text/time";
import { dayAfter, firstBusinessDay, isBusinessDay, isWeekend } from "./business-days";
import type { BusinessCalendar } from "./view";

export type TedWindow = {
  /** A TED ordered now leaves today. */
  isOpen: boolean;
  /** Why it does not leave now. */
  reason: "early" | "late" | "weekend" | "holiday" | null;
  /** The day on which it leaves, `yyyy-MM-dd`. */
  day: string;
  opens: string;
  closes: string;
};

/** When a TED ordered at this instant leaves, in São Paulo time. */
export function tedWindow(now: Date, { tedOpens, tedCloses, holidays }: BusinessCalendar): TedWindow {
  const closed = new Set(holidays.filter(({ stopsTed }) => stopsTed).map(({ day }) => day));
  const [today = "", clock = ""] = civilMinute(now).split("T");
  const hours = { opens: tedOpens, closes: tedCloses };
  if (!isBusinessDay(today, closed)) {
    const reason = isWeekend(today) ? "weekend" : "holiday";
    return { isOpen: false, reason, day: firstBusinessDay(today, closed), ...hours };
  }
  if (clock < tedOpens) return { isOpen: false, reason: "early", day: today, ...hours };
  if (clock < tedCloses) return { isOpen: true, reason: null, day: today, ...hours };
  return { isOpen: false, reason: "late", day: firstBusinessDay(dayAfter(today), closed), ...hours };
}
