// Every policy once more, as plainly as it can be written: sorting in place of counting, one row at a time.
import type { Choice } from "../../../../../electron/engine/lookahead/policies/policy.ts";
import type { Scores } from "../../../../../electron/engine/lookahead/scores.ts";
import { randomOf } from "../../../../../electron/engine/lookahead/xoshiro.ts";
import { plainPool, plainTop, rowsOf } from "../reference.ts";

type Plain = (scores: Scores, choice: Choice) => number[][];

/** The rows of one layer after the other. */
function byLayer(scores: Scores): number[][][] {
  const rows = rowsOf(scores);
  return Array.from({ length: scores.layers }, (_, layer) => rows.slice(layer * scores.heads, (layer + 1) * scores.heads));
}

const pooledTop: Plain = (scores, { budget, protectedTokens, poolKernel }) =>
  rowsOf(scores).map((row) => plainTop(plainPool(row, poolKernel), budget, [...protectedTokens]));

/** Protected tokens and as many of the last ones, the latest first, as there is room for. */
function withLast(protectedTokens: Uint32Array, tokens: number, last: number, budget: number): number[] {
  const latest = Array.from({ length: tokens }, (_, index) => tokens - 1 - index).slice(0, last);
  const added = latest.filter((token) => !protectedTokens.includes(token)).slice(0, budget - protectedTokens.length);
  return [...protectedTokens, ...added].sort((one, other) => one - other);
}

const h2o: Plain = (scores, { budget, protectedTokens }) => {
  const always = withLast(protectedTokens, scores.tokens, Math.floor(budget / 2), budget);
  return rowsOf(scores).map((row) => plainTop(row, budget, always));
};

const tova: Plain = (scores, { budget, protectedTokens }) =>
  byLayer(scores).flatMap((heads) => {
    const mean = Array.from({ length: scores.tokens }, (_, token) => {
      const valid = heads.map((row) => row[token] ?? Number.NaN).filter((value) => value >= 0);
      // In f32, as scores are.
      return valid.length === 0 ? Number.NaN : Math.fround(valid.reduce((sum, value) => sum + value, 0) / heads.length);
    });
    const chosen = plainTop(mean, budget, [...protectedTokens]);
    return heads.map(() => chosen);
  });

/** The line of PyramidKV by its own formulas, then whole numbers: each half towards the middle. */
export function plainPyramid(layers: number, tokens: number, budget: number, always: number): number[] {
  const base = budget - always;
  if (tokens <= budget || tokens < 2 * base || layers === 1) return Array.from({ length: layers }, () => budget);
  // A layer without a token could not attend to anything.
  let least = always === 0 ? Math.max(1, Math.floor(base / 20)) : Math.floor(base / 20);
  let most = 2 * base - least;
  if (most >= tokens - always) {
    most = tokens - always;
    least = 2 * base - most;
  }
  const step = (most - least) / (layers - 1);
  return Array.from({ length: layers }, (_, layer) => {
    const line = most - layer * step;
    // Up to rounding in the last bits, which a whole number must not fall to.
    const above = Math.floor(Math.abs(line - base) + 1e-9);
    return budget + (line >= base ? above : -above);
  });
}

const pyramidkv: Plain = (scores, { budget, protectedTokens, poolKernel }) => {
  const budgets = plainPyramid(scores.layers, scores.tokens, budget, protectedTokens.length);
  return byLayer(scores).flatMap((heads, layer) =>
    heads.map((row) => plainTop(plainPool(row, poolKernel), budgets[layer] ?? 0, [...protectedTokens])),
  );
};

/** The drawn ones by their noisy scores, in the precision that the engine has: f32, less its last bit. */
const nacl: Plain = (scores, { budget, protectedTokens, promptRows, seed }) => {
  const always = withLast(protectedTokens, scores.tokens, Math.floor(budget / 20), budget);
  const best = Math.round(((budget - always.length) * 12) / 19);
  return byLayer(scores).flatMap((heads, layer) =>
    heads.map((row, head) => {
      const kept = plainTop(row, always.length + best, always);
      const random = randomOf(seed, layer, head);
      const noisy = row.map((value) => {
        const uniform = (random() + 0.5) / 2 ** 32;
        return value >= 0 ? halved(Math.fround(promptRows * value - Math.log(-Math.log(uniform)))) : -1;
      });
      return plainTop(noisy, budget, kept);
    }),
  );
};

/** A number that is at least 0 and grows with a float, equal for floats that differ in the last bit of an even pair. */
function halved(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  const ascending = bits < 2 ** 31 ? bits + 2 ** 31 : 2 ** 32 - 1 - bits;
  return Math.floor(ascending / 2);
}

/** Of the policies that go by scores. */
export const plainPolicies = {
  lookahead: pooledTop,
  snapkv: pooledTop,
  pyramidkv,
  laq: pooledTop,
  speckv: pooledTop,
  h2o,
  tova,
  nacl,
  "expected-attention": pooledTop,
  oracle: pooledTop,
} as const satisfies Record<string, Plain>;
