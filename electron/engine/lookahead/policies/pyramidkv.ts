import { evenBudgets } from "../kept.ts";
import type { Shape } from "../scores.ts";
import { selectTop } from "../select.ts";
import { lastRows, type ScoredPolicy, windowPoolKernel, windowRows } from "./policy.ts";

/** β: the last layer keeps the even budget divided by this, where the prompt is long enough. */
const steepness = 20;

/**
 * PyramidKV (arXiv 2406.02069; KVCache-Factory): snapkv's scores, and budgets that fall from the first layer to the last, β = 20. All
 * protected tokens stand outside the pyramid, as the window of 32 does in the original.
 */
export const pyramidkv: ScoredPolicy = {
  name: "pyramidkv",
  rows: { ofPrompt: lastRows(windowRows), keepsThem: true, behind: null },
  poolKernel: windowPoolKernel,
  select: (scores, { budget, protectedTokens, poolKernel, share }) =>
    selectTop(scores, pyramidBudgets(scores, budget, protectedTokens.length), protectedTokens, poolKernel, share),
};

/**
 * Tokens kept by each layer, the first one first. With `base` the budget without what is protected, they fall in a line from 2·base − min to
 * min = base / β; where the prompt is shorter than that, from all that there is, and the last layer gets the more. A prompt of less than
 * twice the base, protected tokens counted, gets even budgets.
 *
 * The sum is that of even budgets to the token. The original rounds its step down, which lets the sum grow: here each layer's
 * distance from `base` is cut towards 0, and as the line is symmetric about its middle, what one layer gets is what another gives. No
 * layer is left without a token.
 * @param budget tokens per layer and KV head on average, protected ones included
 */
export function pyramidBudgets({ layers, tokens }: Pick<Shape, "layers" | "tokens">, budget: number, protectedCount: number): Uint32Array {
  const base = budget - protectedCount;
  if (budget >= tokens || tokens < 2 * base || layers < 2) return evenBudgets({ layers }, budget);
  const least = Math.max(Math.floor(base / steepness), 1 - protectedCount);
  const most = Math.min(2 * base - least, tokens - protectedCount);
  // (layers − 1) times the distance of the first layer: whole numbers, so that nothing is rounded but the quotient.
  return Uint32Array.from({ length: layers }, (_, layer) => {
    const distance = ((most - base) * (layers - 1 - 2 * layer)) / (layers - 1);
    return budget + Math.trunc(distance);
  });
}
