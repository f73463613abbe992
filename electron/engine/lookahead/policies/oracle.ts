import { selectTop } from "../select.ts";
import { type ScoredPolicy, windowPoolKernel } from "./policy.ts";

/**
 * By the attention of the real answer, the truth of the LookaheadKV paper (its equation 1): what no prediction can know, and the bound for
 * all. For benches, which have the full cache's answer; nobody can ask for it. Max-pool 7 as the others have it.
 */
export const oracle: ScoredPolicy = {
  name: "oracle",
  rows: { ofPrompt: () => 0, keepsThem: false, behind: "answer" },
  poolKernel: windowPoolKernel,
  select: (scores, { budget, protectedTokens, poolKernel, share }) => selectTop(scores, budget, protectedTokens, poolKernel, share),
};
