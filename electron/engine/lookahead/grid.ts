import { checkScores, type KeptTokens, type Scores } from "./scores.ts";

/** What each layer and KV head makes of a prompt, `[layers × heads]`, layer after layer, each 0 … 1. */
export type Grid = {
  /** Tokens that are kept, of all. */
  readonly keptShare: Float32Array;
  /** The kept tokens' part of all scores: how much of the attention is kept. 1 where there are no scores. */
  readonly keptAttention: Float32Array;
  /** Shannon entropy of the scores by that of even ones: 0 where one token has all of the attention, 1 where all have the same. */
  readonly spread: Float32Array;
};

/** @throws RangeError where what is kept is not of the scores' shape */
export function gridOf(scores: Scores, kept: KeptTokens): Grid {
  checkScores(scores);
  const { layers, heads, tokens, values } = scores;
  if (kept.layers !== layers || kept.heads !== heads || kept.tokens !== tokens)
    throw new RangeError("Scores and kept tokens are of different shapes.");
  const rows = layers * heads;
  const grid = { keptShare: new Float32Array(rows), keptAttention: new Float32Array(rows), spread: new Float32Array(rows) };
  let at = 0;
  for (let row = 0; row < rows; row++) {
    const own = values.subarray(row * tokens, (row + 1) * tokens);
    const budget = kept.budgets[Math.floor(row / heads)] ?? 0;
    const { sum, entropy } = entropyOf(own);
    let keptSum = 0;
    for (const token of kept.indices.subarray(at, at + budget)) keptSum += scoreAt(own, token);
    at += budget;
    grid.keptShare[row] = tokens === 0 ? 1 : budget / tokens;
    grid.keptAttention[row] = sum === 0 ? 1 : Math.min(1, keptSum / sum);
    grid.spread[row] = tokens < 2 ? 0 : entropy / Math.log(tokens);
  }
  return grid;
}

/** One layer and KV head's own scores, and which tokens it keeps (1) or not (0). */
export function layerHeadOf(
  scores: Scores,
  kept: KeptTokens,
  { layer, head }: { readonly layer: number; readonly head: number },
): { scores: Float32Array; kept: Uint16Array } {
  const { heads, tokens, values } = scores;
  const row = layer * heads + head;
  const budgetOf = (other: number) => kept.budgets[Math.floor(other / heads)] ?? 0;
  let at = 0;
  for (let other = 0; other < row; other++) at += budgetOf(other);
  const marks = new Uint16Array(tokens);
  for (const token of kept.indices.subarray(at, at + budgetOf(row))) marks[token] = 1;
  const own = values.subarray(row * tokens, (row + 1) * tokens);
  return { scores: own.map((_, token) => scoreAt(own, token)), kept: marks };
}

function entropyOf(values: Float32Array): { readonly sum: number; readonly entropy: number } {
  let sum = 0;
  let weighted = 0;
  for (let token = 0; token < values.length; token++) {
    const value = scoreAt(values, token);
    if (value === 0) continue;
    sum += value;
    weighted += value * Math.log(value);
  }
  // −Σ p ln p with p = value ÷ sum.
  return { sum, entropy: sum === 0 ? 0 : Math.max(0, Math.log(sum) - weighted / sum) };
}

/** What is not a score counts as 0. */
function scoreAt(values: Float32Array, token: number): number {
  const value = values[token] ?? 0;
  return Number.isNaN(value) || value < 0 ? 0 : value;
}
