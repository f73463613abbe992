import type { Interval } from "../quality/bootstrap.ts";
import { meanOverTasks } from "./interval.ts";
import type { AgreementOutcome, QualityOutcome, TemperatureOutcome } from "./outcome.ts";

/** How alike answers are to the full cache's, of prompts longer than the budget. */
export type AgreementRow = {
  readonly task: string;
  readonly policy: string;
  readonly budget: string;
  readonly items: number;
  readonly f1: Interval;
  readonly rougeL: Interval;
  readonly edit: Interval;
  /** The kept cache's mean log-likelihood of the full one's answer, less the full one's own: nats for each token. Null for answers of one token. */
  readonly likelihoodLoss: Interval | null;
  /** F1 and log-likelihood less those of `snapkv`, item by item; null for itself, and where it was not asked. */
  readonly f1LessSnapkv: Interval | null;
  readonly likelihoodLessSnapkv: Interval | null;
};

/** @param tasks, policies, budgets in the order in which they are shown */
export function summariseAgreement(
  outcomes: readonly QualityOutcome[],
  tasks: readonly string[],
  policies: readonly string[],
  budgets: readonly string[],
): AgreementRow[] {
  const measured = outcomes.filter((outcome) => outcome.kind === "agreement");
  return tasks.flatMap((task) =>
    agreementRows(
      task,
      measured.filter((outcome) => outcome.task === task),
      policies,
      budgets,
    ),
  );
}

function agreementRows(
  task: string,
  measured: readonly AgreementOutcome[],
  policies: readonly string[],
  budgets: readonly string[],
): AgreementRow[] {
  return policies.flatMap((policy) =>
    budgets.flatMap((budget) => {
      const pairs = measured.flatMap((outcome) => {
        const [own, snapkv] = [keptOf(outcome, policy, budget), keptOf(outcome, "snapkv", budget)];
        return own === undefined ? [] : [{ own, snapkv, full: outcome.full.logLikelihood }];
      });
      const over = (values: readonly (number | null)[]) => {
        const known = values.filter((value) => value !== null);
        return known.length === 0 ? null : meanOverTasks([known]);
      };
      const [f1, rougeL, edit] = [
        over(pairs.map(({ own }) => own.f1)),
        over(pairs.map(({ own }) => own.rougeL)),
        over(pairs.map(({ own }) => own.edit)),
      ];
      if (f1 === null || rougeL === null || edit === null) return [];
      const isCompared = policy !== "snapkv";
      return [
        {
          task,
          policy,
          budget,
          items: pairs.length,
          f1,
          rougeL,
          edit,
          likelihoodLoss: over(pairs.map(({ own, full }) => less(own.logLikelihood, full))),
          f1LessSnapkv: isCompared ? over(pairs.map(({ own, snapkv }) => less(own.f1, snapkv?.f1 ?? null))) : null,
          likelihoodLessSnapkv: isCompared
            ? over(pairs.map(({ own, snapkv }) => less(own.logLikelihood, snapkv?.logLikelihood ?? null)))
            : null,
        },
      ];
    }),
  );
}

const keptOf = ({ kept }: AgreementOutcome, policy: string, budget: string) =>
  kept.find((one) => one.policy === policy && one.budget === budget);

const less = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : one - other);

/** Means over the prompts of how alike scores are to those by the greedy answer. */
export type TemperatureRow = {
  readonly task: string;
  readonly name: string;
  readonly items: number;
  /** By K, over the prompts that are longer. */
  readonly recall: readonly { readonly of: number; readonly items: number; readonly share: Interval | null }[];
  /** Null where no prompt has an order to compare. */
  readonly tau: Interval | null;
};

/** @param tasks in the order in which they are shown */
export function summariseTemperature(outcomes: readonly QualityOutcome[], tasks: readonly string[]): TemperatureRow[] {
  return tasks.flatMap((task) => {
    const measured = outcomes.filter((outcome) => outcome.kind === "temperature").filter((outcome) => outcome.task === task);
    const names = [...new Set(measured.flatMap(({ rows }) => rows.map(({ name }) => name)))];
    return names.map((name) => temperatureRow(task, name, measured));
  });
}

function temperatureRow(task: string, name: string, measured: readonly TemperatureOutcome[]): TemperatureRow {
  const rows = measured.flatMap((outcome) => outcome.rows.filter((row) => row.name === name));
  const recalls = rows.flatMap(({ recall }) => recall);
  const counts = [...new Set(recalls.map(({ of }) => of))].sort((one, other) => one - other);
  const taus = rows.map(({ tau }) => tau).filter((tau) => tau !== null);
  return {
    task,
    name,
    items: rows.length,
    recall: counts.map((count) => {
      const shares = recalls.filter(({ of }) => of === count).map(({ share }) => share);
      return { of: count, items: shares.length, share: meanOverTasks([shares]) };
    }),
    tau: taus.length === 0 ? null : meanOverTasks([taus]),
  };
}
