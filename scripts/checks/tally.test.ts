import { expect, test } from "vitest";
import { addUp, closingLine, countAttacks, countCheck, countPlaywright, countVitest } from "./checks.mjs";

const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) });

test("the closing line sums the tests of every suite and each other check as one", () => {
  const unit = countVitest({ numPassedTests: 300, numFailedTests: 0, testResults: [file("passed", 300)] }, true);
  const browser = countPlaywright({ stats: { expected: 20, unexpected: 2, skipped: 1 } }, false);
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
  expect(countPlaywright({ stats: { expected: 0, unexpected: 0, skipped: 0 } }, false)).toEqual({
    passed: 0,
    failed: 1,
  });
});

test("a suite that leaves no report is a failure", () => {
  expect(countVitest(undefined, true)).toEqual({ passed: 0, failed: 1 });
  expect(countPlaywright(undefined, true)).toEqual({ passed: 0, failed: 1 });
});

test("an attack that gets through is a failure, and so is a report that was never written", () => {
  const results = [{ isRepelled: true }, { isRepelled: false }, { isRepelled: true }];
  expect(countAttacks({ results }, false)).toEqual({ passed: 2, failed: 1 });
  expect(countAttacks(undefined, true)).toEqual({ passed: 0, failed: 1 });
});
