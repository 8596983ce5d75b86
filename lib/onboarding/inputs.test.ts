import { describe, expect, it } from "vitest";
import { CustomerQuery, nextCheckAt, OnboardingFilter } from "./inputs";

describe("what people type to find a customer", () => {
  it.each([
    ["529.982.247-25", "52998224725"],
    [" 11.222.333/0001-81 ", "11222333000181"],
    ["12.abc.345/01de-35", "12ABC34501DE35"],
    ["5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11", "5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11"],
    ["ONB/2026:77", "ONB/2026:77"],
    ["12345", "12345"],
  ])("sends the search %j as %j", (typed, asked) => expect(CustomerQuery.parse(typed)).toBe(asked));

  it.each(["52998224724", "529.982.247-24", "11222333000180", "", "   ", "abc", "João da Silva", "x".repeat(201)])(
    "catches %j before anything is sent",
    (typed) => expect(CustomerQuery.safeParse(typed).success).toBe(false),
  );
});

describe("the queue's filter", () => {
  const plain = { status: "open", sort: "begun", dir: "desc", page: 1 };

  it("falls back to open onboardings, newest first, for an invalid URL", () => {
    expect(OnboardingFilter.parse({})).toEqual(plain);
    const odd = { status: "DROP TABLE", acts: "me", stage: "x", kind: "PX", age: "-1", returns: "99" };
    expect(OnboardingFilter.parse({ ...odd, person: "52998224725", sort: "id", dir: "up", page: "-2" })).toEqual(plain);
  });

  it("reads the queue's filter from a valid URL", () => {
    const given = { status: "ERROR", acts: "us", stage: "biometrics", kind: "PJ", age: "24", returns: "2" };
    const read = OnboardingFilter.parse({ ...given, sort: "returns", dir: "asc", page: "3" });
    expect(read).toEqual({ ...given, sort: "returns", dir: "asc", page: 3 });
  });
});

describe("when to look again", () => {
  const since = new Date("2026-03-10T12:00:00Z");
  const waitAfter = (seconds: number) => {
    const now = new Date(since.getTime() + seconds * 1000);
    return ((nextCheckAt("PROCESSING", since, now)?.getTime() ?? 0) - now.getTime()) / 1000;
  };

  it.each([
    [0, 30],
    [299, 30],
    [300, 120],
    [3600, 600],
    [86_400, 3600],
    [30 * 86_400, 3600],
  ])("checks again %i s after the start: in %i s", (ageSeconds, waitSeconds) =>
    expect(waitAfter(ageSeconds)).toBe(waitSeconds),
  );

  it("never checks a final state again", () => {
    expect(nextCheckAt("CONFIRMED", since, since)).toBeNull();
    expect(nextCheckAt("ERROR", since, since)).toBeNull();
  });

  it("checks an unknown state again some day", () => {
    expect(nextCheckAt("unknown:PAUSED", since, since)).not.toBeNull();
  });
});
