// Reads the test runners' own JSON reports, so that the sum at the end is theirs and not a guess from their text.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @returns {Counts} */
export const noCounts = () => ({ passed: 0, failed: 0, skipped: 0 });

/** @param {Counts} one @param {Counts} other @returns {Counts} */
export const sum = (one, other) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});

/** A run that failed although no test of it did (a file that does not load, a crash) is one failure. */
function withExit(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {unknown} report vitest's JSON report, null where there is none
 * @param {number} code its exit code
 * @returns {Counts}
 */
export function countVitest(report, code) {
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report ?? {};
  return withExit({ passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests }, code);
}

/**
 * @param {unknown} report Playwright's JSON report, null where there is none
 * @param {number} code its exit code
 * @returns {Counts} a flaky test (passed on a retry) counts as passed
 */
export function countPlaywright(report, code) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  return withExit({ passed: expected + flaky, failed: unexpected, skipped }, code);
}

/**
 * @param {unknown} report that of training/tests, which has counts already; null where there is none
 * @param {number} code its exit code
 * @returns {Counts}
 */
export function countReport(report, code) {
  const { passed = 0, failed = 0, skipped = 0 } = report ?? {};
  return withExit({ passed, failed, skipped }, code);
}

/** The closing line of `npm test`. @param {Counts} counts */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
