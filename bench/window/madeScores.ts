import type { Scores } from "../../electron/engine/lookahead/scores.ts";
import { randomOf } from "../../electron/engine/lookahead/xoshiro.ts";

/** Layers and KV heads of the embedded model, SmolLM2-135M. */
export const embeddedShape = { layers: 30, heads: 3 } as const;

/** How far the logarithms of scores spread, of what all heads share and of what each has for itself. */
const spreads = { shared: 1.5, own: 1 } as const;
/** The first token, which every head of a real model looks at whatever the question. */
const sinkShare = 0.5;
const seed = 7;

/**
 * Scores as a model's are shaped, without reading anything: each head's are a distribution over the prompt, with a sink at the first token, a long
 * tail, and much in common between the heads.
 * @param tokens of the prompt
 */
export function madeScores(tokens: number): Scores {
  const { layers, heads } = embeddedShape;
  const normal = normalOf(randomOf(seed, tokens));
  const shared = Float64Array.from({ length: tokens }, () => Math.exp(spreads.shared * normal()));
  const values = new Float32Array(layers * heads * tokens);
  for (let row = 0; row < layers * heads; row++) {
    const own = shared.map((score) => score * Math.exp(spreads.own * normal()));
    const sum = own.reduce((total, score) => total + score, 0);
    values.set(
      own.map((score) => ((1 - sinkShare) * score) / sum),
      row * tokens,
    );
    values[row * tokens] = sinkShare;
  }
  return { layers, heads, tokens, values };
}

/** Normal numbers out of even ones (Box and Muller). */
function normalOf(random: () => number): () => number {
  const even = () => (random() + 0.5) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(even())) * Math.cos(2 * Math.PI * even());
}
