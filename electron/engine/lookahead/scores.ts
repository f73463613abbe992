/** What is scored or kept: tokens of a prompt, for each layer and KV head. */
export type Shape = { readonly layers: number; readonly heads: number; readonly tokens: number };

/**
 * Importance of each prompt token, f32 `[layer][KV head][token]`: mean over the query rows' and head group's attention probabilities.
 * A score is at least 0; a NaN or a negative number counts as less than any score.
 */
export type Scores = Shape & { readonly values: Float32Array };

/**
 * Kept tokens, layer after layer and in each head after head, each head's ascending. `budgets` has one number for each layer: the tokens
 * that every head of it keeps, never more than there are. They are even for most policies (see kept.ts).
 */
export type KeptTokens = Shape & { readonly budgets: Uint32Array; readonly indices: Uint32Array };

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
  return meanOfRows(values, 0, rows, tokens);
}

/**
 * One score for each token and layer, the mean over its heads, f32 `[layer][1][token]`; what is not a score counts as 0, and a token
 * without any is NaN.
 */
export function layerScores(scores: Scores): Scores {
  checkScores(scores);
  const { layers, heads, tokens, values } = scores;
  const means = new Float32Array(layers * tokens);
  for (let layer = 0; layer < layers; layer++) {
    const from = layer * heads * tokens;
    const ofLayer = meanOfRows(values, from, heads, tokens);
    for (let token = 0; token < tokens; token++) {
      if ((ofLayer[token] ?? 0) === 0 && !hasScore(values, from + token, heads, tokens)) ofLayer[token] = Number.NaN;
    }
    means.set(ofLayer, layer * tokens);
  }
  return { layers, heads: 1, tokens, values: means };
}

/**
 * Scores by the rows of both: the mean over all of them, as if they had been summed up together.
 * @param rows how many query rows each is the mean of, in the same order; at least 1 in all
 * @throws RangeError for scores of different shapes
 */
export function joinScores([one, other]: readonly [Scores, Scores], rows: readonly [number, number]): Scores {
  const { layers, heads, tokens } = one;
  if (layers !== other.layers || heads !== other.heads || tokens !== other.tokens)
    throw new RangeError("The scores are of different shapes.");
  checkScores(one);
  checkScores(other);
  const [ofOne, ofOther] = rows;
  const all = ofOne + ofOther;
  const values = one.values.map((value, index) => (ofOne * value + ofOther * (other.values[index] ?? 0)) / all);
  return { layers, heads, tokens, values };
}

function meanOfRows(values: Float32Array, from: number, rows: number, tokens: number): Float32Array {
  const sums = new Float64Array(tokens);
  for (let row = 0; row < rows; row++) {
    for (let token = 0; token < tokens; token++) {
      const value = values[from + row * tokens + token] ?? 0;
      if (value > 0) sums[token] = (sums[token] ?? 0) + value;
    }
  }
  return Float32Array.from(sums, (sum) => sum / rows);
}

/** Whether any of `rows` values, `step` apart, is a score. */
function hasScore(values: Float32Array, from: number, rows: number, step: number): boolean {
  for (let row = 0; row < rows; row++) if ((values[from + row * step] ?? -1) >= 0) return true;
  return false;
}
