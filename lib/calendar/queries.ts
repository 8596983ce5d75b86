import { desc, eq } from "drizzle-orm";
import { db } from "@/lib/db/connection";
import { businessCalendar } from "@/lib/db/tables/calendar";
import { staff } from "@/lib/db/tables/staff";
import { query } from "@/lib/query";
import { civilDay } from "@/lib/text/time";
import { type NationalHoliday, nationalHolidays } from "./business-days";
import { type CalendarChange, calendarChanges, calendarOf } from "./calendar";
import { STANDARD_CALENDAR, type VersionedCalendar } from "./view";

export type { CalendarChange };

export type CalendarStep = { version: number; byName: string; at: string; changes: CalendarChange[] };

export type CalendarView = VersionedCalendar & {
  /** Newest first. */
  history: CalendarStep[];
  /** Of this year and the next, from today on. */
  national: { day: string; name: NationalHoliday }[];
};

const MAX_STEPS = 20;

export const getCalendar = query("settings:manage", async ({ tenant }): Promise<CalendarView> => {
  const store = await db();
  const inForce = await calendarOf(store, tenant);
  const rows = await store
    .select({ row: businessCalendar, byName: staff.name })
    .from(businessCalendar)
    .innerJoin(staff, eq(staff.id, businessCalendar.staffId))
    .where(eq(businessCalendar.tenant, tenant))
    .orderBy(desc(businessCalendar.version))
    .limit(MAX_STEPS + 1);
  const history = rows.slice(0, MAX_STEPS).map(({ row, byName }, nth) => ({
    version: row.version,
    byName,
    at: row.createdAt.toISOString(),
    changes: calendarChanges(rows[nth + 1]?.row.calendar ?? STANDARD_CALENDAR, row.calendar),
  }));
  const today = civilDay(new Date());
  const year = Number(today.slice(0, 4));
  const national = [year, year + 1].flatMap(nationalHolidays).filter(({ day }) => day >= today);
  return { ...inForce, history, national };
});
