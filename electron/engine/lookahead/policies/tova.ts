import { type KeptTokens, layerScores, type Scores } from "../scores.ts";
import { selectTop } from "../select.ts";
import { type Choice, lastRows, type ScoredPolicy } from "./policy.ts";

/**
 * TOVA (arXiv 2401.06104): what the last token looks at, the mean over all heads of a layer, so that all of them keep the same tokens. No
 * pooling. The last token is always kept, as in kvpress; like every policy here it keeps the protected tokens too, which the original
 * does not know. The original chooses again at every step, this once, for the prompt.
 */
export const tova: ScoredPolicy = {
  name: "tova",
  rows: { ofPrompt: lastRows(1), keepsThem: true, behind: null },
  poolKernel: 1,
  select: selectShared,
};

function selectShared(scores: Scores, { budget, protectedTokens, poolKernel, share }: Choice): KeptTokens {
  const { layers, heads, tokens } = scores;
  const { budgets, indices: ofLayers } = selectTop(layerScores(scores), budget, protectedTokens, poolKernel, share);
  const indices = new Uint32Array(heads * ofLayers.length);
  let from = 0;
  for (const own of budgets) {
    for (let head = 0; head < heads; head++) indices.set(ofLayers.subarray(from, from + own), heads * from + head * own);
    from += own;
  }
  return { layers, heads, tokens, budgets, indices };
}
