import { expect, it } from "vitest";
import { STANDARD_CALENDAR } from "@/lib/calendar/view";
import { calendarFrom, draftOf, isSame, isWhole, newHoliday, readClock } from "./calendar-draft";

it.each([
  ["9", "09:00"],
  ["9:00", "09:00"],
  ["09h30", "09:30"],
  ["0930", "09:30"],
  ["930", "09:30"],
  ["18h", "18:00"],
  [" 4:07 PM ", "16:07"],
  ["24:00", null],
  ["9:75", null],
  ["", null],
  ["nine", null],
])("reads the clock %j as %j", (typed, read) => expect(readClock(typed)).toBe(read));

it("gives back the calendar that it was filled from", () => {
  const holidays = [{ day: "2026-07-09", name: "Revolução de 1932", stopsTed: false }];
  const calendar = { ...STANDARD_CALENDAR, holidays };
  expect(calendarFrom(draftOf(calendar))).toEqual(calendar);
});

it("takes another spelling of the same time and day for no change", () => {
  const draft = draftOf(STANDARD_CALENDAR);
  expect(isSame(draft, { ...draft, opens: "9", closes: "18h" })).toBe(true);
  expect(isSame(draft, { ...draft, opens: "8:30" })).toBe(false);
});

it("is not whole with an unreadable time or day, or a nameless holiday", () => {
  const draft = draftOf(STANDARD_CALENDAR);
  const holiday = { ...newHoliday(), day: "09/07/2026", name: "Revolução" };
  expect(isWhole({ ...draft, holidays: [holiday] })).toBe(true);
  expect(isWhole({ ...draft, tedCloses: "late" })).toBe(false);
  expect(isWhole({ ...draft, holidays: [{ ...holiday, day: "31/02/2026" }] })).toBe(false);
  expect(isWhole({ ...draft, holidays: [{ ...holiday, name: " " }] })).toBe(false);
});
