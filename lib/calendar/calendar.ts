import { desc, eq, sql } from "drizzle-orm";
import { cache } from "react";
import { changePair } from "@/lib/audit/change-pair";
import { record } from "@/lib/audit/record";
import type { Db, Tx } from "@/lib/db/connection";
import { holdLock } from "@/lib/db/lock";
import { businessCalendar } from "@/lib/db/tables/calendar";
import { AppError } from "@/lib/errors/app-error";
import type { Actor } from "@/lib/permission/grant";
import type { CalendarForm } from "./inputs";
import { type BusinessCalendar, STANDARD_CALENDAR, type VersionedCalendar } from "./view";

export const CALENDAR_OBJECT = "calendar:business";

/** The tenant's calendar in force; version 0 is the standard one. Read once while a page is rendered. */
export const calendarOf = cache(async (store: Db | Tx, tenant: string): Promise<VersionedCalendar> => {
  const { version, calendar } = businessCalendar;
  const [latest] = await store
    .select({ version, calendar })
    .from(businessCalendar)
    .where(eq(businessCalendar.tenant, tenant))
    .orderBy(desc(version))
    .limit(1);
  return latest ?? { version: 0, calendar: STANDARD_CALENDAR };
});

const spellingOf = ({ opens, closes, tedOpens, tedCloses, holidays }: BusinessCalendar) =>
  JSON.stringify([
    opens,
    closes,
    tedOpens,
    tedCloses,
    holidays.map(({ day, name, stopsTed }) => [day, name, stopsTed]),
  ]);

const CLOCKS = ["opens", "closes", "tedOpens", "tedCloses"] as const;

export type CalendarChange =
  | { part: (typeof CLOCKS)[number]; before: string; after: string }
  | { part: "holiday"; day: string; before: string | null; after: string | null };

/** What one version changed; of a holiday its name, null where it was not or is no longer one. */
export function calendarChanges(before: BusinessCalendar, after: BusinessCalendar): CalendarChange[] {
  const clocks = CLOCKS.flatMap((part): CalendarChange[] =>
    before[part] === after[part] ? [] : [{ part, before: before[part], after: after[part] }],
  );
  const days = [...new Set([...before.holidays, ...after.holidays].map(({ day }) => day))].toSorted();
  const holidays = days.flatMap((day): CalendarChange[] => {
    const was = before.holidays.find((holiday) => holiday.day === day);
    const is = after.holidays.find((holiday) => holiday.day === day);
    if (was?.name === is?.name && was?.stopsTed === is?.stopsTed) return [];
    return [{ part: "holiday", day, before: was?.name ?? null, after: is?.name ?? null }];
  });
  return [...clocks, ...holidays];
}

function detailOf(changes: readonly CalendarChange[]): Record<string, string> {
  const clocks = changes.flatMap((change) =>
    change.part === "holiday" ? [] : changePair(change.part, change.before, change.after),
  );
  const daysWhere = (isIt: (change: CalendarChange) => boolean) =>
    changes.flatMap((change) => (change.part === "holiday" && isIt(change) ? [change.day] : [])).join(", ");
  const added = daysWhere(({ after }) => after !== null);
  const removed = daysWhere(({ after }) => after === null);
  return {
    ...Object.fromEntries(clocks),
    ...(added !== "" && { holidaysSet: added }),
    ...(removed !== "" && { holidaysRemoved: removed }),
  };
}

/**
 * Stores the form as the next version, lets `follow` do what depends on it, and puts on record what it changed. A form
 * that says what is in force changes nothing. Throws conflict `calendar-changed` when somebody saved another meanwhile.
 */
export async function changeCalendar(
  tx: Tx,
  { tenant, id: staffId }: Actor<"settings:manage">,
  { version: seen, ...form }: CalendarForm,
  follow: (calendar: BusinessCalendar) => Promise<void>,
): Promise<VersionedCalendar> {
  await holdLock(tx, `${tenant} calendar`);
  const latest = await calendarOf(tx, tenant);
  const calendar = { ...form, holidays: form.holidays.toSorted((one, other) => one.day.localeCompare(other.day)) };
  if (spellingOf(calendar) === spellingOf(latest.calendar)) return latest;
  if (seen !== latest.version) throw new AppError("conflict", { code: "calendar-changed" });
  const version = latest.version + 1;
  await tx.insert(businessCalendar).values({ tenant, version, calendar, staffId, createdAt: sql`clock_timestamp()` });
  await follow(calendar);
  const detail = { version, ...detailOf(calendarChanges(latest.calendar, calendar)) };
  const what = { code: "settings.calendar", object: CALENDAR_OBJECT, detail } as const;
  await record(tx, { tenant, actor: staffId, outcome: "DONE", ...what });
  return { version, calendar };
}
