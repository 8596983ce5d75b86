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

test("allows an administrator everything towards a colleague", () => {
  expect(denied({})).toEqual([null, null, null, null]);
});

test("forbids everything towards oneself, before any other obstacle", () => {
  expect(denied({ isSelf: true, hasPassword: false, worksElsewhere: true })).toEqual(acts.map(() => "own-account"));
});

test("gives each obstacle to the acts that it blocks", () => {
  expect(denied({ isClosed: true })).toEqual([null, "closed-account", null, null]);
  expect(denied({ worksElsewhere: true })).toEqual([null, null, "works-elsewhere", "works-elsewhere"]);
  expect(denied({ hasPassword: false })).toEqual([null, null, null, "no-password"]);
  expect(denied({ isBreakGlass: true })).toEqual([null, null, null, "break-glass"]);
  expect(denied({ isLinkEnough: true })).toEqual([null, null, null, "link-alone"]);
});
