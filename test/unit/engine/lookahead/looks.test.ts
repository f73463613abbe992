import { describe, expect, it } from "vitest";
import type { HeldTokens } from "../../../../electron/engine/lookahead/held.ts";
import { type Looks, looksOf, withEarlier } from "../../../../electron/engine/lookahead/looks.ts";
import type { KeptTokens, Scores } from "../../../../electron/engine/lookahead/scores.ts";

// Two layers of one head; the second holds a token less than the first, and its first place is none.
const held: HeldTokens = { layers: 2, heads: 1, end: 40, rows: [Uint32Array.of(3, 9, 39), Uint32Array.of(9, 39)] };
const scores: Scores = { layers: 2, heads: 1, tokens: 3, values: Float32Array.of(0.1, 0.4, 0.5, -1, 0.2, 0.3) };

describe("earlier looks", () => {
  it("count where they found more, for the tokens that were there", () => {
    const seen = withEarlier(scores, held, [Float32Array.of(0.25, 0.125), Float32Array.of(0.75)]);
    expect(seen.values).toEqual(Float32Array.of(0.25, 0.4, 0.5, -1, 0.75, 0.3));
    expect(scores.values).toEqual(Float32Array.of(0.1, 0.4, 0.5, -1, 0.2, 0.3));
    expect(withEarlier(scores, held, []).values).toEqual(scores.values);
  });

  it("take nothing from what is no score, neither before nor now", () => {
    const row = { layers: 1, heads: 1, end: 3, rows: [Uint32Array.of(0, 1, 2)] };
    const now: Scores = { layers: 1, heads: 1, tokens: 3, values: Float32Array.of(Number.NaN, 0.5, -1) };
    const seen = withEarlier(now, row, [Float32Array.of(0.25, Number.NaN, 0.125)]);
    expect(seen.values).toEqual(Float32Array.of(0.25, 0.5, 0.125));
  });

  it("go on with what was kept, in its order", () => {
    const kept: KeptTokens = { layers: 2, heads: 1, tokens: 3, budgets: Uint32Array.of(2, 1), indices: Uint32Array.of(0, 2, 2) };
    expect(looksOf(scores, kept)).toEqual([Float32Array.of(0.1, 0.5), Float32Array.of(0.3)]);
  });

  it("hand the best on through any number of looks", () => {
    const row = { layers: 1, heads: 1, end: 1, rows: [Uint32Array.of(0)] };
    let looks: Looks = [];
    for (const score of [0.25, 0.75, 0.125, 0.5]) {
      const best = withEarlier({ layers: 1, heads: 1, tokens: 1, values: Float32Array.of(score) }, row, looks);
      looks = looksOf(best, { ...best, budgets: Uint32Array.of(1), indices: Uint32Array.of(0) });
    }
    expect(looks).toEqual([Float32Array.of(0.75)]);
  });
});
