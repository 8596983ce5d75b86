import { describe, expect, it } from "vitest";
import { daysOf, markedPreset, minutesOf, settlePeriod, spanOf } from "./period";

describe("a preset in São Paulo's calendar", () => {
  // 23:30 on 31 March in São Paulo, already April in UTC.
  const lateInMarch = new Date("2026-04-01T02:30:00Z");

  it.each([
    ["1", { from: "2026-03-31" }],
    ["yesterday", { from: "2026-03-30", to: "2026-03-30" }],
    ["7", { from: "2026-03-25" }],
    ["month", { from: "2026-03-01" }],
    ["last-month", { from: "2026-02-01", to: "2026-02-28" }],
    ["30", { from: "2026-03-02" }],
  ] as const)("reads %s late in March as %o", (period, days) => {
    expect(daysOf(period, lateInMarch)).toEqual(days);
  });

  it("ends last month in December of the year before", () => {
    expect(daysOf("last-month", new Date("2026-01-01T12:00:00Z"))).toEqual({ from: "2025-12-01", to: "2025-12-31" });
  });

  it("reaches from midnight to the last minute where a filter has minutes", () => {
    expect(minutesOf({ period: "yesterday" }, lateInMarch)).toEqual({
      from: "2026-03-30T00:00",
      to: "2026-03-30T23:59",
    });
    expect(minutesOf({ from: "2026-03-30T10:00" })).toEqual({ from: "2026-03-30T10:00", to: undefined });
  });

  it("gives way to dates where there is no preset", () => {
    expect(spanOf({ from: "2026-03-01", to: "2026-03-02" })).toEqual({ from: "2026-03-01", to: "2026-03-02" });
  });
});

it("applies the period or the dates, whichever was set last", () => {
  const both = { period: "7", from: "2026-11-01", to: "" };
  expect(settlePeriod(both, undefined)).toEqual({ period: "7" });
  expect(settlePeriod(both, "30")).toEqual({ period: "7" });
  expect(settlePeriod(both, "7")).toEqual({ from: "2026-11-01", to: "" });
});

describe("the preset that is marked", () => {
  const presets = [
    { name: "7", first: "2026-11-24" },
    { name: "30", first: "2026-11-01" },
    { name: "month", first: "2026-11-01" },
  ];

  it("is the chosen one of two that give the same days, else the first", () => {
    expect(markedPreset(presets, { first: "2026-11-01", chosen: "month" })).toBe("month");
    expect(markedPreset(presets, { first: "2026-11-01", chosen: "30" })).toBe("30");
    expect(markedPreset(presets, { first: "2026-11-01" })).toBe("30");
  });

  it("is none for other days, whatever was chosen before", () => {
    expect(markedPreset(presets, { first: "2026-11-02", chosen: "month" })).toBeUndefined();
    expect(markedPreset(presets, { first: "2026-11-24", chosen: "month" })).toBe("7");
  });
});
