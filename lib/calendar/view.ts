import type { BusinessCalendar, Holiday } from "@/lib/db/enums/calendar";

export type { BusinessCalendar, Holiday };

export type VersionedCalendar = { version: number; calendar: BusinessCalendar };

/** The interface states no hours for a TED; most institutions send them in these. */
export const STANDARD_CALENDAR: BusinessCalendar = {
  opens: "09:00",
  closes: "18:00",
  tedOpens: "06:30",
  tedCloses: "17:00",
  holidays: [],
};

export const HOLIDAYS_MAX = 200;
export const HOLIDAY_NAME_MAX = 60;
