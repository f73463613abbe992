import type { Interval } from "../quality/bootstrap.ts";
import { tableOf } from "../quality/table.ts";
import type { AgreementRow, TemperatureRow } from "./otherSummaries.ts";
import { leastGain, type Overall, type ScoredSummary } from "./summary.ts";

const number = (value: number | null | undefined) => (value === null || value === undefined ? "–" : value.toFixed(3));
const percent = (value: number | null | undefined) => (value === null || value === undefined ? "–" : `${(100 * value).toFixed(0)} %`);
const interval = (value: Interval | null) => (value === null ? "–" : `${number(value.mean)} [${number(value.low)}, ${number(value.high)}]`);
const percents = (value: Interval | null) =>
  value === null ? "–" : `${percent(value.mean)} [${percent(value.low)}, ${percent(value.high)}]`;

/** What full cache and chance score for each task, and for each budget the policies' scores, as shares of the full cache's too. */
export function scoredTables({ tasks, overall, reading }: ScoredSummary): string {
  const out = tasks.filter(({ counts }) => !counts).map(({ task }) => task);
  const rule = `A task counts where the full cache scores at least ${leastGain} more than chance (its answers by the gold answers of other items) and than its first tokens alone, with the 95 % interval of that above 0.`;
  const leftOut = out.length === 0 ? "All tasks count." : `Left out of the means: ${out.join(", ")}.`;
  const budgets = [...new Set(overall.map(({ budget }) => budget))];
  return [
    tableOf([
      ["task", "items", "cut", "unfit", "prompt tokens", "chance", "first token", "full", "counts"],
      ...tasks.map(({ task, items, cut, unfit, promptTokens, chance, first, full, counts }) => [
        task,
        ...[items, cut, unfit, promptTokens].map(String),
        ...[chance, first].map(number),
        interval(full),
        counts ? "yes" : "no",
      ]),
    ]),
    `${rule} ${leftOut}`,
    ...budgets.map((budget) => budgetTable(budget, tasks, overall, reading)),
  ].join("\n\n");
}

function budgetTable(budget: string, tasks: ScoredSummary["tasks"], ...over: readonly (readonly Overall[])[]): string {
  const [here = [], read = []] = over.map((rows) => rows.filter((one) => one.budget === budget));
  const policies = here.map(({ policy }) => policy);
  const rows = tasks
    .filter(({ counts, cells }) => counts && cells.some((cell) => cell.budget === budget))
    .map(({ task, cells, full }) => [
      task,
      number(full.mean),
      ...policies.map((policy) => {
        const cell = cells.find((one) => one.policy === policy && one.budget === budget);
        return cell === undefined ? "–" : `${number(cell.mean)} ${percent(cell.ofFull).padStart(5)}`;
      }),
    ]);
  return tableOf([
    [`budget ${budget}`, "full", ...policies],
    ...rows,
    ["mean over tasks", "", ...here.map(({ mean }) => interval(mean))],
    ["of the full cache's", "", ...here.map(({ ofFull }) => percents(ofFull))],
    ["less snapkv's", "", ...here.map(({ lessSnapkv }) => interval(lessSnapkv))],
    ["tasks, items", "", ...here.map(({ tasks: own, items }) => `${own.length}, ${items}`)],
    ["reading sets, of the full cache's", "", ...read.map(({ ofFull }) => percents(ofFull))],
  ]);
}

export function agreementTable(rows: readonly AgreementRow[]): string {
  return tableOf([
    [
      "agreement with the full cache",
      "policy",
      "budget",
      "items",
      "F1",
      "ROUGE-L",
      "edits",
      "log-likelihood − full's",
      "F1 − snapkv",
      "log-likelihood − snapkv",
    ],
    ...rows.map(({ task, policy, budget, items, f1, rougeL, edit, likelihoodLoss, f1LessSnapkv, likelihoodLessSnapkv }) => [
      task,
      policy,
      budget,
      String(items),
      ...[f1, rougeL, edit, likelihoodLoss, f1LessSnapkv, likelihoodLessSnapkv].map(interval),
    ]),
  ]);
}

export function temperatureTable(rows: readonly TemperatureRow[]): string {
  const counts = [...new Set(rows.flatMap(({ recall }) => recall.map(({ of }) => of)))].sort((one, other) => one - other);
  return tableOf([
    ["against the greedy answer", "scores by", "prompts", ...counts.map((count) => `recall@${count}`), "Kendall τ-b"],
    ...rows.map(({ task, name, items, recall, tau }) => [
      task,
      name,
      String(items),
      ...counts.map((count) => interval(recall.find(({ of }) => of === count)?.share ?? null)),
      interval(tau),
    ]),
  ]);
}
