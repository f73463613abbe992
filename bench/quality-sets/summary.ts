import { meanOf } from "../quality/averages.ts";
import type { Interval } from "../quality/bootstrap.ts";
import { meanOverTasks, ratioOverTasks } from "./interval.ts";
import type { QualityOutcome, ScoredOutcome } from "./outcome.ts";

/** What the full cache's score has to be above what chance and the first token score by, on the mean. */
export const leastGain = 0.05;

/** One policy at one budget, over the items of a task whose prompts are longer than the budget. */
export type Cell = {
  readonly policy: string;
  readonly budget: string;
  readonly items: number;
  readonly mean: number;
  /** By the full cache's mean over the same items; null where that is 0. */
  readonly ofFull: number | null;
};

export type TaskSummary = {
  readonly task: string;
  readonly items: number;
  /** Items whose question alone is too long, and items that lost their middle. */
  readonly unfit: number;
  readonly cut: number;
  /** On the mean. */
  readonly promptTokens: number;
  readonly full: Interval;
  /** What the same answers score by the gold answers of other items, and what their first tokens score by themselves. */
  readonly chance: number;
  readonly first: number;
  /** Whether the task counts in the means: the full cache scores well above both. */
  readonly counts: boolean;
  readonly cells: readonly Cell[];
};

/** Over the tasks that count, each with the same weight. Null where none has an item. */
export type Overall = {
  readonly policy: string;
  readonly budget: string;
  readonly tasks: readonly string[];
  readonly items: number;
  readonly mean: Interval | null;
  readonly ofFull: Interval | null;
  /** Item by item; null for the policy itself. */
  readonly lessSnapkv: Interval | null;
};

/** `reading`: over the reading sets alone. */
export type ScoredSummary = {
  readonly tasks: readonly TaskSummary[];
  readonly overall: readonly Overall[];
  readonly reading: readonly Overall[];
};

type Names = {
  readonly tasks: readonly string[];
  readonly reading: readonly string[];
  readonly policies: readonly string[];
  readonly budgets: readonly string[];
};

/**
 * @param tasks names in the order in which they are shown; those without a measured item are left out
 * @param reading names of the reading sets among them
 * @param policies in the order in which they are shown
 * @param budgets names, likewise
 */
export function summariseScored(outcomes: readonly QualityOutcome[], { tasks, reading, policies, budgets }: Names): ScoredSummary {
  const byTask = tasks
    .map((task) => ({
      task,
      measured: outcomes.filter((outcome) => outcome.kind === "scored").filter((outcome) => outcome.task === task),
      unfit: outcomes.filter((outcome) => outcome.kind === "unfit" && outcome.task === task).length,
    }))
    .filter(({ measured }) => measured.length > 0);
  const pairs = policies.flatMap((policy) => budgets.map((budget) => ({ policy, budget })));
  const summaries = byTask.map(({ task, measured, unfit }) => summariseTask(task, measured, unfit, pairs));
  const counting = byTask.filter((_, place) => summaries[place]?.counts === true);
  const over = (counted: typeof counting) => pairs.map(({ policy, budget }) => overall(policy, budget, counted));
  return { tasks: summaries, overall: over(counting), reading: over(counting.filter(({ task }) => reading.includes(task))) };
}

type Pair = { readonly policy: string; readonly budget: string };
type Compared = { readonly kept: number; readonly full: number; readonly snapkv: number | null };

function summariseTask(task: string, measured: readonly ScoredOutcome[], unfit: number, pairs: readonly Pair[]): TaskSummary {
  const full = meanOverTasks([measured.map((outcome) => outcome.full.score)]);
  const gain = meanOverTasks([measured.map(({ full: { score, first }, chance }) => score - Math.max(chance, first))]);
  if (full === null || gain === null) throw new RangeError(`No item of ${task} was measured.`);
  return {
    task,
    items: measured.length,
    unfit,
    cut: measured.filter(({ cutTokens }) => cutTokens > 0).length,
    promptTokens: Math.round(meanOf(measured.map(({ promptTokens }) => promptTokens))),
    full,
    chance: meanOf(measured.map(({ chance }) => chance)),
    first: meanOf(measured.map((outcome) => outcome.full.first)),
    counts: gain.mean >= leastGain && gain.low > 0,
    cells: pairs.flatMap(({ policy, budget }) => {
      const compared = comparedAt(measured, policy, budget);
      if (compared.length === 0) return [];
      const [mean, ofFull] = [meanOf(compared.map(({ kept }) => kept)), meanOf(compared.map((item) => item.full))];
      return [{ policy, budget, items: compared.length, mean, ofFull: ofFull === 0 ? null : mean / ofFull }];
    }),
  };
}

function overall(
  policy: string,
  budget: string,
  counting: readonly { readonly task: string; readonly measured: readonly ScoredOutcome[] }[],
): Overall {
  const compared = counting
    .map(({ task, measured }) => ({ task, items: comparedAt(measured, policy, budget) }))
    .filter(({ items }) => items.length > 0);
  const differences = compared.map(({ items }) => items.flatMap(({ kept, snapkv }) => (snapkv === null ? [] : [kept - snapkv])));
  const isCompared = policy !== "snapkv" && differences.length > 0 && differences.every((items) => items.length > 0);
  return {
    policy,
    budget,
    tasks: compared.map(({ task }) => task),
    items: compared.reduce((sum, { items }) => sum + items.length, 0),
    mean: meanOverTasks(compared.map(({ items }) => items.map(({ kept }) => kept))),
    ofFull: ratioOverTasks(compared.map(({ items }) => items.map(({ kept, full }) => ({ value: kept, by: full })))),
    lessSnapkv: isCompared ? meanOverTasks(differences) : null,
  };
}

/** The items that something was evicted from. */
function comparedAt(measured: readonly ScoredOutcome[], policy: string, budget: string): Compared[] {
  return measured.flatMap(({ full, kept }) => {
    const scoreOf = (name: string) => kept.find((one) => one.policy === name && one.budget === budget)?.score ?? null;
    const score = scoreOf(policy);
    return score === null ? [] : [{ kept: score, full: full.score, snapkv: scoreOf("snapkv") }];
  });
}
