import { selectTop } from "../select.ts";
import { lastRows, type ScoredPolicy, windowPoolKernel, windowRows } from "./policy.ts";

/**
 * SpecKV (Draft-based Approximate Inference, arXiv 2506.08373): a smaller model drafts the answer, and the draft's rows score the full
 * cache together with the prompt's last 32. Draft of at most 32 tokens, greedy, max-pool 7: the LookaheadKV paper's settings (its appendix F).
 * Otherwise than in the authors' repository the score is the mean over rows and head group, not their maximum: our one primitive sums. The
 * sparse reading of the prompt that comes with SpecKV is left out. The draft is passed on as text and read in the answering model's own
 * tokens, so that the two may have different tokenizers.
 */
export const speckv: ScoredPolicy = {
  name: "speckv",
  rows: { ofPrompt: lastRows(windowRows), keepsThem: true, behind: "draft-model" },
  poolKernel: windowPoolKernel,
  select: (scores, { budget, protectedTokens, poolKernel, share }) => selectTop(scores, budget, protectedTokens, poolKernel, share),
};
