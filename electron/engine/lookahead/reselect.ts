import type { HeldTokens } from "./held.ts";
import { mostHeld } from "./held.ts";
import type { PolicyName } from "./policies/policy.ts";
import { policyOf } from "./policies/table.ts";
import { maxPool } from "./pool.ts";
import { defaultSinks, type TokenRange } from "./protect.ts";
import type { KeptTokens, Scores } from "./scores.ts";
import { selectTop } from "./select.ts";
import type { DocumentShares, HeadShares } from "./shares.ts";
import { randomOf } from "./xoshiro.ts";

/** Rows that score when an answer has filled a kept cache: its last tokens, as many as snapkv's window has. */
export const recentRows = 32;

export type Reselection = {
  readonly policy: PolicyName;
  /** Tokens that each layer keeps from now on. */
  readonly budgets: Uint32Array;
  /** Always kept as far as they are held, by position. */
  readonly protectedRanges: readonly TokenRange[];
  readonly poolKernel: number;
  /** How many rows the scores are the mean of. */
  readonly rows: number;
  readonly seed: number;
  /** Between documents, by position; left out, by score. */
  readonly share?: DocumentShares | undefined;
};

/**
 * Chooses again among what a kept cache holds, by its policy's own rule. Two things differ from the first choice: pooling and what is recent
 * go by the order of what is left, and budgets that differ by layer stay what they were, since the cache's cells are made for them.
 * @param scores in the cache's own counting, of as many tokens as the fullest layer holds; null for a policy without
 * @returns in the same counting
 */
export function reselect(held: HeldTokens, scores: Scores | null, choice: Reselection): KeptTokens {
  const { layers, heads } = held;
  const tokens = mostHeld(held);
  let mostProtected = 0;
  const values = scores === null ? placeScores(held, tokens, choice) : maxPool(scores, choice.poolKernel).values.slice();
  held.rows.forEach((row, index) => {
    const missing = tokens - row.length;
    // What a layer does not hold cannot be kept; pooling may have lent it a neighbour's score.
    values.fill(Number.NaN, index * tokens, index * tokens + missing);
    let count = 0;
    row.forEach((position, place) => {
      if (!choice.protectedRanges.some(({ start, end }) => position >= start && position < end)) return;
      values[index * tokens + missing + place] = Number.POSITIVE_INFINITY;
      count += 1;
    });
    mostProtected = Math.max(mostProtected, count);
  });
  const marked = { layers, heads, tokens, values };
  const policy = policyOf(choice.policy);
  const share = choice.share === undefined ? undefined : sharesOf(held, choice.share);
  const [budget = 0] = choice.budgets;
  // A policy's own recent tokens (nacl's twentieth, h2o's half) must not take the place of what is protected.
  const isCrowded = 10 * mostProtected > (policy.name === "h2o" ? 5 : 9) * budget;
  if (policy.rows === null || isCrowded || policy.name === "pyramidkv" || choice.budgets.some((own) => own !== budget))
    return selectTop(marked, choice.budgets, new Uint32Array(0), 1, share);
  const { seed, rows } = choice;
  const chosen = { seed, budget, protectedTokens: new Uint32Array(0), promptRows: rows, poolKernel: 1 };
  return policy.select(marked, share === undefined ? chosen : { ...chosen, share });
}

/** Where each head has what it holds of the documents. */
function sharesOf(held: HeldTokens, { rule, documents }: DocumentShares): HeadShares {
  const tokens = mostHeld(held);
  return {
    rule,
    documentsOf(layer, head) {
      const row = held.rows[layer * held.heads + head] ?? new Uint32Array(0);
      const placeOf = (position: number) => {
        const place = row.findIndex((own) => own >= position);
        return tokens - row.length + (place < 0 ? row.length : place);
      };
      return documents.map(({ start, end }) => ({ start: placeOf(start), end: placeOf(end) }));
    },
  };
}

/** What stands for scores where a policy has none: chance, or the later the better. */
function placeScores({ layers, heads }: HeldTokens, tokens: number, { policy, seed }: Reselection): Float32Array {
  const values = new Float32Array(layers * heads * tokens);
  for (let row = 0; row < layers * heads; row++) {
    const random = policy === "random" ? randomOf(seed, Math.floor(row / heads), row % heads) : null;
    for (let token = 0; token < tokens; token++) values[row * tokens + token] = random === null ? token : random() / 2 ** 32;
  }
  return values;
}

/**
 * What is kept besides pinned passages when an answer has filled its cache: the first tokens, the latest ones, and of the question with the
 * template's tail as much as has room, its end first. At most three quarters of what the pins leave of the budget and the first tokens, so
 * that there is something to choose.
 * @param text.questionStart first token of the question, up to which nothing is always kept
 * @param text.promptTokens where the answer begins
 * @param text.end where it has got to
 */
export function answerProtection(
  { questionStart, promptTokens, end }: { readonly questionStart: number; readonly promptTokens: number; readonly end: number },
  budget: number,
  pinnedTokens = 0,
): TokenRange[] {
  const free = Math.max(0, budget - pinnedTokens);
  const recent = Math.min(recentRows, Math.floor(free / 4), end);
  const question = Math.min(promptTokens - questionStart, Math.floor(free / 2));
  return [
    { start: 0, end: Math.min(defaultSinks, budget) },
    { start: promptTokens - question, end: promptTokens },
    { start: end - recent, end },
  ];
}
