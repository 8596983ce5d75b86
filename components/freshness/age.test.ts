import { describe, expect, it } from "vitest";
import { ageOf } from "./age";

const NOW = "2026-11-21T12:00:00.000Z";

describe("the age of a record", () => {
  it.each([
    ["2026-11-21T11:59:30.000Z", { unit: "now", value: 0 }],
    ["2026-11-21T11:59:00.000Z", { unit: "minutes", value: 1 }],
    ["2026-11-21T11:00:01.000Z", { unit: "minutes", value: 59 }],
    ["2026-11-21T11:00:00.000Z", { unit: "hours", value: 1 }],
    ["2026-11-20T12:00:01.000Z", { unit: "hours", value: 23 }],
    ["2026-11-20T12:00:00.000Z", { unit: "days", value: 1 }],
  ])("seen at %s reads %o", (since, age) => {
    expect(ageOf(since, NOW)).toEqual(age);
  });

  it("is never negative when clocks disagree", () => {
    expect(ageOf("2026-11-21T12:05:00.000Z", NOW)).toEqual({ unit: "now", value: 0 });
  });

  it("does not fail on a date nobody can read", () => {
    expect(ageOf("yesterday", NOW)).toEqual({ unit: "now", value: 0 });
  });
});
