import { LongsightError } from "../../electron/contract/errors.ts";
import { likeliest, type WriteStart, type Written, writeGreedily } from "../../electron/engine/conversation/greedy.ts";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { EvictionPlan } from "../../electron/engine/lookahead/plan.ts";
import { selectKept } from "../../electron/engine/lookahead/score.ts";
import type { KeptTokens, Scores } from "../../electron/engine/lookahead/scores.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { clear, readWithWindow } from "./fullCache.ts";
import type { Prompt, ReadPrompt, Rule } from "./rules.ts";

/** Tokens kept per layer and KV head, and what tables call it. */
export type NamedBudget = { readonly name: string; readonly tokens: number };

/** A cache that a rule kept, to be looked at. */
export type Kept = {
  readonly rule: Rule;
  readonly context: ModelContext;
  /** What the rule chose by; null where it takes none. */
  readonly scores: Scores | null;
  readonly chosen: KeptTokens;
  /** Where every answer begins. */
  readonly start: WriteStart;
  /** What the full cache answered from there. */
  readonly full: Written;
};

/** What was seen of the cache that a rule kept. */
export type Seen<Sight> = { readonly policy: string; readonly budget: string; readonly sight: Sight };

export type Examined<Sight> = {
  /** The full cache, with the prompt in it and nothing else. */
  readonly context: ModelContext;
  readonly full: Written;
  readonly seen: readonly Seen<Sight>[];
  /** Budgets that nothing was kept by: the prompt is no longer than they are, or its protected tokens are more. */
  readonly leftOut: { readonly whole: string[]; readonly tooSmall: string[] };
};

/** {@link NamedBudget} by its number. */
export const named = (tokens: number): NamedBudget => ({ name: String(tokens), tokens });

type Settings<Sight> = {
  readonly rules: readonly Rule[];
  readonly budgets: readonly NamedBudget[];
  readonly maxTokens: number;
  /** Whether a text says enough to end there, the full cache's too. */
  readonly isEnough?: (text: string) => boolean;
  /** What is seen where the full cache's answer is empty: then every cache's is, since the first token is the full one's. */
  readonly ofNothing: Sight;
  /** The tokens of the full cache's answer that rules may score by; null: nothing is kept. Left out, all of them. */
  readonly realAnswer?: (full: Written) => readonly number[] | null;
  /** Whether a budget of the whole prompt or more is a budget as well; such budgets are left out otherwise. */
  readonly keepsWhole?: boolean;
};

/**
 * Reads a prompt once, as the app does, has the full cache answer it greedily, and lets `examine` look at the cache that each rule keeps at
 * each budget. As in the app every answer's first token is the full cache's.
 * @param examine may leave tokens behind the prompt
 * @throws LongsightError as the app's answers do
 */
export async function examineKept<Sight>(
  loaded: Loaded,
  prompt: Prompt,
  {
    rules,
    budgets,
    maxTokens,
    isEnough = () => false,
    ofNothing,
    realAnswer = ({ tokens }) => tokens,
    keepsWhole = false,
  }: Settings<Sight>,
  examine: (kept: Kept) => Promise<Sight>,
): Promise<Examined<Sight>> {
  const end = prompt.tokens.length;
  const planned = planAll(rules, prompt, budgets, keepsWhole);
  const { context, windowScores } = await readWithWindow(loaded, prompt);
  // From the logits of the prompt's last token: gone with the next decode.
  const start = { first: await likeliest(loaded.model, context), position: end, maxTokens, isEnough };
  const full = await writeGreedily(loaded, context, start);
  clear(context, end);
  const { leftOut } = planned;
  const answer = realAnswer(full);
  if (answer === null) return { context, full, seen: [], leftOut };
  if (answer.length === 0) {
    // There are no rows to score by.
    const seen = planned.rules.flatMap(({ rule, plans }) =>
      plans.map(({ budget }) => ({ policy: rule.name, budget: budget.name, sight: ofNothing })),
    );
    return { context, full, seen, leftOut };
  }

  const read: ReadPrompt = { context, prompt, windowScores, answer };
  const seen: Seen<Sight>[] = [];
  for (const { rule, plans } of planned.rules) {
    let scores: Awaited<ReturnType<Rule["score"]>> = null;
    for (const [index, { budget, plan }] of plans.entries()) {
      // Scores know nothing of budgets, but a draft that is written from a kept cache does.
      if (index === 0 || plan.behind === "own-draft") scores = await rule.score(read, plan);
      clear(context, end);
      const chosen = selectKept(plan, context.shape(), scores);
      const kept = await loaded.createKept(chosen.budgets, maxTokens);
      try {
        await kept.keepFrom(context, chosen);
        const sight = await examine({ rule, context: kept, scores, chosen, start, full });
        seen.push({ policy: rule.name, budget: budget.name, sight });
      } finally {
        await kept.dispose();
      }
    }
  }
  return { context, full, seen, leftOut };
}

type Planned = {
  readonly rules: readonly {
    readonly rule: Rule;
    readonly plans: readonly { readonly budget: NamedBudget; readonly plan: EvictionPlan }[];
  }[];
  readonly leftOut: Examined<never>["leftOut"];
};

/** A budget that is too small for one rule is left out for all: else they would be compared by different items. */
function planAll(rules: readonly Rule[], prompt: Prompt, budgets: readonly NamedBudget[], keepsWhole: boolean): Planned {
  const smaller = budgets.filter(({ tokens }) => keepsWhole || tokens < prompt.tokens.length);
  const tried = smaller.map((budget) => ({ budget, plans: rules.map((rule) => planOrNull(rule, prompt, budget.tokens)) }));
  const usable = tried.filter(({ plans }) => !plans.includes(null));
  return {
    rules: rules.map((rule, index) => ({
      rule,
      plans: usable.flatMap(({ budget, plans }) => {
        const plan = plans[index] ?? null;
        return plan === null ? [] : [{ budget, plan }];
      }),
    })),
    leftOut: {
      whole: budgets.filter((budget) => !smaller.includes(budget)).map(({ name }) => name),
      tooSmall: tried.filter(({ plans }) => plans.includes(null)).map(({ budget }) => budget.name),
    },
  };
}

function planOrNull(rule: Rule, prompt: Prompt, budget: number): EvictionPlan | null {
  try {
    return rule.plan(prompt, budget);
  } catch (error) {
    if (error instanceof LongsightError && error.code === "usage") return null;
    throw error;
  }
}
