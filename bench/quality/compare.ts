import { type Written, writeGreedily } from "../../electron/engine/conversation/greedy.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { examineKept, named } from "./examine.ts";
import { clear } from "./fullCache.ts";
import type { Prompt, Rule } from "./rules.ts";

/** What a cache answered. */
type KeptAnswer = { readonly policy: string; readonly budget: number; readonly text: string };
type Compared = { readonly full: string; readonly kept: readonly KeptAnswer[] };

type Comparison = {
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
 * Answers a prompt from the full cache, and from a kept one for each rule and budget.
 * @throws LongsightError as the app's answers do, `usage` before anything is read
 */
export async function compareAnswers(loaded: Loaded, prompt: Prompt, comparison: Comparison): Promise<Compared> {
  const { rules, budgets, maxTokens, says, isChecked } = comparison;
  // A budget that a rule refuses is no answer that is left out, but a mistake of whoever asked.
  for (const rule of rules) for (const budget of budgets) rule.plan(prompt, budget);
  const { context, full, seen } = await examineKept(
    loaded,
    prompt,
    { rules, budgets: budgets.map(named), maxTokens, ofNothing: "", realAnswer: (answer) => realAnswer(answer, says), keepsWhole: true },
    async (kept) => (await writeGreedily(loaded, kept.context, kept.start)).text,
  );
  const [first] = full.tokens;
  if (isChecked && first !== undefined) {
    const end = prompt.tokens.length;
    const again = await writeGreedily(loaded, context, { first, position: end, maxTokens });
    clear(context, end);
    if (again.text !== full.text) throw new Error(`The full cache was changed: it answered “${full.text}”, and then “${again.text}”.`);
  }
  return { full: full.text, kept: seen.map(({ policy, budget, sight }) => ({ policy, budget: Number(budget), text: sight })) };
}

/** Tokens of an answer up to where it has said what was asked for: what a model goes on to say is another matter. */
function realAnswer({ text, tokens, ends }: Written, says: Comparison["says"]): readonly number[] | null {
  if (says === null) return tokens;
  if (!says(text)) return null;
  const last = ends.findIndex((end) => says(text.slice(0, end)));
  return last < 0 ? tokens : tokens.slice(0, last + 1);
}
