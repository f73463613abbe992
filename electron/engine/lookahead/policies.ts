import { defaultSinks } from "./protect.ts";
import type { KeptTokens, Shape } from "./scores.ts";
import { selectRows } from "./select.ts";
import { randomOf } from "./xoshiro.ts";

/**
 * The policy `streamingllm`: protected tokens, the first ones, then the most recent, the same for every layer and KV head.
 * Budgets nest. Arguments and errors as for `selectTop`.
 */
export function selectStreaming(shape: Shape, budget: number, protectedTokens: Uint32Array, sinks = defaultSinks): KeptTokens {
  const { tokens } = shape;
  const order = Int32Array.from({ length: tokens }, (_, token) => (token < sinks ? 2 * tokens - token : token));
  return selectRows(shape, budget, protectedTokens, () => order);
}

/**
 * The policy `random`: protected tokens, then any, drawn for each layer and KV head. Budgets nest, and a longer prompt draws the
 * same for its first tokens. Arguments and errors as for `selectTop`.
 * @param seed a whole number of 32 bits; the same one draws the same tokens
 */
export function selectRandom(shape: Shape, budget: number, protectedTokens: Uint32Array, seed: number): KeptTokens {
  const keys = new Int32Array(shape.tokens);
  return selectRows(shape, budget, protectedTokens, (layer, head) => {
    const random = randomOf(seed, layer, head);
    // 30 bits: the greatest key of 31 is for protected tokens.
    for (let token = 0; token < keys.length; token++) keys[token] = random() >>> 2;
    return keys;
  });
}
