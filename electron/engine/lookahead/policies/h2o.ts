import type { KeptTokens, Scores } from "../scores.ts";
import { selectTop } from "../select.ts";
import type { Choice, ScoredPolicy } from "./policy.ts";
import { withRecent } from "./recent.ts";

/** Of the budget; the original's cache is as large for the recent tokens as for the heavy hitters. */
const recentShare = 1 / 2;

/**
 * H2O (arXiv 2306.14048): heavy hitters, by the attention that all rows of the prompt paid them. The scores are plain column sums, as in
 * the original (divided by the number of rows, which changes no order), and not by the number of rows that can see a token, as kvpress
 * has it: so early tokens, which more rows see, are favoured. No pooling. Half of the budget is for the most recent tokens, protected ones
 * among them, half for heavy hitters.
 * The original evicts at every step; this does it once, for the prompt (so does KVCache-Factory, with a fixed window for the recent part).
 * All of the prompt is read anew and scored beside flash attention: by far the dearest policy.
 */
export const h2o: ScoredPolicy = {
  name: "h2o",
  rows: { ofPrompt: (promptTokens) => promptTokens, keepsThem: false, behind: null },
  poolKernel: 1,
  select: selectHeavy,
};

function selectHeavy(scores: Scores, { budget, protectedTokens, poolKernel, share }: Choice): KeptTokens {
  const kept = withRecent(protectedTokens, scores.tokens, Math.floor(budget * recentShare), budget);
  return selectTop(scores, budget, kept, poolKernel, share);
}
