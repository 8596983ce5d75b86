import { expect, test } from "vitest";
import { addUp, closingLine, countAttacks, countCheck, countPlaywright, countVitest, failuresOf } from "./checks.mjs";

/** A playwright report with the flaky stories by their titles. */
const stories = (expected: number, unexpected: number, flaky: string[] = []) => ({
  stats: { expected, unexpected, flaky: flaky.length, skipped: 1 },
  suites: [
    { suites: [{ specs: flaky.map((title) => ({ file: "kyc.spec.ts", title, tests: [{ status: "flaky" }] })) }] },
  ],
});

const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) });

test("sums the tests of every suite in the closing line, and other checks as one", () => {
  const unit = countVitest({ numPassedTests: 300, numFailedTests: 0, testResults: [file("passed", 300)] }, true);
  const browser = countPlaywright(stories(20, 2), false);
  const total = addUp([countCheck(true), countCheck(false), unit, browser]);
  expect(closingLine(total)).toBe("321 passed, 3 failed");
});

test("counts a test file that does not load as a failure", () => {
  const report = { numPassedTests: 3, numFailedTests: 1, testResults: [file("failed", 4), file("failed", 0)] };
  expect(countVitest(report, false)).toEqual({ passed: 3, failed: 2 });
});

test("counts a suite with a bad exit as a failure, even if every test passed", () => {
  expect(countVitest({ numPassedTests: 3, numFailedTests: 0, testResults: [file("passed", 3)] }, false)).toEqual({
    passed: 3,
    failed: 1,
  });
  expect(countPlaywright(stories(0, 0), false)).toMatchObject({ passed: 0, failed: 1 });
});

test("counts a suite without a report as a failure", () => {
  expect(countVitest(undefined, true)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright(undefined, true)).toEqual({ passed: 0, failed: 1 });
});

test("counts a successful attack or a missing report as a failure", () => {
  const results = [{ isRepelled: true }, { isRepelled: false }, { isRepelled: true }];
  expect(countAttacks({ results }, false)).toEqual({ passed: 2, failed: 1 });
  expect(countAttacks(undefined, true)).toEqual({ passed: 0, failed: 1 });
});

test("shows only the successful attacks of a suite", () => {
  const results = [
    { tried: "one", came: "refused", isRepelled: true },
    { tried: "two likes at once", came: "both left", isRepelled: false },
  ];
  expect(failuresOf({ results }, "all that it said")).toBe("two likes at once: both left");
});

test("passes with two flaky stories and names them", () => {
  const counted = countPlaywright(stories(20, 0, ["one", "other"]), true);
  expect(counted).toEqual({ passed: 22, failed: 0, flaky: ["kyc.spec.ts: one", "kyc.spec.ts: other"] });
});

test("fails with three flaky stories", () => {
  expect(countPlaywright(stories(20, 1, ["a", "b", "c"]), false)).toMatchObject({ passed: 20, failed: 4 });
});

test("shows a failed suite's failed tests, not its whole output", () => {
  const assertionResults = [
    { status: "passed", fullName: "works", failureMessages: [] },
    { status: "failed", fullName: "breaks", failureMessages: ["expected 1 to be 2"] },
  ];
  const report = { testResults: [{ name: "a.test.ts", status: "failed", message: "", assertionResults }] };
  expect(failuresOf(report, "dots")).toBe("a.test.ts: breaks\nexpected 1 to be 2");
  expect(failuresOf(undefined, "dots\n")).toBe("dots");
});
