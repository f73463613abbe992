import { evenBudgets } from "./kept.ts";
import { createRowPool } from "./pool.ts";
import { alwaysKept } from "./scoreKeys.ts";
import { checkScores, type KeptTokens, type Scores, type Shape } from "./scores.ts";
import { createShareOut, type Shares } from "./shares.ts";
import { createTopKeys } from "./topKeys.ts";

/** Tokens kept per layer and KV head, protected ones included, at least 1: the same for all layers, or one number for each. */
export type Budgets = number | Uint32Array;

/**
 * The best tokens of each layer and KV head, as many as its budget says: protected tokens first, then by pooled score, and of equal
 * scores the earlier token. Budgets nest. A budget of all tokens or more keeps all of them.
 * @param protectedTokens ascending, at most as many as the least budget (see protect.ts)
 * @param poolKernel width of the max-pooling, in tokens, done row by row on the way; 1 for scores that are pooled or not to be
 * @param share between documents (see shares.ts); left out, all tokens compete with each other
 * @throws RangeError where an argument is not as said: a mistake in the program
 */
export function selectTop(
  scores: Scores,
  budgets: Budgets,
  protectedTokens: Uint32Array,
  poolKernel = 1,
  share: Shares | undefined = undefined,
): KeptTokens {
  checkScores(scores);
  const rowPool = createRowPool(scores.tokens, poolKernel);
  const keysOf = (_layer: number, _head: number, row: number) => {
    rowPool.pool(scores.values, row * scores.tokens);
    return rowPool.keys;
  };
  return selectRows(scores, budgets, protectedTokens, keysOf, share);
}

/**
 * The same, for any keys in place of scores: what every policy shares.
 * @param keysOf the keys of a row, each -1 or more, at least as many as there are tokens; they are changed here
 */
export function selectRows(
  shape: Shape,
  wanted: Budgets,
  protectedTokens: Uint32Array,
  keysOf: (layer: number, head: number, row: number) => Int32Array,
  share: Shares | undefined = undefined,
): KeptTokens {
  const { layers, heads, tokens } = shape;
  checkProtected(shape, protectedTokens);
  const budgets = checkedBudgets(shape, wanted, protectedTokens.length);
  if (budgets.every((budget) => budget === tokens)) return keepAll(shape);
  const indices = new Uint32Array(heads * budgets.reduce((sum, budget) => sum + budget, 0));
  const topKeys = createTopKeys(tokens);
  const shareOut = share === undefined ? null : createShareOut(share);
  let at = 0;
  for (let layer = 0; layer < layers; layer++) {
    const budget = budgets[layer] ?? 0;
    for (let head = 0; head < heads; head++) {
      const keys = keysOf(layer, head, layer * heads + head);
      for (const token of protectedTokens) keys[token] = alwaysKept;
      topKeys.pick(keys, budget, indices, at);
      shareOut?.divide(layer, head, keys, indices.subarray(at, at + budget));
      at += budget;
    }
  }
  return { layers, heads, tokens, budgets, indices };
}

/** Every token, for each layer and KV head. */
export function keepAll({ layers, heads, tokens }: Shape): KeptTokens {
  const indices = new Uint32Array(layers * heads * tokens);
  for (let token = 0; token < tokens; token++) indices[token] = token;
  for (let row = 1; row < layers * heads; row++) indices.copyWithin(row * tokens, 0, tokens);
  return { layers, heads, tokens, budgets: evenBudgets({ layers }, tokens), indices };
}

/**
 * Everything that a cache holds, to move it into a larger one.
 * @param shape `layerTokens`: how many of the tokens each layer holds, which are the last ones
 */
export function keepHeld(shape: Shape & { readonly layerTokens: Uint32Array }): KeptTokens {
  const { layers, heads, tokens, layerTokens } = shape;
  if (layerTokens.every((held) => held === tokens)) return keepAll(shape);
  const indices = new Uint32Array(heads * layerTokens.reduce((sum, held) => sum + held, 0));
  let at = 0;
  for (const held of layerTokens) {
    for (let head = 0; head < heads; head++) {
      for (let token = tokens - held; token < tokens; token++) indices[at++] = token;
    }
  }
  return { layers, heads, tokens, budgets: layerTokens, indices };
}

/** For each layer, at most as many as there are tokens. */
function checkedBudgets(shape: Shape, wanted: Budgets, protectedCount: number): Uint32Array {
  const { layers, tokens } = shape;
  // A number is looked at before it is put among whole ones, which would cut it.
  const budgets = typeof wanted === "number" ? [wanted] : [...wanted];
  if (typeof wanted !== "number" && wanted.length !== layers) {
    throw new RangeError(`${layers} layers have as many budgets, not ${wanted.length}.`);
  }
  for (const budget of budgets) {
    if (!Number.isSafeInteger(budget) || budget < 1) throw new RangeError(`A budget is a whole number of tokens from 1 on, not ${budget}.`);
    if (protectedCount > budget) throw new RangeError(`${protectedCount} protected tokens do not go into a budget of ${budget}.`);
  }
  const [first = tokens] = budgets;
  if (typeof wanted === "number") return evenBudgets(shape, Math.min(first, tokens));
  return Uint32Array.from(budgets, (budget) => Math.min(budget, tokens));
}

function checkProtected({ tokens }: Shape, protectedTokens: Uint32Array): void {
  let previous = -1;
  for (const token of protectedTokens) {
    if (token <= previous || token >= tokens) throw new RangeError(`Protected tokens are not ascending and within ${tokens} tokens.`);
    previous = token;
  }
}
