// The rules of selection, written as plainly as they can be, and scores to hold them against.
import type { KeptTokens, Scores, Shape } from "../../../../electron/engine/lookahead/scores.ts";
import { type RandomNumbers, randomOf } from "../../../../electron/engine/lookahead/xoshiro.ts";

/** A score, or -1 for what is none. */
const scoreOr = (value: number): number => (value >= 0 ? value : -1);

/** One row of max-pooling, window by window. */
export function plainPool(row: readonly number[], kernel: number): number[] {
  const half = (kernel - 1) / 2;
  return row.map((_, token) => {
    const window = row.slice(Math.max(0, token - half), token + half + 1).filter((value) => value >= 0);
    return window.length === 0 ? Number.NaN : Math.max(0, ...window);
  });
}

/** One row's selection by sorting. */
export function plainTop(row: readonly number[], budget: number, protectedTokens: readonly number[]): number[] {
  const isProtected = new Set(protectedTokens);
  const rest = row
    .map((value, token) => ({ score: scoreOr(value), token }))
    .filter(({ token }) => !isProtected.has(token))
    .sort((one, other) => (one.score === other.score ? one.token - other.token : one.score > other.score ? -1 : 1))
    .map(({ token }) => token);
  return [...protectedTokens, ...rest].slice(0, budget).sort((one, other) => one - other);
}

/** The values of each layer and head. */
export function rowsOf({ layers, heads, tokens, values }: Scores): number[][] {
  return Array.from({ length: layers * heads }, (_, row) => [...values.subarray(row * tokens, (row + 1) * tokens)]);
}

/** The kept tokens of each layer and head. */
export function keptRows({ layers, heads, budgets, indices }: KeptTokens): number[][] {
  const rows: number[][] = [];
  let at = 0;
  for (let row = 0; row < layers * heads; row++) {
    const end = at + (budgets[Math.floor(row / heads)] ?? 0);
    rows.push([...indices.subarray(at, end)]);
    at = end;
  }
  return rows;
}

/** A whole number below `end`. */
export const below = (random: RandomNumbers, end: number): number => Math.floor((random() / 2 ** 32) * end);

const floatOfBits = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0] ?? 0;

const oddities = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** -149,
  2 ** -126,
  1,
  3.4028234663852886e38,
  -1e-3,
];

/** Kinds of rows: how one value comes about. */
export const kindsOfScores: Record<string, (random: RandomNumbers) => number> = {
  "heavy tails, as attention has": (random) => (random() / 2 ** 32) ** 12,
  "many ties": (random) => below(random, 4) / 4,
  "nearly all 0": (random) => (below(random, 20) === 0 ? random() / 2 ** 32 : 0),
  "all 0": () => 0,
  denormals: (random) => floatOfBits(below(random, 2 ** 23)),
  "neighbours that differ in the last bits": (random) => floatOfBits(0x3d00_0000 + below(random, 3000)),
  "any bits at all": (random) => floatOfBits(random()),
  oddities: (random) => oddities[below(random, oddities.length)] ?? 0,
  "NaN alone": () => Number.NaN,
};

/** Scores of one kind, the same for the same seed. */
export function scoresOf(kind: (random: RandomNumbers) => number, shape: Shape, seed: number): Scores {
  const random = randomOf(seed);
  return { ...shape, values: Float32Array.from({ length: shape.layers * shape.heads * shape.tokens }, () => kind(random)) };
}

/** Some tokens, ascending, each once. */
export function someTokens(random: RandomNumbers, tokens: number, atMost: number): Uint32Array {
  const chosen = new Set(Array.from({ length: below(random, atMost + 1) }, () => below(random, tokens)));
  return Uint32Array.from(chosen).sort();
}
