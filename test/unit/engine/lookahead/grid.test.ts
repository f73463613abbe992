import { describe, expect, it } from "vitest";
import { gridOf, layerHeadOf } from "../../../../electron/engine/lookahead/grid.ts";

const scores = { layers: 2, heads: 1, tokens: 4, values: Float32Array.of(1, 1, 1, 1, 0.75, Number.NaN, 0.25, -1) };
const kept = { layers: 2, heads: 1, tokens: 4, budgets: Uint32Array.of(2, 1), indices: Uint32Array.of(0, 3, 2) };

describe("gridOf", () => {
  it("tells what each head keeps, how much of the attention that is, and how spread it is", () => {
    const { keptShare, keptAttention, spread } = gridOf(scores, kept);
    expect([...keptShare]).toEqual([0.5, 0.25]);
    expect([...keptAttention]).toEqual([0.5, 0.25]);
    expect(spread[0]).toBeCloseTo(1, 6);
    // −(¾ ln ¾ + ¼ ln ¼) ÷ ln 4
    expect(spread[1]).toBeCloseTo(0.40564, 5);
  });

  it("says that all of nothing is kept", () => {
    const none = { ...scores, values: new Float32Array(8) };
    expect([...gridOf(none, kept).keptAttention]).toEqual([1, 1]);
    expect([...gridOf(none, kept).spread]).toEqual([0, 0]);
  });

  it("refuses what was kept of something else", () => {
    expect(() => gridOf(scores, { ...kept, tokens: 5 })).toThrow(RangeError);
  });
});

describe("layerHeadOf", () => {
  it("takes one head's own scores and marks what it keeps", () => {
    expect(layerHeadOf(scores, kept, { layer: 1, head: 0 })).toEqual({
      scores: Float32Array.of(0.75, 0, 0.25, 0),
      kept: Uint16Array.of(0, 0, 1, 0),
    });
    expect(layerHeadOf(scores, kept, { layer: 0, head: 0 }).kept).toEqual(Uint16Array.of(1, 0, 0, 1));
  });
});
