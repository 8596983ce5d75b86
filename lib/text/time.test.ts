import { describe, expect, it } from "vitest";
import { civilDay, civilDaysAgo, civilDaysBetween, firstOfLastDays, minutesAhead } from "./time";

describe("a civil day in São Paulo", () => {
  it("starts a São Paulo day three hours after UTC's", () => {
    expect(civilDay(new Date("2026-03-10T02:59:59.999Z"))).toBe("2026-03-09");
    expect(civilDay(new Date("2026-03-10T03:00:00Z"))).toBe("2026-03-10");
  });

  it("starts a São Paulo day two hours after UTC's in summers until 2019", () => {
    expect(civilDay(new Date("2018-12-10T02:00:00Z"))).toBe("2018-12-10");
  });
});

const daysFrom = (from: string, to: string) => civilDaysBetween(new Date(from), new Date(to));

describe("days ago", () => {
  const now = new Date("2026-03-01T01:30:00Z");

  it("counts days from today in São Paulo", () => {
    expect(civilDaysAgo(0, now)).toBe("2026-02-28");
    expect(civilDaysAgo(30, now)).toBe("2026-01-29");
  });

  it("skips and repeats no day when the clocks changed", () => {
    const springs = new Date("2018-11-05T12:00:00Z");
    expect([0, 1, 2, 3].map((days) => civilDaysAgo(days, springs))).toEqual([
      "2018-11-05",
      "2018-11-04",
      "2018-11-03",
      "2018-11-02",
    ]);
  });

  it("includes today: seven days are seven, not eight", () => {
    expect(firstOfLastDays(1, now)).toBe("2026-02-28");
    expect(firstOfLastDays(7, now)).toBe("2026-02-22");
  });

  it("counts days between two moments by the calendar", () => {
    expect(daysFrom("2026-11-28T09:02:00Z", "2026-11-30T03:10:00Z")).toBe(2);
    expect(daysFrom("2026-11-28T02:59:00Z", "2026-11-28T03:00:00Z")).toBe(1);
    expect(daysFrom("2026-11-28T03:00:00Z", "2026-11-29T02:59:00Z")).toBe(0);
    expect(daysFrom("2018-11-03T12:00:00Z", "2018-11-05T02:30:00Z")).toBe(2);
  });

  it("counts days across a leap day", () => {
    expect(civilDaysAgo(1, new Date("2028-03-01T12:00:00Z"))).toBe("2028-02-29");
  });
});

it("knows São Paulo's UTC offset, with the summers until 2019", () => {
  expect(minutesAhead(new Date("2018-12-10T12:00:00Z"))).toBe(-120);
  expect(minutesAhead(new Date("2019-12-10T12:00:00Z"))).toBe(-180);
});
