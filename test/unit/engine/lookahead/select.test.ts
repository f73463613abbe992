import { describe, expect, it } from "vitest";
import { maxPool } from "../../../../electron/engine/lookahead/pool.ts";
import { keepAll, keepHeld, selectTop } from "../../../../electron/engine/lookahead/select.ts";
import { randomOf } from "../../../../electron/engine/lookahead/xoshiro.ts";
import { below, keptRows, kindsOfScores, plainPool, plainTop, rowsOf, scoresOf, someTokens } from "./reference.ts";

const none = new Uint32Array(0);
const oneRow = (...values: number[]) => ({ layers: 1, heads: 1, tokens: values.length, values: Float32Array.from(values) });

describe("selection", () => {
  it("takes the best, in the order of the text", () => {
    expect(keptRows(selectTop(oneRow(1, 5, 2, 9, 3), 3, none))).toEqual([[1, 3, 4]]);
  });

  it("takes the earlier of equal ones", () => {
    expect(keptRows(selectTop(oneRow(1, 2, 2, 1, 2, 2), 3, none))).toEqual([[1, 2, 4]]);
    expect(keptRows(selectTop(oneRow(0, 0, 0, 0), 2, none))).toEqual([[0, 1]]);
    expect(keptRows(selectTop(oneRow(-0, 0, -0, 0), 2, none))).toEqual([[0, 1]]);
  });

  it("takes protected tokens first, whatever their scores", () => {
    expect(keptRows(selectTop(oneRow(9, Number.NaN, 8, 0, Number.POSITIVE_INFINITY), 3, Uint32Array.of(1, 3)))).toEqual([[1, 3, 4]]);
    expect(keptRows(selectTop(oneRow(9, Number.NaN, 8, 0, Number.POSITIVE_INFINITY), 2, Uint32Array.of(1, 3)))).toEqual([[1, 3]]);
  });

  it("takes a NaN or a negative number only where no score is left", () => {
    const scores = oneRow(Number.NaN, 0, -1, 2 ** -149, Number.NEGATIVE_INFINITY, 0);
    expect(keptRows(selectTop(scores, 3, none))).toEqual([[1, 3, 5]]);
    expect(keptRows(selectTop(scores, 4, none))).toEqual([[0, 1, 3, 5]]);
    const negativeNaN = new Float32Array(Uint32Array.of(0xffc0_0000, 0x7fc0_0000, 0x7f80_0001, 0).buffer);
    expect(keptRows(selectTop({ layers: 1, heads: 1, tokens: 4, values: negativeNaN }, 1, none))).toEqual([[3]]);
  });

  it("pools on the way: neighbours of a peak come with it", () => {
    expect(keptRows(selectTop(oneRow(0, 0, 0, 0, 9, 0, 0, 1), 3, none, 3))).toEqual([[3, 4, 5]]);
  });

  it("leaves scores and protected tokens as they were", () => {
    const scores = oneRow(3, 1, 2);
    const protectedTokens = Uint32Array.of(1);
    selectTop(scores, 2, protectedTokens, 3);
    expect([...scores.values, ...protectedTokens]).toEqual([3, 1, 2, 1]);
  });

  it.each(Object.entries(kindsOfScores))("equals sorting: %s", (name, kind) => {
    const random = randomOf(name.length, 1);
    for (let round = 0; round < 60; round++) {
      const tokens = 1 + below(random, round < 50 ? 80 : 3000);
      const scores = scoresOf(kind, { layers: 1 + below(random, 3), heads: 1 + below(random, 3), tokens }, round);
      const budget = 1 + below(random, tokens + 2);
      const protectedTokens = someTokens(random, tokens, Math.min(budget, 12));
      const kernel = 1 + 2 * below(random, 5);
      const kept = selectTop(scores, budget, protectedTokens, kernel);
      const expected = rowsOf(scores).map((row) => plainTop(plainPool(row, kernel), budget, [...protectedTokens]));
      expect(keptRows(kept), `round ${round}`).toEqual(expected);
      expect(new Set(kept.budgets)).toEqual(new Set([Math.min(budget, tokens)]));
      expect(selectTop(maxPool(scores, kernel), budget, protectedTokens)).toEqual(kept);
    }
  });

  it("equals sorting at the size of a long prompt", () => {
    const kind = kindsOfScores["heavy tails, as attention has"] ?? (() => 0);
    const scores = scoresOf(kind, { layers: 1, heads: 2, tokens: 32_768 }, 3);
    const protectedTokens = [0, 1, 2, 3, 32_766, 32_767];
    for (const budget of [6, 7, 64, 4096, 32_767]) {
      const expected = rowsOf(scores).map((row) => plainTop(row, budget, protectedTokens));
      expect(keptRows(selectTop(scores, budget, Uint32Array.from(protectedTokens)))).toEqual(expected);
    }
  });

  it.each(Object.entries(kindsOfScores))("nests: what a budget keeps, the next one keeps too: %s", (_name, kind) => {
    const tokens = 70;
    const scores = scoresOf(kind, { layers: 2, heads: 2, tokens }, 11);
    const protectedTokens = Uint32Array.of(0, 1, 33, 69);
    for (const kernel of [1, 7]) {
      let before = keptRows(selectTop(scores, protectedTokens.length, protectedTokens, kernel));
      for (let budget = protectedTokens.length + 1; budget <= tokens + 1; budget++) {
        const rows = keptRows(selectTop(scores, budget, protectedTokens, kernel));
        rows.forEach((row, index) => {
          expect(row).toHaveLength(Math.min(budget, tokens));
          expect(row).toEqual(expect.arrayContaining(before[index] ?? []));
        });
        before = rows;
      }
    }
  });

  it("around the number of tokens: one is left out, none is, none is", () => {
    const scores = oneRow(4, 1, 3, 2);
    expect(keptRows(selectTop(scores, 3, none))).toEqual([[0, 2, 3]]);
    for (const budget of [4, 5, 1_000_000_000]) {
      expect(selectTop(scores, budget, none)).toEqual({
        layers: 1,
        heads: 1,
        tokens: 4,
        budgets: Uint32Array.of(4),
        indices: Uint32Array.of(0, 1, 2, 3),
      });
    }
  });

  it("of one token is that token, and of none is nothing", () => {
    expect(keptRows(selectTop(oneRow(Number.NaN), 1, none, 7))).toEqual([[0]]);
    const empty = selectTop({ layers: 2, heads: 3, tokens: 0, values: new Float32Array(0) }, 5, none, 7);
    expect(empty).toEqual({ layers: 2, heads: 3, tokens: 0, budgets: Uint32Array.of(0, 0), indices: none });
  });

  it.each([
    ["a budget of 0", 0, none],
    ["a budget that is no whole number", 1.5, none],
    ["more protected tokens than the budget", 1, Uint32Array.of(0, 1)],
    ["protected tokens out of order", 2, Uint32Array.of(1, 0)],
    ["a protected token twice", 2, Uint32Array.of(1, 1)],
    ["a protected token beyond the prompt", 2, Uint32Array.of(3)],
  ])("refuses %s", (_what, budget, protectedTokens) => {
    expect(() => selectTop(oneRow(1, 2, 3), budget, protectedTokens)).toThrow(RangeError);
  });

  it("refuses values that do not fill the shape", () => {
    expect(() => selectTop({ layers: 1, heads: 1, tokens: 4, values: new Float32Array(3) }, 2, none)).toThrow(/4 scores, not 3/);
  });

  it("takes a budget for each layer, each as if it were the only one", () => {
    const random = randomOf(77);
    for (let round = 0; round < 40; round++) {
      const tokens = 5 + below(random, 60);
      const scores = scoresOf(() => below(random, 9), { layers: 1 + below(random, 5), heads: 1 + below(random, 3), tokens }, round);
      const protectedTokens = someTokens(random, tokens, 3);
      const budgets = Uint32Array.from({ length: scores.layers }, () => 3 + below(random, tokens));
      const kept = selectTop(scores, budgets, protectedTokens, 3);
      const rows = keptRows(kept);
      expect([...kept.budgets]).toEqual([...budgets].map((budget) => Math.min(budget, tokens)));
      budgets.forEach((budget, layer) => {
        const even = keptRows(selectTop(scores, budget, protectedTokens, 3));
        const [from, to] = [layer * scores.heads, (layer + 1) * scores.heads];
        expect(rows.slice(from, to), `round ${round}, layer ${layer}`).toEqual(even.slice(from, to));
      });
    }
  });

  it("refuses a layer's budget that is none, and budgets that are not one for each layer", () => {
    const scores = { layers: 2, heads: 1, tokens: 3, values: Float32Array.of(1, 2, 3, 1, 2, 3) };
    expect(() => selectTop(scores, Uint32Array.of(2, 0), none)).toThrow(/not 0/);
    expect(() => selectTop(scores, Uint32Array.of(2), none)).toThrow(/as many budgets, not 1/);
    expect(() => selectTop(scores, Uint32Array.of(2, 1), Uint32Array.of(0, 1))).toThrow(/budget of 1/);
  });

  it("of everything is every token in every row", () => {
    expect(keptRows(keepAll({ layers: 2, heads: 1, tokens: 3 }))).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    expect(keepAll({ layers: 0, heads: 1, tokens: 3 }).indices).toHaveLength(0);
  });

  it("of what a cache holds leaves out, in each layer, the first tokens that it lacks", () => {
    const held = keepHeld({ layers: 3, heads: 2, tokens: 4, layerTokens: Uint32Array.of(4, 1, 2) });
    expect(held).toMatchObject({ budgets: Uint32Array.of(4, 1, 2) });
    expect([...held.indices]).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 3, 3, 2, 3, 2, 3]);
    const even = { layers: 2, heads: 2, tokens: 3 };
    expect(keepHeld({ ...even, layerTokens: Uint32Array.of(3, 3) })).toEqual(keepAll(even));
  });
});
