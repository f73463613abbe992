/** What is scored or kept: tokens of a prompt, for each layer and KV head. */
export type Shape = { readonly layers: number; readonly heads: number; readonly tokens: number };

/**
 * Importance of each prompt token, f32 `[layer][KV head][token]`: mean over the query rows' and head group's attention probabilities.
 * A score is at least 0; a NaN or a negative number counts as less than any score.
 */
export type Scores = Shape & { readonly values: Float32Array };

/**
 * Kept tokens, ascending, `[layer][KV head][budget]`. `budget` is what each row holds: never more than there are tokens.
 * `budgets`: what the rows of each layer hold, where that differs by layer; `budget` is the largest of them then.
 */
export type KeptTokens = Shape & { readonly budget: number; readonly budgets?: Uint32Array | undefined; readonly indices: Uint32Array };

/** @throws RangeError where the values are not as many as the shape says */
export function checkScores({ layers, heads, tokens, values }: Scores): void {
  const expected = layers * heads * tokens;
  if (values.length === expected) return;
  throw new RangeError(`${layers} layers, ${heads} heads and ${tokens} tokens have ${expected} scores, not ${values.length}.`);
}

/** Mean score of each token over all layers and heads; what is not a score counts as 0. */
export function meanScores(scores: Scores): Float32Array {
  checkScores(scores);
  const { tokens, values } = scores;
  const rows = scores.layers * scores.heads;
  const sums = new Float64Array(tokens);
  for (let row = 0; row < rows; row++) {
    for (let token = 0; token < tokens; token++) {
      const value = values[row * tokens + token] ?? 0;
      if (value > 0) sums[token] = (sums[token] ?? 0) + value;
    }
  }
  return Float32Array.from(sums, (sum) => sum / rows);
}
