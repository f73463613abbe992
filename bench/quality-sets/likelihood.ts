import type { ModelContext } from "../../electron/engine/llama/context.ts";

/**
 * Mean natural logarithm of the probabilities that a cache gives to the tokens of an answer, each behind those before it; the first one is
 * taken for granted, since every cache gets it from the full one. The tokens but the last are in the cache afterwards.
 * @param position of the first token
 * @returns null for fewer than two tokens
 */
export async function meanLogLikelihood(context: ModelContext, tokens: readonly number[], position: number): Promise<number | null> {
  if (tokens.length < 2) return null;
  let sum = 0;
  for (const [index, token] of tokens.slice(0, -1).entries()) {
    await context.decode(Uint32Array.of(token), position + index, true);
    sum += logProbability(context.logits(), tokens[index + 1] ?? 0);
  }
  return sum / (tokens.length - 1);
}

/** Natural logarithm of a token's probability: its logit less the logarithm of the sum of all exponentials, taken around the greatest. */
export function logProbability(logits: Float32Array, token: number): number {
  const greatest = logits.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - greatest), 0);
  return (logits[token] ?? Number.NaN) - greatest - Math.log(sum);
}
