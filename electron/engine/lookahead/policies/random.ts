import type { KeptTokens, Shape } from "../scores.ts";
import { selectRows } from "../select.ts";
import type { Shares } from "../shares.ts";
import { randomOf } from "../xoshiro.ts";
import type { UnscoredPolicy } from "./policy.ts";

/** Tokens drawn by chance: the floor that every other policy is to be above. Seeded. */
export const random: UnscoredPolicy = {
  name: "random",
  rows: null,
  select: (shape, { budget, protectedTokens, seed, share }) => selectRandom(shape, budget, protectedTokens, seed, share),
};

/**
 * Protected tokens, then any, drawn for each layer and KV head. Budgets nest, and a longer prompt draws the same for its first tokens.
 * Arguments and errors as for `selectTop`.
 * @param seed a whole number of 32 bits; the same one draws the same tokens
 */
export function selectRandom(shape: Shape, budget: number, protectedTokens: Uint32Array, seed: number, share?: Shares): KeptTokens {
  const keys = new Int32Array(shape.tokens);
  const keysOf = (layer: number, head: number) => {
    const next = randomOf(seed, layer, head);
    // 30 bits: the greatest key of 31 is for protected tokens.
    for (let token = 0; token < keys.length; token++) keys[token] = next() >>> 2;
    return keys;
  };
  return selectRows(shape, budget, protectedTokens, keysOf, share);
}
