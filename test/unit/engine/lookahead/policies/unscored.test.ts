import { describe, expect, it } from "vitest";
import { selectRandom } from "../../../../../electron/engine/lookahead/policies/random.ts";
import { selectStreaming } from "../../../../../electron/engine/lookahead/policies/streamingllm.ts";
import type { KeptTokens, Shape } from "../../../../../electron/engine/lookahead/scores.ts";
import { keptRows } from "../reference.ts";

const shape: Shape = { layers: 3, heads: 2, tokens: 60 };
const none = new Uint32Array(0);
const protectedTokens = Uint32Array.of(0, 1, 20, 21, 59);

const policies: [string, (shape: Shape, budget: number, protectedTokens: Uint32Array) => KeptTokens][] = [
  ["streaming", selectStreaming],
  ["random", (...args) => selectRandom(...args, 7)],
];

describe.each(policies)("the policy %s", (_name, select) => {
  it("keeps as many as the budget says, protected ones first, ascending", () => {
    for (let budget = protectedTokens.length; budget < shape.tokens; budget++) {
      for (const row of keptRows(select(shape, budget, protectedTokens))) {
        expect(row).toEqual([...new Set(row)].sort((one, other) => one - other));
        expect(row).toHaveLength(budget);
        expect(row).toEqual(expect.arrayContaining([...protectedTokens]));
        expect(row.every((token) => token < shape.tokens)).toBe(true);
      }
    }
    expect(keptRows(select(shape, protectedTokens.length, protectedTokens))[5]).toEqual([...protectedTokens]);
  });

  it("nests", () => {
    let before = keptRows(select(shape, protectedTokens.length, protectedTokens));
    for (let budget = protectedTokens.length + 1; budget <= shape.tokens; budget++) {
      const rows = keptRows(select(shape, budget, protectedTokens));
      rows.forEach((row, index) => {
        expect(row).toEqual(expect.arrayContaining(before[index] ?? []));
      });
      before = rows;
    }
  });

  it("keeps all where the budget is all or more", () => {
    const all = Array.from({ length: shape.tokens }, (_, token) => token);
    for (const budget of [60, 61]) expect(keptRows(select(shape, budget, none))[5]).toEqual(all);
    expect(keptRows(select({ layers: 1, heads: 1, tokens: 1 }, 1, none))).toEqual([[0]]);
    expect(select({ layers: 1, heads: 1, tokens: 0 }, 1, none).indices).toHaveLength(0);
  });

  it("refuses what cannot be", () => {
    expect(() => select(shape, 0, none)).toThrow(RangeError);
    expect(() => select(shape, 4, protectedTokens)).toThrow(RangeError);
  });
});

describe("the policy streaming", () => {
  it("keeps the first four and the most recent, the same everywhere", () => {
    for (const row of keptRows(selectStreaming(shape, 7, none))) expect(row).toEqual([0, 1, 2, 3, 57, 58, 59]);
  });

  it("gives protected tokens their room, then the first ones, then the most recent", () => {
    expect(keptRows(selectStreaming(shape, 6, protectedTokens))[0]).toEqual([0, 1, 2, 20, 21, 59]);
    expect(keptRows(selectStreaming(shape, 9, protectedTokens))[0]).toEqual([0, 1, 2, 3, 20, 21, 57, 58, 59]);
  });

  it("can do without sinks", () => {
    expect(keptRows(selectStreaming(shape, 2, none, 0))[0]).toEqual([58, 59]);
  });
});

describe("the policy random", () => {
  it("keeps the same for the same seed, and other tokens for another seed, layer or head", () => {
    const kept = selectRandom(shape, 20, none, 7);
    expect(selectRandom(shape, 20, none, 7)).toEqual(kept);
    expect(selectRandom(shape, 20, none, 8)).not.toEqual(kept);
    const rows = keptRows(kept).map((row) => row.join());
    expect(new Set(rows).size).toBe(6);
  });

  it("takes every token about as often as any other", () => {
    const many: Shape = { layers: 64, heads: 32, tokens: 40 };
    const times = new Array<number>(many.tokens).fill(0);
    for (const token of selectRandom(many, 10, none, 1).indices) times[token] = (times[token] ?? 0) + 1;
    // 2,048 rows, each token in a quarter of them: 512, and a standard deviation of 19.6.
    for (const count of times) expect(Math.abs(count - 512)).toBeLessThan(5 * 19.6);
  });

  it("takes two heads' tokens independently", () => {
    const wide: Shape = { layers: 1, heads: 2, tokens: 4000 };
    const [one = [], other = []] = keptRows(selectRandom(wide, 1000, none, 3));
    const shared = one.filter((token) => other.includes(token)).length;
    // 250 expected, and a standard deviation of 11.9.
    expect(Math.abs(shared - 250)).toBeLessThan(5 * 11.9);
  });
});
