import { describe, expect, it } from "vitest";
import { dayAfter, isBusinessDay } from "@/lib/calendar/business-days";
import type { SuspicionState } from "@/lib/db/enums/suspicions";
import { dueDay } from "./due";
import { OPEN_STATES } from "./view";

const none = new Set<string>();
const of = (state: SuspicionState, day: string) => ({ state, occurredOn: day, enteredOn: day });
const year = Array.from({ length: 366 }, (_, nth) => dayAfter("2027-01-01", nth));

describe("the last day of a suspicion's state", () => {
  it("is 45 days after what happened, then 45 after its selection, all year round", () => {
    for (const day of year) {
      expect(dueDay(of("suspected", day), none)).toBe(dayAfter(day, 45));
      expect(dueDay({ ...of("analysing", day), occurredOn: "2026-01-01" }, none)).toBe(dayAfter(day, 45));
    }
  });

  it("is the next day of work for a report, whatever day it was decided on", () => {
    for (const day of year) {
      const due = dueDay(of("to-report", day), none) ?? "";
      expect(due > day && isBusinessDay(due)).toBe(true);
      for (let between = dayAfter(day); between < due; between = dayAfter(between))
        expect(isBusinessDay(between)).toBe(false);
    }
  });

  it.each([
    ["a Friday", "2027-03-05", "2027-03-08"],
    ["the day before carnival", "2027-02-05", "2027-02-10"],
    ["the day before Christmas", "2026-12-24", "2026-12-28"],
  ])("passes over closed days after %s", (_, decided, due) => {
    expect(dueDay(of("to-report", decided), none)).toBe(due);
  });

  it("moves with the tenant's own holidays", () => {
    const decided = of("to-report", "2027-01-07");
    expect(dueDay(decided, none)).toBe("2027-01-08");
    expect(dueDay(decided, new Set(["2027-01-08"]))).toBe("2027-01-11");
    expect(dueDay(decided, new Set(["2027-01-08", "2027-01-11"]))).toBe("2027-01-12");
  });

  it("is none once it has ended", () => {
    expect(OPEN_STATES).toEqual(["suspected", "analysing", "to-report"]);
    expect(dueDay(of("reported", "2027-01-07"), none)).toBeNull();
    expect(dueDay(of("dismissed", "2027-01-07"), none)).toBeNull();
  });
});
