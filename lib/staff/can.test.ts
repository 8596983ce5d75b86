import { expect, test } from "vitest";
import { staffCan } from "./can";

const colleague = {
  isSelf: false,
  worksElsewhere: false,
  isClosed: false,
  hasPassword: true,
  isBreakGlass: false,
  isLinkEnough: false,
};

const acts = ["change", "enable", "resetFactor", "issueLink"] as const;
const denied = (changes: Partial<typeof colleague>) =>
  acts.map((act) => staffCan[act]({ ...colleague, ...changes })?.code ?? null);

test("an administrator may do everything to a colleague", () => {
  expect(denied({})).toEqual([null, null, null, null]);
});

test("nobody does anything to themselves, whatever else stands in the way", () => {
  expect(denied({ isSelf: true, hasPassword: false, worksElsewhere: true })).toEqual(acts.map(() => "own-account"));
});

test("each obstacle keeps from what it is about", () => {
  expect(denied({ isClosed: true })).toEqual([null, "closed-account", null, null]);
  expect(denied({ worksElsewhere: true })).toEqual([null, null, "works-elsewhere", "works-elsewhere"]);
  expect(denied({ hasPassword: false })).toEqual([null, null, null, "no-password"]);
  expect(denied({ isBreakGlass: true })).toEqual([null, null, null, "break-glass"]);
  expect(denied({ isLinkEnough: true })).toEqual([null, null, null, "link-alone"]);
});
