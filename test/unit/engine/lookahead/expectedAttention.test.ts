import { describe, expect, it } from "vitest";
import { type ExpectedAttention, expectedScores } from "../../../../electron/engine/lookahead/expectedAttention.ts";
import { randomOf } from "../../../../electron/engine/lookahead/xoshiro.ts";
import { rowsOf } from "./reference.ts";

type Shape = Omit<ExpectedAttention, "logits" | "norms">;

const shape: Shape = { layers: 3, heads: 2, groups: 3, tokens: 40 };

/** @param spread of the logits */
function expectedOf({ layers, heads, groups, tokens }: Shape, spread: number, seed = 1): ExpectedAttention {
  const random = randomOf(seed);
  const draw = (count: number, scale: number, least: number) =>
    Float32Array.from({ length: count }, () => least + (scale * random()) / 2 ** 32);
  const logits = draw(layers * heads * groups * tokens, spread, -spread / 2);
  return { layers, heads, groups, tokens, logits, norms: draw(layers * heads * tokens, 3, 0.1) };
}

/** As the paper's formula reads, a token at a time: nothing is shifted, nothing kept. */
function plainScores({ layers, heads, groups, tokens, logits, norms }: ExpectedAttention, first: number): number[][] {
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  return range(layers * heads).map((row) => {
    const weight = (group: number, token: number) => Math.exp(logits[(row * groups + group) * tokens + token] ?? 0);
    const share = (group: number, token: number) => {
      const all = range(tokens).slice(first);
      return weight(group, token) / all.reduce((sum, other) => sum + weight(group, other), 0);
    };
    const scores = range(tokens).map((token) => {
      if (token < first) return 0;
      const mean = range(groups).reduce((sum, group) => sum + share(group, token), 0) / groups;
      return mean * (norms[row * tokens + token] ?? 0);
    });
    const withFirst = scores.map((score, token) => (token < first ? Math.max(...scores) : score));
    const sum = withFirst.reduce((total, score) => total + score, 0);
    return withFirst.map((score) => score / sum);
  });
}

function largestDifference(one: number[][], other: number[][]): number {
  return Math.max(...one.flatMap((row, index) => row.map((value, token) => Math.abs(value - (other[index]?.[token] ?? Number.NaN)))));
}

describe("scores by expected attention", () => {
  it.each([0.1, 4, 60])("are softmax, mean over the head group, and length of the value: logits over %d", (spread) => {
    for (const first of [0, 1, 4]) {
      const expected = expectedOf(shape, spread, first + 1);
      const scores = expectedScores(expected, first);
      expect(scores).toMatchObject({ layers: 3, heads: 2, tokens: 40 });
      expect(largestDifference(rowsOf(scores), plainScores(expected, first))).toBeLessThan(1e-7);
    }
  });

  it("come to one in each row, and do not change where all logits of a head are higher", () => {
    const expected = expectedOf(shape, 8);
    const scores = expectedScores(expected, 4);
    for (const row of rowsOf(scores)) expect(row.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 5);
    const higher = { ...expected, logits: expected.logits.map((logit, place) => logit + (place < 40 ? 64 : 0)) };
    expect(largestDifference(rowsOf(expectedScores(higher, 4)), rowsOf(scores))).toBeLessThan(1e-6);
  });

  it("hold where the logits are far beyond what an exponential can be", () => {
    const expected = expectedOf(shape, 4000);
    const rows = rowsOf(expectedScores(expected, 4));
    expect(rows.flat().every((score) => score >= 0 && score <= 1)).toBe(true);
    for (const row of rows) expect(row.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 5);
  });

  it("leave the first tokens out of the softmax, and give them the row's greatest score", () => {
    const expected = expectedOf(shape, 4);
    const louder = { ...expected, logits: expected.logits.map((logit, place) => (place % 40 < 4 ? 1e4 : logit)) };
    expect(expectedScores(louder, 4)).toEqual(expectedScores(expected, 4));
    for (const row of rowsOf(expectedScores(expected, 4))) for (const score of row.slice(0, 4)) expect(score).toBe(Math.max(...row));
  });

  it("are even where there is nothing to tell tokens apart, or no token behind the first ones", () => {
    const even = { layers: 1, heads: 1, groups: 2, tokens: 8, logits: new Float32Array(16), norms: new Float32Array(8).fill(2) };
    expect([...expectedScores(even, 2).values]).toEqual(Array(8).fill(1 / 8));
    const short = { layers: 1, heads: 1, groups: 1, tokens: 2, logits: new Float32Array(2), norms: new Float32Array(2).fill(1) };
    expect([...expectedScores(short, 4).values]).toEqual([0.5, 0.5]);
    // Values of no length at all: the first tokens are left.
    const empty = { ...even, norms: new Float32Array(8) };
    expect([...expectedScores(empty, 2).values]).toEqual([0.5, 0.5, 0, 0, 0, 0, 0, 0]);
  });

  it("are no scores where there are no numbers, in that row alone", () => {
    const expected = expectedOf(shape, 4);
    const broken = { ...expected, logits: expected.logits.map((logit, place) => (place === 13 ? Number.NaN : logit)) };
    const rows = rowsOf(expectedScores(broken, 4));
    expect(rows[0]?.every((score) => Number.isNaN(score))).toBe(true);
    expect(rows.slice(1)).toEqual(rowsOf(expectedScores(expected, 4)).slice(1));
  });

  it("refuse other numbers than the shape says, and leave what they are given as it was", () => {
    const expected = expectedOf(shape, 4);
    const before = { logits: expected.logits.slice(), norms: expected.norms.slice() };
    expectedScores(expected, 4);
    expect({ logits: expected.logits, norms: expected.norms }).toEqual(before);
    expect(() => expectedScores({ ...expected, logits: expected.logits.subarray(1) }, 4)).toThrow(RangeError);
    expect(() => expectedScores({ ...expected, norms: expected.norms.subarray(1) }, 4)).toThrow(RangeError);
  });
});
