import { defaultSinks } from "../protect.ts";
import type { KeptTokens, Shape } from "../scores.ts";
import { selectRows } from "../select.ts";
import type { Shares } from "../shares.ts";
import type { UnscoredPolicy } from "./policy.ts";

/**
 * StreamingLLM (arXiv 2309.17453): the first 4 tokens, on which models rest their attention, and the most recent ones. Keys keep their
 * places' rotation, as in kvpress; the original turns them to where they lie in the cache.
 */
export const streamingllm: UnscoredPolicy = {
  name: "streamingllm",
  rows: null,
  select: (shape, { budget, protectedTokens, share }) => selectStreaming(shape, budget, protectedTokens, defaultSinks, share),
};

/**
 * Protected tokens, the first ones, then the most recent, the same for every layer and KV head. Budgets nest. Arguments and errors as
 * for `selectTop`.
 */
export function selectStreaming(
  shape: Shape,
  budget: number,
  protectedTokens: Uint32Array,
  sinks = defaultSinks,
  share: Shares | undefined = undefined,
): KeptTokens {
  const { tokens } = shape;
  const order = Int32Array.from({ length: tokens }, (_, token) => (token < sinks ? 2 * tokens - token : token));
  return selectRows(shape, budget, protectedTokens, () => order, share);
}
