import { selectTop } from "../select.ts";
import { lastRows, type ScoredPolicy, windowPoolKernel, windowRows } from "./policy.ts";

/**
 * SnapKV (arXiv 2404.14469): what the prompt's last rows look at. Window of 32, which is always kept, and max-pool 7, as the LookaheadKV
 * paper runs it. The original chooses for each query head; here, as in kvpress, the mean of a head group chooses for its KV head, which is
 * what saves memory.
 */
export const snapkv: ScoredPolicy = {
  name: "snapkv",
  rows: { ofPrompt: lastRows(windowRows), keepsThem: true, behind: null },
  poolKernel: windowPoolKernel,
  select: (scores, { budget, protectedTokens, poolKernel, share }) => selectTop(scores, budget, protectedTokens, poolKernel, share),
};
