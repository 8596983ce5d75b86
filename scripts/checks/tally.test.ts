import { expect, test } from "vitest";
import { addUp, closingLine, countAttacks, countCheck, countPlaywright, countVitest, failuresOf } from "./checks.mjs";

/** What playwright reports, with the flaky stories by their titles. */
const stories = (expected: number, unexpected: number, flaky: string[] = []) => ({
  stats: { expected, unexpected, flaky: flaky.length, skipped: 1 },
  suites: [
    { suites: [{ specs: flaky.map((title) => ({ file: "kyc.spec.ts", title, tests: [{ status: "flaky" }] })) }] },
  ],
});

const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) });

test("the closing line sums the tests of every suite and each other check as one", () => {
  const unit = countVitest({ numPassedTests: 300, numFailedTests: 0, testResults: [file("passed", 300)] }, true);
  const browser = countPlaywright(stories(20, 2), false);
  const total = addUp([countCheck(true), countCheck(false), unit, browser]);
  expect(closingLine(total)).toBe("321 passed, 3 failed");
});

test("a test file that does not load is a failure", () => {
  const report = { numPassedTests: 3, numFailedTests: 1, testResults: [file("failed", 4), file("failed", 0)] };
  expect(countVitest(report, false)).toEqual({ passed: 3, failed: 2 });
});

test("a suite that ends badly is a failure, although every test passed", () => {
  expect(countVitest({ numPassedTests: 3, numFailedTests: 0, testResults: [file("passed", 3)] }, false)).toEqual({
    passed: 3,
    failed: 1,
  });
  expect(countPlaywright(stories(0, 0), false)).toMatchObject({ passed: 0, failed: 1 });
});

test("a suite that leaves no report is a failure", () => {
  expect(countVitest(undefined, true)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright(undefined, true)).toEqual({ passed: 0, failed: 1 });
});

test("a successful attack counts as a failure, and so does a missing report", () => {
  const results = [{ isRepelled: true }, { isRepelled: false }, { isRepelled: true }];
  expect(countAttacks({ results }, false)).toEqual({ passed: 2, failed: 1 });
  expect(countAttacks(undefined, true)).toEqual({ passed: 0, failed: 1 });
});

test("a suite of attacks shows those that got through alone", () => {
  const results = [
    { tried: "one", came: "refused", isRepelled: true },
    { tried: "two likes at once", came: "both left", isRepelled: false },
  ];
  expect(failuresOf({ results }, "all that it said")).toBe("two likes at once: both left");
});

test("two flaky stories pass and are named", () => {
  const counted = countPlaywright(stories(20, 0, ["one", "other"]), true);
  expect(counted).toEqual({ passed: 22, failed: 0, flaky: ["kyc.spec.ts: one", "kyc.spec.ts: other"] });
});

test("three flaky stories fail", () => {
  expect(countPlaywright(stories(20, 1, ["a", "b", "c"]), false)).toMatchObject({ passed: 20, failed: 4 });
});

test("a failed suite shows its failed tests, not all that it printed", () => {
  const assertionResults = [
    { status: "passed", fullName: "works", failureMessages: [] },
    { status: "failed", fullName: "breaks", failureMessages: ["expected 1 to be 2"] },
  ];
  const report = { testResults: [{ name: "a.test.ts", status: "failed", message: "", assertionResults }] };
  expect(failuresOf(report, "dots")).toBe("a.test.ts: breaks\nexpected 1 to be 2");
  expect(failuresOf(undefined, "dots\n")).toBe("dots");
});
