import { alwaysKept, noScore } from "../scoreKeys.ts";
import type { KeptTokens, Scores } from "../scores.ts";
import { selectRows, selectTop } from "../select.ts";
import { type RandomNumbers, randomOf } from "../xoshiro.ts";
import type { Choice, ScoredPolicy } from "./policy.ts";
import { withRecent } from "./recent.ts";

/** Rows that score: this share of the prompt, its end. */
const proxyShare = 1 / 100;
/** What the original keeps, in percent of the prompt: first and recent tokens, the best ones, some by chance. */
const parts = { protected: 1, best: 12, chance: 7 } as const;
const whole = parts.protected + parts.best + parts.chance;

/**
 * NACL (ACL 2024, arXiv 2408.03675): the last 1 % of the prompt are proxies for the question; the best by their attention are kept, and of
 * the others some drawn by chance, with probability by the softmax of their scores, so that one bias does not decide alone. No pooling.
 * The original keeps 20 % of the prompt: 1 % first and recent tokens, 12 % best, 7 % by chance. Here a budget is divided in the same
 * proportion, 1 : 12 : 7. Protected tokens are mostly more than a twentieth; the others share what is left, 12 : 7. The softmax is over
 * sums of the proxies' rows, as in the authors' code. Seeded.
 */
export const nacl: ScoredPolicy = {
  name: "nacl",
  rows: { ofPrompt: (promptTokens) => Math.min(promptTokens, Math.ceil(promptTokens * proxyShare)), keepsThem: false, behind: null },
  poolKernel: 1,
  select: selectBestAndChance,
};

function selectBestAndChance(scores: Scores, { budget, protectedTokens, promptRows, poolKernel, seed, share }: Choice): KeptTokens {
  const { tokens, values } = scores;
  const always = withRecent(protectedTokens, tokens, Math.floor((budget * parts.protected) / whole), budget);
  const best = Math.round(((budget - always.length) * parts.best) / (parts.best + parts.chance));
  // Budgets are even here, so that a row of the best begins at a multiple of its length.
  const first = selectTop(scores, always.length + best, always, poolKernel, share);
  const length = first.budgets[0] ?? 0;
  const keys = new Int32Array(tokens);
  const keysOf = (layer: number, head: number, row: number) => {
    const random = randomOf(seed, layer, head);
    for (let token = 0; token < tokens; token++) keys[token] = drawKey(promptRows * (values[row * tokens + token] ?? 0), random);
    for (const token of first.indices.subarray(row * length, (row + 1) * length)) keys[token] = alwaysKept;
    return keys;
  };
  return selectRows(scores, budget, always, keysOf, share);
}

/**
 * A key by which the greatest ones are a draw without replacement, each with probability by the softmax of the scores: score plus Gumbel
 * noise (Gumbel-max). 0 … below {@link alwaysKept}; what is no score is {@link noScore}, and drawn only where nothing else is left.
 */
function drawKey(score: number, random: RandomNumbers): number {
  // Drawn in any case, so that one token's score changes nothing of another's noise.
  const uniform = (random() + 0.5) / 2 ** 32;
  if (!(score >= 0)) return noScore;
  const noisy = score - Math.log(-Math.log(uniform));
  const bits = bitsOf(noisy);
  // Floats in order as integers: those below 0 count backwards. Halved and moved up, the last bit lost, they are 0 or more.
  return ((bits >= 0 ? bits : bits ^ 0x7fff_ffff) >> 1) + 0x4000_0000;
}

const float = new Float32Array(1);
const integer = new Int32Array(float.buffer);

function bitsOf(value: number): number {
  float[0] = value;
  return integer[0] ?? 0;
}
