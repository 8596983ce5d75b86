export const countCheck = (ok) => (ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

/** A suite that ended badly without a failed test (no report, a file that does not load) counts as one failure. */
const admitFailure = (counted, ok) => (ok || counted.failed > 0 ? counted : { ...counted, failed: 1 });

/** @param report what vitest's json reporter wrote, or undefined when there is none */
export function countVitest(report, ok) {
  if (!report) return countCheck(false);
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const counted = { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length };
  return admitFailure(counted, ok);
}

/**
 * `wavered`: how many passed at a second try alone.
 * @param report what playwright's json reporter wrote, or undefined when there is none
 */
export function countPlaywright(report, ok) {
  if (!report) return countCheck(false);
  const { expected, flaky, unexpected } = report.stats;
  const wavered = flaky > 0 ? { wavered: flaky } : {};
  return admitFailure({ passed: expected + flaky, failed: unexpected, ...wavered }, ok);
}

/** @param report what the attacks wrote down: one that got through is a failure */
export function countAttacks(report, ok) {
  if (!report) return countCheck(false);
  const failed = report.results.filter(({ isRepelled }) => !isRepelled).length;
  return admitFailure({ passed: report.results.length - failed, failed }, ok);
}

export function addUp(counts) {
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  return { passed: sum("passed"), failed: sum("failed") };
}

export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;
