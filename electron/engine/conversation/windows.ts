import { commonPrefix, gridTokens, nextStepEnd } from "./prefill.ts";

/**
 * Tokens that are read between two evictions in mode `streaming`, at most: one batch of llama.cpp. The rows that score stand behind them for a
 * moment, so that a window is a little less and the cells are never more than this and the budget.
 */
export const windowTokens = 512;

/** Most tokens of what is still to come that stand in view while a window is scored: the end of them. */
export const viewTokens = 160;

/** Room that an answer has at first, and by which it grows: an answer is seldom as long as it may be. */
export const answerCells = 256;

/**
 * Tokens that a kept cache takes besides its budget before it evicts again: as many as the budget, and no fewer than an answer usually has.
 * So a kept cache is at most twice the budget, or 256 cells more.
 */
export function roomFor(budget: number): number {
  return Math.max(answerCells, budget);
}

/**
 * End of the next step of a reading that goes on behind what was kept, or null where tokens must be evicted first. Which of them it is
 * depends on places alone, never on how fast the machine is: so the same tokens are evicted at the same place each time.
 * @param step.from first token of the step
 * @param step.base where the grid begins: the place of the last eviction
 * @param step.end of what is to be read
 * @param step.room free cells, without those that scoring needs
 * @param step.stepTokens most tokens of a step, a multiple of the grid
 */
export function nextWindowStep(step: {
  readonly from: number;
  readonly base: number;
  readonly end: number;
  readonly room: number;
  readonly stepTokens: number;
}): number | null {
  const { from, base, end, room, stepTokens } = step;
  const endOf = (most: number) => base + nextStepEnd(from - base, end - base, most);
  if (endOf(gridTokens) - from > room) return null;
  for (let most = stepTokens; most > gridTokens; most -= gridTokens) {
    if (endOf(most) - from <= room) return endOf(most);
  }
  return endOf(gridTokens);
}

/**
 * How much of what was read before serves a prompt, or null where it does not: what was evicted cannot be given back, so that at least all up
 * to the last eviction has to be the same.
 * @param read tokens that were read, from position 0 on
 * @param base the place of the last eviction
 * @returns a place on the grid that begins at `base`, before the prompt's last token, whose logits are needed
 */
export function reusableBehind(read: readonly number[], base: number, prompt: ArrayLike<number>): number | null {
  const equal = Math.min(commonPrefix(read, prompt), prompt.length - 1);
  return equal < base ? null : base + Math.floor((equal - base) / gridTokens) * gridTokens;
}

/** What of a prompt stands in view while the tokens before `at` are scored: the end of what is to come, from the question on. */
export function viewFrom(prompt: Uint32Array, at: number, questionStart: number): Uint32Array {
  return prompt.subarray(Math.max(at, questionStart, prompt.length - viewTokens));
}
