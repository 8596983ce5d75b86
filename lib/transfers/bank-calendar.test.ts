import { bankHolidays, isBusinessDay, tedWindow } from "./bank-calendar";
import { describe, expect, it } from "vitest";

describe("the bank holidays of a year", () => {
  it.each([
    [2024, ["2024-02-12", "2024-02-13", "2024-03-29", "2024-05-30"]],
    [2025, ["2025-03-03", "2025-03-04", "2025-04-18", "2025-06-19"]],
    [2026, ["2026-02-16", "2026-02-17", "2026-04-03", "2026-06-04"]],
    [2027, ["2027-02-08", "2027-02-09", "2027-03-26", "2027-05-27"]],
  ])("computes for %i Carnival, Good Friday and Corpus Christi from Easter", (year, moving) => {
    expect(bankHolidays(year)).toEqual(expect.arrayContaining(moving));
    expect(bankHolidays(year)).toHaveLength(13);
  });

  it("includes Black Consciousness Day since it is national", () => {
    expect(isBusinessDay("2023-11-20")).toBe(true);
    expect(isBusinessDay("2024-11-20")).toBe(false);
  });
});

describe("a TED", () => {
  it.each([
    ["in hours leaves today", "2026-11-24T15:00:00Z", { isOpen: true, reason: null, day: "2026-11-24" }],
    ["at the opening leaves today", "2026-11-24T09:30:00Z", { isOpen: true, day: "2026-11-24" }],
    ["before the opening leaves today, later", "2026-11-24T09:29:00Z", { reason: "early", day: "2026-11-24" }],
    ["after the closing leaves on the next day", "2026-11-24T20:00:00Z", { reason: "late", day: "2026-11-25" }],
    ["on a Friday evening leaves on Monday", "2026-11-27T20:30:00Z", { reason: "late", day: "2026-11-30" }],
    ["on a Saturday leaves on Monday", "2026-11-28T15:00:00Z", { reason: "weekend", day: "2026-11-30" }],
    ["on Good Friday leaves on Monday", "2026-04-03T15:00:00Z", { reason: "holiday", day: "2026-04-06" }],
    ["before Carnival leaves on Ash Wednesday", "2026-02-13T21:00:00Z", { reason: "late", day: "2026-02-18" }],
    ["on New Year's Eve at night leaves next year", "2026-12-31T23:00:00Z", { reason: "late", day: "2027-01-04" }],
    ["by São Paulo's day, not by UTC's", "2026-11-25T01:00:00Z", { reason: "late", day: "2026-11-25" }],
  ])("sends a TED ordered %s", (_what, now, told) => {
    expect(tedWindow(new Date(now))).toMatchObject(told);
  });
});
