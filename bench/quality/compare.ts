import { likeliest, type Written, writeGreedily } from "../../electron/engine/conversation/greedy.ts";
import { selectKept } from "../../electron/engine/lookahead/score.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { clear, readWithWindow } from "./fullCache.ts";
import type { Prompt, ReadPrompt, Rule } from "./rules.ts";

/** What a cache answered. */
export type Kept = { readonly policy: string; readonly budget: number; readonly text: string };
export type Compared = { readonly full: string; readonly kept: readonly Kept[] };

export type Comparison = {
  readonly rules: readonly Rule[];
  readonly budgets: readonly number[];
  /** Longest answer in tokens. */
  readonly maxTokens: number;
  /**
   * Whether a text says what was asked for. Where the full cache's answer does not, none is kept; where it does, it counts as the real
   * answer up to there. Null: every answer counts, and all of it.
   */
  readonly says: ((text: string) => boolean) | null;
  /** Asks the full cache once more in the end: with the same answer nothing was left behind in it. */
  readonly isChecked: boolean;
};

/**
 * Reads a prompt once, as the app reads it, and answers greedily: from the full cache, then from a kept one for each rule and budget.
 * As in the app every answer's first token is the full cache's.
 * @throws LongsightError as the app's answers do, `usage` before anything is read
 */
export async function compareAnswers(loaded: Loaded, prompt: Prompt, comparison: Comparison): Promise<Compared> {
  const { rules, budgets, maxTokens } = comparison;
  const plans = rules.map((rule) => ({ rule, plans: budgets.map((budget) => ({ budget, plan: rule.plan(prompt, budget) })) }));
  const end = prompt.tokens.length;
  const { context, windowScores } = await readWithWindow(loaded, prompt);
  // From the logits of the prompt's last token: gone with the next decode.
  const start = { first: await likeliest(loaded.model, context), position: end, maxTokens };
  const answer = await writeGreedily(loaded, context, start);
  clear(context, end);
  if (comparison.says?.(answer.text) === false) return { full: answer.text, kept: [] };
  // With an end as its first token every answer is empty, and there are no rows to score by.
  if (answer.tokens.length === 0)
    return { full: "", kept: rules.flatMap(({ name }) => budgets.map((budget) => ({ policy: name, budget, text: "" }))) };

  const read: ReadPrompt = { context, prompt, windowScores, answer: realAnswer(answer, comparison.says) };
  const kept: Kept[] = [];
  for (const { rule, plans: ofRule } of plans) {
    const [any] = ofRule;
    if (any === undefined) continue;
    // Scores know nothing of budgets.
    const scores = await rule.score(read, any.plan);
    clear(context, end);
    for (const { budget, plan } of ofRule) {
      const chosen = selectKept(plan, context.shape(), scores);
      const small = await loaded.createKept(chosen.budgets, maxTokens);
      try {
        await small.keepFrom(context, chosen);
        kept.push({ policy: rule.name, budget, text: (await writeGreedily(loaded, small, start)).text });
      } finally {
        await small.dispose();
      }
    }
  }
  if (comparison.isChecked) {
    const again = await writeGreedily(loaded, context, start);
    clear(context, end);
    if (again.text !== answer.text) throw new Error(`The full cache was changed: it answered “${answer.text}”, and then “${again.text}”.`);
  }
  return { full: answer.text, kept };
}

/** Tokens of an answer up to where it has said what was asked for: what a model goes on to say is another matter. */
function realAnswer({ text, tokens, ends }: Written, says: Comparison["says"]): readonly number[] {
  if (says === null) return tokens;
  const last = ends.findIndex((end) => says(text.slice(0, end)));
  return last < 0 ? tokens : tokens.slice(0, last + 1);
}
