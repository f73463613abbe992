import { bootstrapMean, type Interval } from "../quality/bootstrap.ts";
import { tableOf } from "../quality/table.ts";
import type { AnswerOutcome } from "./outcome.ts";

/** What is measured of an answer: F1, and whether a gold answer stands in it. */
type Measured = { readonly f1: Interval; readonly holdsGold: Interval };

export type AnswerSummary = {
  /** Means by policy and budget; null is the full cache's. */
  readonly means: readonly (Measured & { readonly policy: string; readonly budget: number | null })[];
  /** Means of each item's difference to `snapkv` at the same budget. */
  readonly differences: readonly (Measured & { readonly policy: string; readonly budget: number })[];
};

type Figures = { readonly f1: number; readonly holdsGold: boolean };

/**
 * @param policies in the order in which they are shown, `snapkv` among them
 * @throws RangeError where there is no outcome, or an item lacks one of the answers
 */
export function summarise(outcomes: readonly AnswerOutcome[], policies: readonly string[], budgets: readonly number[]): AnswerSummary {
  const documents = [...new Set(outcomes.map(({ documentId }) => documentId))];
  const byDocument = documents.map((id) => outcomes.filter(({ documentId }) => documentId === id));
  const over = (figureOf: (outcome: AnswerOutcome) => number) => bootstrapMean(byDocument.map((own) => own.map(figureOf)));
  const pairs = policies.flatMap((policy) => budgets.map((budget) => ({ policy, budget })));
  return {
    means: [
      { policy: "full", budget: null, f1: over(({ full }) => full.f1), holdsGold: over(({ full }) => Number(full.holdsGold)) },
      ...pairs.map(({ policy, budget }) => ({
        policy,
        budget,
        f1: over((outcome) => answerOf(outcome, policy, budget).f1),
        holdsGold: over((outcome) => Number(answerOf(outcome, policy, budget).holdsGold)),
      })),
    ],
    differences: pairs
      .filter(({ policy }) => policy !== "snapkv")
      .map(({ policy, budget }) => {
        const gain = (figureOf: (answer: Figures) => number) =>
          over((outcome) => figureOf(answerOf(outcome, policy, budget)) - figureOf(answerOf(outcome, "snapkv", budget)));
        return { policy, budget, f1: gain(({ f1 }) => f1), holdsGold: gain(({ holdsGold }) => Number(holdsGold)) };
      }),
  };
}

function answerOf({ id, kept }: AnswerOutcome, policy: string, budget: number): Figures {
  const found = kept.find((answer) => answer.policy === policy && answer.budget === budget);
  if (found === undefined) throw new RangeError(`The item ${id} has no answer of ${policy} at ${budget}.`);
  return found;
}

export function summaryTable({ means, differences }: AnswerSummary): string {
  const shown = ({ mean, low, high }: Interval) => `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
  const columns = (measured: Measured | undefined) => (measured === undefined ? ["", ""] : [shown(measured.f1), shown(measured.holdsGold)]);
  return tableOf([
    ["policy", "budget", "F1", "holds gold", "F1 − snapkv", "holds gold − snapkv"],
    ...means.map((row) => {
      const difference = differences.find(({ policy, budget }) => policy === row.policy && budget === row.budget);
      return [row.policy, row.budget === null ? "all" : String(row.budget), ...columns(row), ...columns(difference)];
    }),
  ]);
}
