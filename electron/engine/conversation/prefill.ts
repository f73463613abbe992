/**
 * Rows of a prompt are computed in steps whose ends lie on this grid, and the rest after the last grid line in a step of its own.
 * llama.cpp's kernels treat 64 rows as a tile: on this grid a row comes out bit for bit the same whatever the step sizes, so that an
 * answer after Stop, or with a reused prefix, equals a fresh one. Measured in test/engine/exactness.test.ts.
 */
export const gridTokens = 64;

/** The largest multiple of the grid that is not above `tokens`. */
export function onGrid(tokens: number): number {
  return Math.floor(tokens / gridTokens) * gridTokens;
}

/** Tokens at the start of both. */
export function commonPrefix(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const limit = Math.min(one.length, other.length);
  let equal = 0;
  while (equal < limit && one[equal] === other[equal]) equal++;
  return equal;
}

/**
 * Tokens at the start of `prompt` whose keys and values can be reused: equal to what was prefilled before, cut to the grid, and
 * never all, since the last token's logits are needed.
 * @param read how many of the last tokens have to be read in any case, at least 1
 * @param prefilled tokens in the cache that came there by prefill. Generated ones are read again: they were computed one by one,
 *   which rounds differently
 */
export function reusablePrefix(prefilled: readonly number[], prompt: ArrayLike<number>, read = 1): number {
  const equal = commonPrefix(prefilled, prompt);
  // A prompt whose assembly was stopped may be empty.
  return onGrid(Math.max(0, Math.min(equal, prompt.length - read)));
}

/**
 * End of the next prefill step.
 * @param from first token of the step, on the grid
 * @param length of the prompt in tokens
 * @param stepTokens most tokens of a step, a multiple of the grid
 */
export function nextStepEnd(from: number, length: number, stepTokens: number): number {
  const lastGridLine = onGrid(length);
  return from < lastGridLine ? Math.min(from + stepTokens, lastGridLine) : length;
}

/**
 * Tokens for the next step so that it takes at most about half a second: progress is seen, and Stop has little to wait for.
 * @param tokensPerSecond of the step before; null for the first
 * @param most tokens llama.cpp takes in one batch
 */
export function stepTokensFor(tokensPerSecond: number | null, most: number): number {
  if (tokensPerSecond === null) return Math.min(2 * gridTokens, most);
  return Math.max(gridTokens, Math.min(onGrid(tokensPerSecond * 0.5), most));
}
