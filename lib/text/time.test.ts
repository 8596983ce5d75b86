import { describe, expect, it } from "vitest";
import { civilDay, civilDaysAgo, firstOfLastDays, minutesAhead } from "./time";

describe("a civil day in São Paulo", () => {
  it("begins three hours after UTC's", () => {
    expect(civilDay(new Date("2026-03-10T02:59:59.999Z"))).toBe("2026-03-09");
    expect(civilDay(new Date("2026-03-10T03:00:00Z"))).toBe("2026-03-10");
  });

  it("began two hours after UTC's in the summers until 2019", () => {
    expect(civilDay(new Date("2018-12-10T02:00:00Z"))).toBe("2018-12-10");
  });
});

describe("days ago", () => {
  const now = new Date("2026-03-01T01:30:00Z");

  it("are counted from today in São Paulo", () => {
    expect(civilDaysAgo(0, now)).toBe("2026-02-28");
    expect(civilDaysAgo(30, now)).toBe("2026-01-29");
  });

  it("skip no day and repeat none where the clocks changed", () => {
    const springs = new Date("2018-11-05T12:00:00Z");
    expect([0, 1, 2, 3].map((days) => civilDaysAgo(days, springs))).toEqual([
      "2018-11-05",
      "2018-11-04",
      "2018-11-03",
      "2018-11-02",
    ]);
  });

  it("are so many with today among them: seven days are seven, not eight", () => {
    expect(firstOfLastDays(1, now)).toBe("2026-02-28");
    expect(firstOfLastDays(7, now)).toBe("2026-02-22");
  });

  it("cross a leap day", () => {
    expect(civilDaysAgo(1, new Date("2028-03-01T12:00:00Z"))).toBe("2028-02-29");
  });
});

it("knows how far São Paulo is ahead, with the summers until 2019", () => {
  expect(minutesAhead(new Date("2018-12-10T12:00:00Z"))).toBe(-120);
  expect(minutesAhead(new Date("2019-12-10T12:00:00Z"))).toBe(-180);
});
