import { selectTop } from "../select.ts";
import { type ScoredPolicy, windowPoolKernel } from "./policy.ts";

/**
 * LookaheadKV (arXiv 2603.10899): learned rows with a LoRA of their own, decoded once behind the prompt, look at what the answer will
 * look at. Mean over rows and head group, max-pool, the best of each layer and KV head. The module's file sets the number of rows (32 in
 * the paper) and the pool's width; what is written here stands in where a file says nothing.
 */
export const lookahead: ScoredPolicy = {
  name: "lookahead",
  rows: { ofPrompt: () => 0, keepsThem: false, behind: "module" },
  poolKernel: windowPoolKernel,
  select: (scores, { budget, protectedTokens, poolKernel, share }) => selectTop(scores, budget, protectedTokens, poolKernel, share),
};
