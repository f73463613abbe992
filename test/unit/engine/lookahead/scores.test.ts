import { describe, expect, it } from "vitest";
import { meanScores } from "../../../../electron/engine/lookahead/scores.ts";
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
