import { civilDay, civilInstant } from "@/lib/text/time";
import { dayAfter, isBusinessDay } from "./business-days";
import type { BusinessCalendar } from "./view";

const HOUR_MS = 3_600_000;

/** The instant at which this many hours of work have passed; `from` may lie outside them. */
export function afterBusinessHours({ opens, closes, holidays }: BusinessCalendar, from: Date, hours: number): Date {
  const closed = new Set(holidays.map(({ day }) => day));
  let leftMs = hours * HOUR_MS;
  for (let day = civilDay(from); ; day = dayAfter(day)) {
    if (!isBusinessDay(day, closed)) continue;
    const begins = Math.max(from.getTime(), civilInstant(`${day}T${opens}:00`).getTime());
    const workMs = civilInstant(`${day}T${closes}:00`).getTime() - begins;
    if (workMs >= leftMs) return new Date(begins + leftMs);
    leftMs -= Math.max(0, workMs);
  }
}
