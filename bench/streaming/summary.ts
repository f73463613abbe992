import { tableOf } from "../quality/table.ts";
import type { StreamingOutcome } from "./outcome.ts";

/** How often a needle was found at each depth, and the most bytes that caches took for any item. */
export type StreamingRow = {
  /** `full` for the full cache on the shorter text. */
  readonly policy: string;
  readonly budget: number | null;
  readonly found: readonly { readonly depth: number; readonly found: number; readonly items: number }[];
  readonly cacheBytes: number;
  /** What a window and the budget take; null for the full cache. */
  readonly limitBytes: number | null;
};

/** @param limitOf bytes that caches may take at most with a budget */
export function summarise(outcomes: readonly StreamingOutcome[], limitOf: (budget: number) => number): StreamingRow[] {
  const depths = [...new Set(outcomes.map(({ depth }) => depth))].sort((one, other) => one - other);
  const rowOf = (
    policy: string,
    budget: number | null,
    read: (outcome: StreamingOutcome) => { isFound: boolean; cacheBytes: number }[],
  ): StreamingRow => ({
    policy,
    budget,
    found: depths.map((depth) => {
      const answers = outcomes.filter((outcome) => outcome.depth === depth).flatMap(read);
      return { depth, found: answers.filter(({ isFound }) => isFound).length, items: answers.length };
    }),
    cacheBytes: Math.max(0, ...outcomes.flatMap(read).map(({ cacheBytes }) => cacheBytes)),
    limitBytes: budget === null ? null : limitOf(budget),
  });
  const ways = outcomes[0]?.streamed.map(({ policy, budget }) => ({ policy, budget })) ?? [];
  return [
    rowOf("full", null, ({ full }) => [full]),
    ...ways.map(({ policy, budget }) =>
      rowOf(policy, budget, ({ streamed }) => streamed.filter((one) => one.policy === policy && one.budget === budget)),
    ),
  ];
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

export function summaryTable(rows: readonly StreamingRow[]): string {
  const depths = rows[0]?.found.map(({ depth }) => `${Math.round(depth * 100)} %`) ?? [];
  return tableOf([
    ["", "budget", ...depths, "all", "MB at most", "window + budget"],
    ...rows.map(({ policy, budget, found, cacheBytes, limitBytes }) => {
      const all = found.reduce((sum, cell) => sum + cell.found, 0);
      const items = found.reduce((sum, cell) => sum + cell.items, 0);
      const limit = limitBytes === null ? "" : `${megabytes(limitBytes)} ${cacheBytes <= limitBytes ? "kept" : "EXCEEDED"}`;
      const cells = found.map((cell) => `${cell.found}/${cell.items}`);
      return [policy, budget === null ? "" : String(budget), ...cells, `${all}/${items}`, megabytes(cacheBytes), limit];
    }),
  ]);
}
