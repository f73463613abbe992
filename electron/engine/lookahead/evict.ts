import type { ModelContext } from "../llama/context.ts";
import type { EvictionPlan } from "./plan.ts";
import { selectRandom, selectStreaming } from "./policies.ts";
import type { KeptTokens, Scores } from "./scores.ts";
import { selectTop } from "./select.ts";

/** Switches on what has to be scored while the prompt is read; to be called before it is. */
export function beforePrefill(context: ModelContext, plan: EvictionPlan): void {
  if (plan.windowRows > 0) context.startScoring("prompt", plan.promptTokens - plan.windowRows);
}

/** How many of the prompt's last tokens must be read anew, because their attention is wanted. */
export function rowsToRead(plan: EvictionPlan | null): number {
  return Math.max(1, plan?.windowRows ?? 0);
}

/** Cells that are needed beside the prompt's for scoring. */
export function probeRows(plan: EvictionPlan): number {
  return plan.lookahead?.module.tokens ?? 0;
}

/**
 * Scores the prompt that stands prefilled in the context, and leaves the cache as it was. The logits of the last token are gone
 * afterwards: sample first.
 * @returns null for a policy without scores
 * @throws LongsightError `cancelled`, `model-unsupported`, `engine-failed`
 */
export async function scorePrompt(context: ModelContext, plan: EvictionPlan): Promise<Scores | null> {
  if (plan.lookahead === null) return plan.windowRows > 0 ? context.scores(plan.promptTokens) : null;
  const { module, adapter } = plan.lookahead;
  context.setAdapter(adapter);
  try {
    context.startScoring("probe", plan.promptTokens);
    await context.decodeRows(module.embeddings, plan.promptTokens);
    return context.scores(plan.promptTokens);
  } finally {
    context.setAdapter(null);
    context.truncate(plan.promptTokens);
  }
}

/**
 * The tokens to keep, for each layer and KV head.
 * @param shape of the cache they are kept from
 * @param scores from {@link scorePrompt}
 */
export function selectKept(plan: EvictionPlan, { layers, heads }: { layers: number; heads: number }, scores: Scores | null): KeptTokens {
  const { budget, protectedTokens, poolKernel, promptTokens, seed } = plan;
  const shape = { layers, heads, tokens: promptTokens };
  if (scores !== null) return selectTop(scores, budget, protectedTokens, poolKernel);
  return plan.policy === "random" ? selectRandom(shape, budget, protectedTokens, seed) : selectStreaming(shape, budget, protectedTokens);
}
