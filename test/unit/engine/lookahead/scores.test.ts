import { describe, expect, it } from "vitest";
import { joinScores, layerScores, meanScores } from "../../../../electron/engine/lookahead/scores.ts";
import { kindsOfScores, rowsOf, scoresOf } from "./reference.ts";

describe("mean scores", () => {
  it("are each token's mean over all layers and heads", () => {
    const values = Float32Array.of(1, 2, 3, 5, 6, 7, 0, 0, 0, 2, 4, 6);
    expect([...meanScores({ layers: 2, heads: 2, tokens: 3, values })]).toEqual([2, 3, 4]);
  });

  it("do not lose small scores beside large ones", () => {
    const layers = 1000;
    const values = Float32Array.from({ length: layers }, (_, layer) => (layer === 0 ? 2 ** 24 : 1));
    expect(meanScores({ layers, heads: 1, tokens: 1, values })[0]).toBe(Math.fround((2 ** 24 + layers - 1) / layers));
  });

  it.each(Object.entries(kindsOfScores))("equal a plain mean in which what is no score is 0: %s", (_name, kind) => {
    const scores = scoresOf(kind, { layers: 3, heads: 2, tokens: 50 }, 5);
    const rows = rowsOf(scores);
    const expected = Array.from({ length: 50 }, (_, token) =>
      Math.fround(rows.map((row) => Math.max(0, row[token] || 0)).reduce((sum, value) => sum + value, 0) / rows.length),
    );
    expect([...meanScores(scores)]).toEqual(expected);
  });

  it("of no tokens are none", () => {
    expect(meanScores({ layers: 2, heads: 2, tokens: 0, values: new Float32Array(0) })).toHaveLength(0);
  });

  it("refuse values that do not fill the shape", () => {
    expect(() => meanScores({ layers: 2, heads: 2, tokens: 3, values: new Float32Array(11) })).toThrow(/12 scores, not 11/);
  });
});

describe("the scores of a layer", () => {
  it("are the mean over its heads; what is no score counts as 0, and a token without any is none", () => {
    const [nan, less] = [Number.NaN, -1];
    const values = Float32Array.of(0.5, nan, nan, 0, 0.25, 0.5, less, 0, 1, 0, 0, 0, 0, 1, 0, 0);
    expect(layerScores({ layers: 2, heads: 2, tokens: 4, values })).toEqual({
      layers: 2,
      heads: 1,
      tokens: 4,
      values: Float32Array.of(0.375, 0.25, nan, 0, 0.5, 0.5, 0, 0),
    });
  });

  it("refuse values that do not fill the shape", () => {
    expect(() => layerScores({ layers: 2, heads: 2, tokens: 3, values: new Float32Array(11) })).toThrow(/12 scores, not 11/);
  });
});

describe("joined scores", () => {
  const of = (...values: number[]) => ({ layers: 1, heads: 1, tokens: values.length, values: Float32Array.from(values) });

  it("are the mean over the rows of both", () => {
    expect([...joinScores([of(1, 0, 0.5), of(0, 1, 0.5)], [32, 32]).values]).toEqual([0.5, 0.5, 0.5]);
    expect([...joinScores([of(1, 0, 0.5), of(0, 1, 0.5)], [24, 8]).values]).toEqual([0.75, 0.25, 0.5]);
  });

  it("are those of all rows taken together", () => {
    const rows = Array.from({ length: 7 }, (_, row) => [
      ...scoresOf((random) => random() / 2 ** 32, { layers: 1, heads: 1, tokens: 20 }, row).values,
    ]);
    const mean = (some: number[][]) =>
      of(...Array.from({ length: 20 }, (_, token) => some.reduce((sum, row) => sum + (row[token] ?? 0), 0) / some.length));
    const joined = joinScores([mean(rows.slice(0, 5)), mean(rows.slice(5))], [5, 2]);
    joined.values.forEach((value, token) => {
      expect(value).toBeCloseTo(mean(rows).values[token] ?? -1, 6);
    });
  });

  it("refuse scores of other shapes", () => {
    expect(() => joinScores([of(1, 2), of(1)], [1, 1])).toThrow(RangeError);
  });
});
