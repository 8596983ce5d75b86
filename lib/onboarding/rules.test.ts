import { describe, expect, it } from "vitest";
import type { OnboardingMessage } from "@/lib/contract/onboarding";
import { CustomerQuery, nextCheckAt, OnboardingFilter, stageOf, whoActs } from "./rules";

const message = (id: string, day: number, actionRequired = false): OnboardingMessage => ({
  id,
  date: `2026-03-0${day}T12:00:00.000Z`,
  message: "text",
  status: "proposal-reproved",
  actionRequired,
});
const background = (day: number, actionRequired = false) => message("onboarding-backgroundcheck", day, actionRequired);
const biometrics = (day: number, actionRequired = false) => message("onboarding-biometrics", day, actionRequired);
const url = "https://biometrics.example.com/1";

describe("what people type to find a customer", () => {
  it.each([
    ["529.982.247-25", "52998224725"],
    [" 11.222.333/0001-81 ", "11222333000181"],
    ["12.abc.345/01de-35", "12ABC34501DE35"],
    ["5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11", "5f0c7a1e-4f0c-4f6d-9a80-6d3b1d2f8a11"],
    ["ONB/2026:77", "ONB/2026:77"],
    ["12345", "12345"],
  ])("%j is asked for as %j", (typed, asked) => expect(CustomerQuery.parse(typed)).toBe(asked));

  it.each(["52998224724", "529.982.247-24", "11222333000180", "", "   ", "x".repeat(201)])(
    "%j is caught before anything is sent",
    (typed) => expect(CustomerQuery.safeParse(typed).success).toBe(false),
  );
});

describe("the queue's filter", () => {
  it("falls back to what is open where the address does not fit", () => {
    expect(OnboardingFilter.parse({})).toEqual({ status: "open", page: 1 });
    expect(OnboardingFilter.parse({ status: "DROP TABLE", page: "-2" })).toEqual({ status: "open", page: 1 });
    expect(OnboardingFilter.parse({ status: "ERROR", page: "3" })).toEqual({ status: "ERROR", page: 3 });
  });
});

describe("where a proposal stands", () => {
  it.each([
    [
      "at the background check while nothing was said",
      { status: "PROCESSING", biometricUrl: null, messages: [] },
      "background-check",
    ],
    [
      "at the biometrics once their link is there",
      { status: "PROCESSING", biometricUrl: url, messages: [] },
      "biometrics",
    ],
    ["done once it is confirmed", { status: "CONFIRMED", biometricUrl: url, messages: [biometrics(1)] }, "done"],
    [
      "where its newest message comes from",
      { status: "ERROR", biometricUrl: null, messages: [biometrics(2), background(1)] },
      "biometrics",
    ],
    [
      "at the background check that refused it",
      { status: "ERROR", biometricUrl: url, messages: [biometrics(1), background(2)] },
      "background-check",
    ],
    [
      "at the background check in a state nobody knows",
      { status: "unknown:PAUSED", biometricUrl: url, messages: [] },
      "background-check",
    ],
  ] as const)("%s", (_, known, stage) => expect(stageOf(known)).toBe(stage));
});

describe("who has to move next", () => {
  it.each([
    [
      "nobody once it is confirmed",
      { status: "CONFIRMED", biometricUrl: url, messages: [background(1, true)] },
      "nobody",
    ],
    [
      "the holder of whom an action is required",
      { status: "ERROR", biometricUrl: null, messages: [background(1, true)] },
      "holder",
    ],
    ["the holder while a biometric link waits", { status: "PROCESSING", biometricUrl: url, messages: [] }, "holder"],
    ["the provider while it checks", { status: "PROCESSING", biometricUrl: null, messages: [] }, "provider"],
    ["us when it is refused for good", { status: "ERROR", biometricUrl: null, messages: [background(1)] }, "us"],
    ["us in a state nobody knows", { status: "unknown:PAUSED", biometricUrl: null, messages: [] }, "us"],
  ] as const)("is %s", (_, known, who) => expect(whoActs(known)).toBe(who));
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
  ])("%i s after it began: in %i s", (ageSeconds, waitSeconds) => expect(waitAfter(ageSeconds)).toBe(waitSeconds));

  it("is never, once the state is final", () => {
    expect(nextCheckAt("CONFIRMED", since, since)).toBeNull();
    expect(nextCheckAt("ERROR", since, since)).toBeNull();
  });

  it("is still some day for a state nobody knows", () => {
    expect(nextCheckAt("unknown:PAUSED", since, since)).not.toBeNull();
  });
});
