import * as fc from "fast-check";
import { expect, it } from "vitest";
import { civilMinute, MINUTE_MS } from "@/lib/text/time";
import { dayAfter, isBusinessDay } from "./business-days";
import { afterBusinessHours } from "./business-hours";
import { type BusinessCalendar, STANDARD_CALENDAR } from "./view";

const due = (from: string, hours: number, holidays: string[] = []) =>
  afterBusinessHours(
    { ...STANDARD_CALENDAR, holidays: holidays.map((day) => ({ day, name: "Feriado", stopsTed: false })) },
    new Date(from),
    hours,
  ).toISOString();

it.each([
  ["within a day", "2026-11-24T13:00:00Z", 4, "2026-11-24T17:00:00.000Z"],
  ["to its very end", "2026-11-24T12:00:00Z", 9, "2026-11-24T21:00:00.000Z"],
  ["into the next day", "2026-11-24T20:00:00Z", 2, "2026-11-25T13:00:00.000Z"],
  ["from the night before", "2026-11-24T03:00:00Z", 1, "2026-11-24T13:00:00.000Z"],
  ["over a weekend", "2026-11-27T20:00:00Z", 2, "2026-11-30T13:00:00.000Z"],
  ["over Christmas and New Year", "2026-12-24T12:00:00Z", 54, "2027-01-04T21:00:00.000Z"],
  ["over Carnival", "2026-02-13T20:00:00Z", 2, "2026-02-18T13:00:00.000Z"],
])("counts hours of work %s", (_what, from, hours, until) => expect(due(from, hours)).toBe(until));

it("leaves out a holiday that the company typed", () => {
  expect(due("2026-11-27T20:00:00Z", 2, ["2026-11-30"])).toBe("2026-12-01T13:00:00.000Z");
});

const clock = (hour: number, minute: number) => `${String(hour).padStart(2, "0")}:${minute}`;

function isBusinessTime({ opens, closes, holidays }: BusinessCalendar, at: Date): boolean {
  const [day = "", time = ""] = civilMinute(at).split("T");
  const closed = new Set(holidays.map((holiday) => holiday.day));
  return isBusinessDay(day, closed) && opens <= time && time < closes;
}

/** Minute by minute, as slow as it is plain. */
function counted(calendar: typeof STANDARD_CALENDAR, from: Date, until: Date): number {
  let minutes = 0;
  for (let at = from.getTime(); at < until.getTime(); at += MINUTE_MS) {
    if (isBusinessTime(calendar, new Date(at))) minutes += 1;
  }
  return minutes;
}

it("agrees over a year with a count of each minute of work", () => {
  fc.assert(
    fc.property(
      fc.record({
        minute: fc.integer({ min: 0, max: 365 * 24 * 60 }),
        hours: fc.integer({ min: 1, max: 60 }),
        opens: fc.integer({ min: 0, max: 11 }),
        closes: fc.integer({ min: 12, max: 23 }),
        offsets: fc.uniqueArray(fc.integer({ min: 0, max: 365 }), { maxLength: 12 }),
      }),
      ({ minute, hours, opens, closes, offsets }) => {
        const days = offsets.map((offset) => dayAfter("2026-01-01", offset));
        const holidays = days.map((day) => ({ day, name: "Feriado", stopsTed: false }));
        const calendar = { ...STANDARD_CALENDAR, opens: clock(opens, 15), closes: clock(closes, 45), holidays };
        const from = new Date(Date.parse("2026-01-01T03:00:00Z") + minute * MINUTE_MS);
        const until = afterBusinessHours(calendar, from, hours);
        expect(counted(calendar, from, until)).toBe(hours * 60);
        expect(isBusinessTime(calendar, new Date(until.getTime() - MINUTE_MS))).toBe(true);
      },
    ),
    { numRuns: 25 },
  );
});
