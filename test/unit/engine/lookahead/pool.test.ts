import { describe, expect, it } from "vitest";
import { maxPool } from "../../../../electron/engine/lookahead/pool.ts";
import { kindsOfScores, plainPool, rowsOf, scoresOf } from "./reference.ts";

const kernels = [3, 5, 7, 9, 11, 13, 15, 17, 31, 33, 63, 1001];

describe("max-pooling", () => {
  it("takes the greatest of the window around each token, cut at the ends", () => {
    const values = Float32Array.of(0, 0, 5, 0, 0, 0, 1, 3, 0, 0);
    expect([...maxPool({ layers: 1, heads: 1, tokens: 10, values }, 3).values]).toEqual([0, 5, 5, 5, 0, 1, 3, 3, 3, 0]);
  });

  it("keeps the rows apart", () => {
    const values = Float32Array.of(0, 0, 9, 1, 0, 0);
    expect([...maxPool({ layers: 1, heads: 2, tokens: 3, values }, 3).values]).toEqual([0, 9, 9, 1, 1, 0]);
  });

  it.each(Object.entries(kindsOfScores))("equals a plain one, window by window: %s", (_name, kind) => {
    for (const kernel of kernels) {
      for (const tokens of [1, 2, 3, 6, 7, 8, 40]) {
        const scores = scoresOf(kind, { layers: 2, heads: 2, tokens }, kernel + tokens);
        const expected = rowsOf(scores).map((row) => plainPool(row, kernel));
        expect(rowsOf(maxPool(scores, kernel)), `kernel ${kernel}, ${tokens} tokens`).toEqual(expected);
      }
    }
  });

  it("with a kernel of 1 is the input itself", () => {
    const scores = { layers: 1, heads: 1, tokens: 3, values: Float32Array.of(1, Number.NaN, 0) };
    expect(maxPool(scores, 1)).toBe(scores);
  });

  it("leaves its input as it was", () => {
    const values = Float32Array.of(1, 0, 2);
    maxPool({ layers: 1, heads: 1, tokens: 3, values }, 3);
    expect([...values]).toEqual([1, 0, 2]);
  });

  it("reads values that are a part of a larger array", () => {
    const values = Float32Array.of(9, 9, 1, 0, 2, 9).subarray(2, 5);
    expect([...maxPool({ layers: 1, heads: 1, tokens: 3, values }, 3).values]).toEqual([1, 2, 2]);
  });

  it("takes no more memory for a kernel that no prompt fills", () => {
    const values = Float32Array.of(1, 0, 2);
    expect([...maxPool({ layers: 1, heads: 1, tokens: 3, values }, Number.MAX_SAFE_INTEGER).values]).toEqual([2, 2, 2]);
  });

  it("of no tokens is nothing", () => {
    expect(maxPool({ layers: 2, heads: 1, tokens: 0, values: new Float32Array(0) }, 7).values).toHaveLength(0);
  });

  it.each([0, 2, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses a kernel of %s", (kernel) => {
    expect(() => maxPool({ layers: 1, heads: 1, tokens: 1, values: new Float32Array(1) }, kernel)).toThrow(RangeError);
  });
});
