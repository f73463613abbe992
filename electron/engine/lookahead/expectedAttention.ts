import type { Scores, Shape } from "./scores.ts";

/**
 * What queries to come can be expected to pay to each token of a prompt, for the layers that hold every position. `logits`, f32 `[layer][query
 * head][token]`: logarithms of the expected weights before softmax; query heads that share a KV head follow each other, `groups` of them.
 * `norms`, f32 `[layer][KV head][token]`: lengths of the values.
 */
export type ExpectedAttention = Shape & { readonly groups: number; readonly logits: Float32Array; readonly norms: Float32Array };

/**
 * Scores by expected attention, as kvpress has them (its ε is 0): softmax over the tokens, mean over the head group, times the length of the
 * value. The first tokens take no part in the softmax and have their row's greatest score. Each row is divided by its sum, which
 * changes no order in it, so that it can be shown beside attention.
 * @param first how many tokens these are
 * @throws RangeError where there are other numbers than the shape says: a mistake in the program
 */
export function expectedScores(expected: ExpectedAttention, first: number): Scores {
  const { layers, heads, tokens, groups, logits, norms } = expected;
  const rows = layers * heads;
  if (logits.length !== rows * groups * tokens || norms.length !== rows * tokens) {
    throw new RangeError(`${logits.length} logits and ${norms.length} lengths are not of ${rows} × ${groups} heads and ${tokens} tokens.`);
  }
  const values = new Float32Array(rows * tokens);
  for (let row = 0; row < rows; row++) {
    const weights = new Float64Array(tokens);
    for (let head = row * groups; head < (row + 1) * groups; head++) {
      addSoftmax(logits.subarray(head * tokens, (head + 1) * tokens), first, weights);
    }
    weighByNorms(weights, norms.subarray(row * tokens, (row + 1) * tokens), first);
    values.set(weights, row * tokens);
  }
  return { layers, heads, tokens, values };
}

/** Adds the softmax of the logits from the token `first` on. In 64 bits: the weights of a sharp head are many orders apart. */
function addSoftmax(logits: Float32Array, first: number, weights: Float64Array): void {
  let highest = Number.NEGATIVE_INFINITY;
  for (let token = first; token < logits.length; token++) highest = Math.max(highest, logits[token] ?? 0);
  let sum = 0;
  for (let token = first; token < logits.length; token++) sum += Math.exp((logits[token] ?? 0) - highest);
  for (let token = first; token < logits.length; token++) {
    weights[token] = (weights[token] ?? 0) + Math.exp((logits[token] ?? 0) - highest) / sum;
  }
}

/** Multiplies by the lengths, gives the first tokens the greatest, and divides by the sum. */
function weighByNorms(weights: Float64Array, norms: Float32Array, first: number): void {
  let greatest = 0;
  for (let token = first; token < weights.length; token++) {
    const weighed = (weights[token] ?? 0) * (norms[token] ?? 0);
    weights[token] = weighed;
    greatest = Math.max(greatest, weighed);
  }
  // Where every value is zero, or there are no other tokens, the first ones are all there is.
  weights.fill(greatest > 0 ? greatest : 1, 0, first);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (let token = 0; token < weights.length; token++) weights[token] = (weights[token] ?? 0) / sum;
}
