import type { KeptTokens, Shape } from "./scores.ts";

// What is kept, in numbers.

/** In how many layer-heads each token is kept: 0 … layers × heads, which are 65,535 at most. */
export function keptCounts({ tokens, indices }: KeptTokens): Uint16Array {
  const counts = new Uint16Array(tokens);
  for (const token of indices) counts[token] = (counts[token] ?? 0) + 1;
  return counts;
}

/** Tokens kept per layer and KV head: their mean where layers keep different numbers. 0 for no layers. */
export function meanBudget({ layers, heads, indices }: KeptTokens): number {
  return layers * heads === 0 ? 0 : indices.length / (layers * heads);
}

/** Cells that a cache needs for what is kept: as many as the largest layer has tokens. */
export function largestBudget({ budgets }: KeptTokens): number {
  return budgets.reduce((largest, budget) => Math.max(largest, budget), 0);
}

/** The number that every layer keeps; null where they differ. 0 for no layers. */
export function evenBudget({ budgets }: KeptTokens): number | null {
  const [first = 0] = budgets;
  return budgets.every((budget) => budget === first) ? first : null;
}

/** The same budget for each layer. */
export function evenBudgets({ layers }: Pick<Shape, "layers">, budget: number): Uint32Array {
  return new Uint32Array(layers).fill(budget);
}
