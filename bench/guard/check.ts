/** What came of one of the guard's checks, and the sentence about it. Skipped: it could not be made here. */
export type Check = { readonly state: "passed" | "failed" | "skipped"; readonly text: string };

const marks = { passed: "✔", failed: "✘", skipped: "–" } as const;

/** Checks as lines for people. */
export const linesOf = (checks: readonly Check[]): string => checks.map(({ state, text }) => `${marks[state]} ${text}`).join("\n");

/** How many there are of each, as `npm test` sums them up. */
export function countChecks(checks: readonly Check[]): Record<Check["state"], number> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { state } of checks) counts[state] += 1;
  return counts;
}
