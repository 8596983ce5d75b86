import { describe, expect, it } from "vitest";
import { tedWindow } from "./ted-window";
import { STANDARD_CALENDAR } from "./view";

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
    expect(tedWindow(new Date(now), STANDARD_CALENDAR)).toMatchObject(told);
  });

  it("keeps a company's hours, and waits on a typed holiday only without banks", () => {
    const holiday = { day: "2026-11-30", name: "Feriado" };
    const company = { ...STANDARD_CALENDAR, tedCloses: "16:30" };
    const now = new Date("2026-11-30T19:00:00Z");
    const local = { ...company, holidays: [{ ...holiday, stopsTed: false }] };
    const national = { ...company, holidays: [{ ...holiday, stopsTed: true }] };
    expect(tedWindow(now, local)).toMatchObject({ isOpen: true, closes: "16:30" });
    expect(tedWindow(now, national)).toMatchObject({ isOpen: false, reason: "holiday", day: "2026-12-01" });
    expect(tedWindow(new Date("2026-11-30T19:30:00Z"), local)).toMatchObject({ reason: "late", day: "2026-12-01" });
  });
});
