import { tableOf } from "../quality/table.ts";
import type { NeedleOutcome } from "./outcome.ts";

/** How many of the asked items each policy found at each budget. */
export type NeedleSummary = {
  /** Items whose value the full cache found: the only ones that policies are asked. */
  readonly answered: number;
  readonly found: readonly { readonly policy: string; readonly budget: number; readonly found: number; readonly share: number | null }[];
};

/** @param policies in the order in which they are shown */
export function summarise(outcomes: readonly NeedleOutcome[], policies: readonly string[], budgets: readonly number[]): NeedleSummary {
  const asked = outcomes.filter((outcome) => outcome.full.isFound);
  const found = policies.flatMap((policy) =>
    budgets.map((budget) => {
      const count = asked.filter(({ kept }) => kept.some((one) => one.policy === policy && one.budget === budget && one.isFound)).length;
      return { policy, budget, found: count, share: asked.length === 0 ? null : count / asked.length };
    }),
  );
  return { answered: asked.length, found };
}

export function summaryTable({ answered, found }: NeedleSummary): string {
  const budgets = [...new Set(found.map(({ budget }) => budget))];
  const policies = [...new Set(found.map(({ policy }) => policy))];
  const cellOf = (policy: string, budget: number) => {
    const cell = found.find((one) => one.policy === policy && one.budget === budget);
    return cell === undefined || cell.share === null ? "–" : `${cell.found}/${answered} ${(cell.share * 100).toFixed(0).padStart(3)} %`;
  };
  return tableOf([
    ["budget", ...budgets.map(String)],
    ...policies.map((policy) => [policy, ...budgets.map((budget) => cellOf(policy, budget))]),
  ]);
}
