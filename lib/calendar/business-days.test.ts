import { describe, expect, it } from "vitest";
import { isBusinessDay, nationalHolidays } from "./business-days";

const daysOf = (year: number) => nationalHolidays(year).map(({ day }) => day);

describe("the bank holidays of a year", () => {
  it.each([
    [2024, ["2024-02-12", "2024-02-13", "2024-03-29", "2024-05-30"]],
    [2025, ["2025-03-03", "2025-03-04", "2025-04-18", "2025-06-19"]],
    [2026, ["2026-02-16", "2026-02-17", "2026-04-03", "2026-06-04"]],
    [2027, ["2027-02-08", "2027-02-09", "2027-03-26", "2027-05-27"]],
  ])("computes for %i Carnival, Good Friday and Corpus Christi from Easter", (year, moving) => {
    expect(daysOf(year)).toEqual(expect.arrayContaining(moving));
    expect(daysOf(year)).toHaveLength(13);
  });

  it("includes Black Consciousness Day since it is national", () => {
    expect(isBusinessDay("2023-11-20")).toBe(true);
    expect(isBusinessDay("2024-11-20")).toBe(false);
  });

  it("leaves out weekends and the days that a company typed", () => {
    expect(isBusinessDay("2026-11-28")).toBe(false);
    expect(isBusinessDay("2026-11-30")).toBe(true);
    expect(isBusinessDay("2026-11-30", new Set(["2026-11-30"]))).toBe(false);
  });
});
