import { describe, expect, it } from "vitest";
import { bootstrapMean } from "../../../bench/quality/bootstrap.ts";
import { shuffled } from "../../../bench/quality/chance.ts";
import { randomOf } from "../../../electron/engine/lookahead/xoshiro.ts";

describe("bootstrap", () => {
  it("has the mean of all values, however they are grouped", () => {
    expect(bootstrapMean([[1, 2, 3], [], [6]]).mean).toBe(3);
    expect(bootstrapMean([[0.25, 0.25], [0.25]])).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
  });

  it("has the interval of the normal distribution where there are many values", () => {
    const random = randomOf(7);
    const values = Array.from({ length: 900 }, () => random() / 2 ** 32);
    const { mean, low, high } = bootstrapMean(values.map((value) => [value]));
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    const half = (1.96 * deviation) / Math.sqrt(values.length);
    expect(mean - low).toBeGreaterThan(0.93 * half);
    expect(mean - low).toBeLessThan(1.07 * half);
    expect(high - mean).toBeGreaterThan(0.93 * half);
    expect(high - mean).toBeLessThan(1.07 * half);
  });

  it("draws whole groups: values that go together tell less", () => {
    const zerosAndOnes = Array.from({ length: 400 }, (_, index) => Number(index % 40 < 20));
    const groups = Array.from({ length: 20 }, (_, group) => zerosAndOnes.slice(group * 20, group * 20 + 20));
    const wide = bootstrapMean(groups);
    const narrow = bootstrapMean(zerosAndOnes.map((value) => [value]));
    expect(wide.mean).toBe(narrow.mean);
    // Twenty groups that are all one or all zero are twenty values: √20 times as wide.
    expect((wide.high - wide.low) / (narrow.high - narrow.low)).toBeGreaterThan(3.8);
    expect((wide.high - wide.low) / (narrow.high - narrow.low)).toBeLessThan(5.2);
  });

  it("gives the same for the same values, and refuses none", () => {
    const groups = [[0.1, 0.9], [0.4], [0.7, 0.2]];
    expect(bootstrapMean(groups)).toEqual(bootstrapMean(groups));
    expect(() => bootstrapMean([[], []])).toThrow(RangeError);
  });
});

describe("shuffled", () => {
  it("keeps every thing, in every order about as often", () => {
    const random = randomOf(3);
    const counts = new Map<string, number>();
    for (let round = 0; round < 6000; round++) {
      const order = shuffled(["a", "b", "c"], random).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});
