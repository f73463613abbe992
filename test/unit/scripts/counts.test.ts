import { describe, expect, it } from "vitest";
import { closingLine, countPlaywright, countReport, countVitest, sum } from "../../../scripts/counts.mjs";

describe("counts", () => {
  it("takes vitest's own figures", () => {
    const report = { numPassedTests: 12, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
    expect(countVitest(report, 1)).toEqual({ passed: 12, failed: 1, skipped: 3 });
  });

  it("takes Playwright's own figures; flaky is passed", () => {
    expect(countPlaywright({ stats: { expected: 5, unexpected: 2, flaky: 1, skipped: 4 } }, 1)).toEqual({
      passed: 6,
      failed: 2,
      skipped: 4,
    });
  });

  it("takes the Python tests' own figures", () => {
    expect(countReport({ passed: 24, failed: 1, skipped: 2 }, 1)).toEqual({ passed: 24, failed: 1, skipped: 2 });
    expect(countReport({ passed: 24, failed: 0, skipped: 0 }, 1)).toEqual({ passed: 24, failed: 1, skipped: 0 });
    expect(countReport(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("counts a run that failed without a failing test as one failure", () => {
    expect(countVitest({ numPassedTests: 3 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(countVitest(null, 139)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countPlaywright(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it("closes with the line that runners of runners read", () => {
    expect(closingLine(sum({ passed: 1, failed: 0, skipped: 0 }, { passed: 2, failed: 0, skipped: 0 }))).toBe("3 passed, 0 failed");
    expect(closingLine({ passed: 1, failed: 2, skipped: 3 })).toBe("1 passed, 2 failed, 3 skipped");
  });
});
