import { describe, expect, it } from "vitest";
import { kendallTau } from "../../../../bench/quality-sets/metrics/kendall.ts";
import { randomOf } from "../../../../electron/engine/lookahead/xoshiro.ts";

const list = (...values: number[]) => Float32Array.from(values);

/** By its definition, pair by pair. */
function tauByPairs(one: Float32Array, other: Float32Array): number {
  let [sum, first, second] = [0, 0, 0];
  for (let left = 0; left < one.length; left++) {
    for (let right = 0; right < left; right++) {
      const a = Math.sign((one[left] ?? 0) - (one[right] ?? 0));
      const b = Math.sign((other[left] ?? 0) - (other[right] ?? 0));
      sum += a * b;
      first += Math.abs(a);
      second += Math.abs(b);
    }
  }
  return sum / Math.sqrt(first * second);
}

describe("Kendall's tau-b", () => {
  it("is what the definition says", () => {
    expect(kendallTau(list(1, 2, 3, 4), list(10, 20, 30, 40))).toBe(1);
    expect(kendallTau(list(1, 2, 3, 4), list(4, 3, 2, 1))).toBe(-1);
    // Of 6 pairs one is exchanged: (5 − 1) / 6.
    expect(kendallTau(list(1, 2, 3, 4), list(1, 2, 4, 3))).toBeCloseTo(4 / 6, 12);
    // Pairs: 2 agree, none disagree, one is tied in the first: 2 / √(2 · 3).
    expect(kendallTau(list(1, 1, 2), list(1, 2, 3))).toBeCloseTo(2 / Math.sqrt(6), 12);
  });

  it("has none where all numbers are equal, or there are none", () => {
    expect(kendallTau(list(1, 1, 1), list(1, 2, 3))).toBeNull();
    expect(kendallTau(list(), list())).toBeNull();
    expect(() => kendallTau(list(1), list(1, 2))).toThrow(RangeError);
  });

  it("is the same as pair by pair, with and without ties", () => {
    for (const values of [3, 10, 1_000_000]) {
      const random = randomOf(values);
      const draw = () => Float32Array.from({ length: 257 }, () => random() % values);
      const [one, other] = [draw(), draw()];
      expect(kendallTau(one, other)).toBeCloseTo(tauByPairs(one, other), 10);
    }
  });
});
