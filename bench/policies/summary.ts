import { meanOf, medianOf } from "../quality/averages.ts";
import { tableOf } from "../quality/table.ts";
import type { PolicyOutcome, PolicyRow } from "./outcome.ts";

type AtBudget = {
  readonly budget: number;
  readonly recall: number;
  readonly truthRecall: number;
  readonly mass: number;
  readonly keptBytes: number;
};

/** Means over the prompts. Times are medians, since one slow prompt would decide a mean. */
export type PolicySummary = {
  readonly prefillMs: number;
  readonly policies: readonly {
    readonly policy: string;
    readonly readingMs: number;
    readonly draftMs: number;
    readonly scoringMs: number;
    /** Of the largest budget. */
    readonly selectionMs: number;
    readonly budgets: readonly AtBudget[];
  }[];
};

/** @param policies in the order in which they are shown */
export function summarise(outcomes: readonly PolicyOutcome[], policies: readonly string[], budgets: readonly number[]): PolicySummary {
  const rowsOf = (policy: string) => outcomes.flatMap(({ rows }) => rows.filter((row) => row.policy === policy));
  const atBudget = (rows: readonly PolicyRow[], budget: number): AtBudget => {
    const at = rows.flatMap((row) => row.budgets.filter((one) => one.budget === budget));
    return {
      budget,
      recall: meanOf(at.map(({ recall }) => recall)),
      truthRecall: meanOf(at.map(({ truthRecall }) => truthRecall)),
      mass: meanOf(at.map(({ mass }) => mass)),
      keptBytes: Math.round(meanOf(at.map(({ keptBytes }) => keptBytes))),
    };
  };
  return {
    prefillMs: medianOf(outcomes.map(({ prefillMs }) => prefillMs)),
    policies: policies.map((policy) => {
      const rows = rowsOf(policy);
      return {
        policy,
        readingMs: medianOf(rows.map(({ readingMs }) => readingMs)),
        draftMs: medianOf(rows.map(({ draftMs }) => draftMs)),
        scoringMs: medianOf(rows.map(({ scoringMs }) => scoringMs)),
        selectionMs: medianOf(rows.map((row) => row.budgets.at(-1)?.selectionMs ?? 0)),
        budgets: budgets.map((budget) => atBudget(rows, budget)),
      };
    }),
  };
}

export function summaryTable({ policies, prefillMs }: PolicySummary): string {
  const budgets = policies[0]?.budgets.map(({ budget }) => budget) ?? [];
  const times = ["while reading", "drafting", "scoring", "selecting"];
  return tableOf([
    [
      "policy",
      ...budgets.map((budget) => `recall@${budget}`),
      ...budgets.map((budget) => `as oracle@${budget}`),
      ...budgets.map((budget) => `mass@${budget}`),
      ...budgets.map((budget) => `MB@${budget}`),
      ...times.map((time) => `${time}, ms`),
    ],
    ...policies.map(({ policy, readingMs, draftMs, scoringMs, selectionMs, budgets: at }) => [
      policy,
      ...at.map(({ truthRecall }) => truthRecall.toFixed(3)),
      ...at.map(({ recall }) => recall.toFixed(3)),
      ...at.map(({ mass }) => mass.toFixed(3)),
      ...at.map(({ keptBytes }) => (keptBytes / 1e6).toFixed(2)),
      ...[readingMs, draftMs, scoringMs, selectionMs].map((time) => time.toFixed(1)),
    ]),
    ["reading the prompt", ...[budgets, budgets, budgets, budgets].flatMap((each) => each.map(() => "")), prefillMs.toFixed(1)],
  ]);
}
