import type { BusinessCalendar, Holiday } from "@/lib/calendar/view";
import { newIntentId } from "@/lib/text/intent";
import { readDate, readMinute, writtenDate } from "@/lib/text/typed-date";

export const CLOCKS = ["opens", "closes", "tedOpens", "tedCloses"] as const;
export type Clock = (typeof CLOCKS)[number];

/** As typed. `key`: identity while editing. */
export type HolidayDraft = { key: string; day: string; name: string; stopsTed: boolean };

export type CalendarDraft = Record<Clock, string> & { holidays: HolidayDraft[] };

export const draftOf = ({ holidays, ...clocks }: BusinessCalendar): CalendarDraft => ({
  ...clocks,
  holidays: holidays.map(({ day, ...holiday }) => ({ ...holiday, key: day, day: writtenDate(day) })),
});

export const newHoliday = (): HolidayDraft => ({ key: newIntentId(), day: "", name: "", stopsTed: false });

/** `HH:mm` from `9`, `9:00`, `0930`, `9h30` or `4:07 PM`; null for anything else. */
export function readClock(typed: string): string | null {
  const text = typed.trim();
  const [, hour, minute = "00"] = /^(\d{1,2})h?(\d\d)?$/i.exec(text) ?? [];
  const clock = hour === undefined ? text : `${hour}:${minute}`;
  return readMinute(`01/01/2026 ${clock}`)?.slice("yyyy-MM-ddT".length) ?? null;
}

const holidayOf = ({ day, name, stopsTed }: HolidayDraft): Holiday => ({
  day: readDate(day) ?? day,
  name: name.trim(),
  stopsTed,
});

const clockOf = (typed: string) => readClock(typed) ?? typed;

/** What the draft says, read as far as it can be. */
export function calendarFrom({ holidays, opens, closes, tedOpens, tedCloses }: CalendarDraft): BusinessCalendar {
  return {
    opens: clockOf(opens),
    closes: clockOf(closes),
    tedOpens: clockOf(tedOpens),
    tedCloses: clockOf(tedCloses),
    holidays: holidays.map(holidayOf),
  };
}

export const isSame = (one: CalendarDraft, other: CalendarDraft): boolean =>
  JSON.stringify(calendarFrom(one)) === JSON.stringify(calendarFrom(other));

/** The same checks that the server makes first. */
export const isWhole = (draft: CalendarDraft): boolean =>
  CLOCKS.every((clock) => readClock(draft[clock]) !== null) &&
  draft.holidays.every(({ day, name }) => readDate(day) !== null && name.trim() !== "");
