import { describe, expect, it } from "vitest";
import type { OnboardingMessage } from "@/lib/contract/onboarding";
import { isReturn, type KnownStatus, isSameOnboarding, stageOf, onboardingStep, stepsOf, whoActs } from "./standing";

const message = (id: string, day: number, actionRequired = false): OnboardingMessage => ({
  id,
  date: `2026-03-0${day}T12:00:00.000Z`,
  message: `${id} ${day}`,
  status: "proposal-reproved",
  actionRequired,
});
const background = (day: number, actionRequired = false) => message("onboarding-backgroundcheck", day, actionRequired);
const biometrics = (day: number, actionRequired = false) => message("onboarding-biometrics", day, actionRequired);
const url = "https://biometrics.example.com/1";

const known = (changes: Partial<KnownStatus> = {}): KnownStatus => ({
  status: "PROCESSING",
  biometricUrl: null,
  messages: [],
  accountId: null,
  hadLink: false,
  isSuperseded: false,
  ...changes,
});

describe("the step that a message belongs to", () => {
  it.each([
    ["onboarding-backgroundcheck", "background-check"],
    ["onboarding-biometrics", "biometrics"],
    ["onboarding-documentscopy", "biometrics"],
    ["onboarding-proposal", "proposal"],
    ["onboarding-create", "account"],
    ["something-else", null],
  ])("assigns a message to its step: %s: %s", (process, step) => expect(onboardingStep(process)).toBe(step));
});

describe("where a proposal stands", () => {
  it.each([
    ["at the background check while nothing was said", {}, "background-check"],
    ["at the biometrics once their link is there", { biometricUrl: url }, "biometrics"],
    ["at the proposal once the link was used and nothing more is asked", { hadLink: true }, "proposal"],
    ["at the account once that is there", { accountId: "a" }, "account"],
    ["done once it is confirmed", { status: "CONFIRMED", biometricUrl: url, messages: [biometrics(1)] }, "done"],
    [
      "where its newest message comes from",
      { status: "ERROR", messages: [biometrics(2), background(1)] },
      "biometrics",
    ],
    [
      "at the background check that refused it after the biometrics",
      { status: "ERROR", biometricUrl: url, messages: [biometrics(1), background(2)] },
      "background-check",
    ],
    ["at the proposal that was refused", { status: "ERROR", messages: [message("x-proposal", 1)] }, "proposal"],
    [
      "past a message of a process that nobody knows",
      { messages: [background(1), message("x", 2)] },
      "background-check",
    ],
    [
      "at the background check in a state nobody knows",
      { status: "unknown:PAUSED", biometricUrl: url },
      "background-check",
    ],
  ] as const satisfies readonly (readonly [string, Partial<KnownStatus>, string])[])("%s", (_, changes, stage) =>
    expect(stageOf(known(changes))).toBe(stage),
  );
});

const told = (changes: Partial<KnownStatus>) => stepsOf(known(changes)).map(({ step, state }) => `${step} ${state}`);

describe("the steps of a proposal", () => {
  it("starts with the background check", () => {
    expect(told({})).toEqual(["background-check current", "biometrics ahead", "proposal ahead", "account ahead"]);
  });

  it("continues with the biometrics", () => {
    expect(told({ biometricUrl: url }).slice(0, 2)).toEqual(["background-check passed", "biometrics current"]);
  });

  it("reverses the steps when the biometrics came first", () => {
    const refused = { status: "ERROR", messages: [biometrics(1), background(2)] } as const;
    expect(told(refused)).toEqual(["biometrics passed", "background-check refused", "proposal ahead", "account ahead"]);
    expect(told({ status: "ERROR", hadLink: true, messages: [background(2)] })[0]).toBe("biometrics passed");
  });

  it("orders the steps by the messages' times in any format", () => {
    const first = { ...background(1), date: "2026-03-02T03:00:00Z" };
    const second = { ...biometrics(1), date: "2026-03-02T00:30:00-0300" };
    expect(stageOf(known({ messages: [first, second] }))).toBe("biometrics");
  });

  it("keeps the steps' order when the background check spoke first", () => {
    expect(told({ messages: [background(1), biometrics(2)] }).slice(0, 2)).toEqual([
      "background-check passed",
      "biometrics current",
    ]);
  });

  it("shows all steps done at the end", () => {
    expect(new Set(stepsOf(known({ status: "CONFIRMED" })).map(({ state }) => state))).toEqual(new Set(["passed"]));
  });
});

describe("who has to move next", () => {
  it.each([
    [
      "nobody once it is confirmed",
      { status: "CONFIRMED", biometricUrl: url, messages: [background(1, true)] },
      "nobody",
    ],
    ["the holder of whom an action is required", { status: "ERROR", messages: [background(1, true)] }, "holder"],
    ["the holder while a biometric link waits", { biometricUrl: url }, "holder"],
    ["the provider while it checks", {}, "provider"],
    ["the provider once the biometrics are done", { hadLink: true }, "provider"],
    ["us when it is refused for good", { status: "ERROR", messages: [background(1)] }, "us"],
    ["us in a state nobody knows", { status: "unknown:PAUSED" }, "us"],
    ["nobody once another attempt takes a refused one up", { status: "ERROR", isSuperseded: true }, "nobody"],
    ["still the provider at one that goes on beside another", { isSuperseded: true }, "provider"],
  ] as const satisfies readonly (readonly [string, Partial<KnownStatus>, string])[])(
    "names who must act: %s",
    (_, changes, who) => expect(whoActs(known(changes))).toBe(who),
  );
});

const after = (messages: OnboardingMessage[], biometricUrl: string | null = null) => ({ messages, biometricUrl });

describe("coming back to the holder", () => {
  const none = { biometricUrl: null, messages: [], hadLink: false };

  it("counts no return for the first biometrics request", () => {
    expect(isReturn(none, after([biometrics(1, true)], url))).toBe(false);
  });

  it("counts no return for a new address of the same biometrics", () => {
    expect(isReturn({ ...none, biometricUrl: url, hadLink: true }, after([], `${url}2`))).toBe(false);
  });

  it("counts a return for a link given again after it was gone", () => {
    expect(isReturn({ ...none, hadLink: true }, after([], url))).toBe(true);
  });

  it("counts a return for any other request and repeated biometrics", () => {
    expect(isReturn(none, after([background(1, true)]))).toBe(true);
    expect(isReturn({ ...none, messages: [biometrics(1, true)] }, after([biometrics(2, true)]))).toBe(true);
  });

  it("counts no return for a word that requests nothing or is repeated", () => {
    expect(isReturn(none, after([background(1)]))).toBe(false);
    expect(isReturn({ ...none, messages: [background(1, true)] }, after([background(1, true)]))).toBe(false);
  });
});

it("gives the same result for any stored order of a message's parts", () => {
  const { id, date, message: text, status, actionRequired } = background(1);
  expect(isSameOnboarding([background(1)], [{ actionRequired, status, message: text, date, id, url: null }])).toBe(
    true,
  );
  expect(isSameOnboarding([background(1)], [background(2)])).toBe(false);
});
