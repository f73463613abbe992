import { selectTop } from "../select.ts";
import { lastRows, type ScoredPolicy, windowPoolKernel, windowRows } from "./policy.ts";

/**
 * LAQ, Lookahead Q-Cache (arXiv 2505.20334): a draft of the answer is written from the cache that snapkv keeps at the same budget, and
 * the draft's rows score the full one together with the window's. Draft of at most 32 tokens, greedy, window of 32, max-pool 7: the
 * LookaheadKV paper's settings (its appendix F).
 * Otherwise than in the authors' repository the draft's queries are computed on the full cache, not remembered from the kept one, and the
 * window is 32 rows in both stages, where LAQ++ takes its last 8 in the second: those 32 are summed up while the prompt is read, others
 * would have to be decoded again. The draft begins with the answer's own first token, which the full cache has given by then.
 */
export const laq: ScoredPolicy = {
  name: "laq",
  rows: { ofPrompt: lastRows(windowRows), keepsThem: true, behind: "own-draft" },
  poolKernel: windowPoolKernel,
  select: (scores, { budget, protectedTokens, poolKernel, share }) => selectTop(scores, budget, protectedTokens, poolKernel, share),
};
