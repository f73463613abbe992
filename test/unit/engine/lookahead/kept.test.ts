import { describe, expect, it } from "vitest";
import { evenBudget, keptCounts, largestBudget, meanBudget } from "../../../../electron/engine/lookahead/kept.ts";
import { selectRandom } from "../../../../electron/engine/lookahead/policies/random.ts";
import { keepAll } from "../../../../electron/engine/lookahead/select.ts";
import { keptRows } from "./reference.ts";

describe("kept counts", () => {
  it("say in how many layer-heads each token is kept", () => {
    const indices = Uint32Array.of(0, 2, 2, 3);
    expect([...keptCounts({ layers: 2, heads: 1, tokens: 5, budgets: Uint32Array.of(2, 2), indices })]).toEqual([1, 0, 2, 1, 0]);
  });

  it("add up to what is kept, and equal a count token by token", () => {
    const kept = selectRandom({ layers: 5, heads: 3, tokens: 90 }, 30, Uint32Array.of(0, 89), 2);
    const rows = keptRows(kept);
    const counts = [...keptCounts(kept)];
    expect(counts).toEqual(counts.map((_, token) => rows.filter((row) => row.includes(token)).length));
    expect(counts[0]).toBe(15);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(15 * 30);
  });

  it("hold a model with more layer-heads than a byte does", () => {
    expect([...keptCounts(keepAll({ layers: 80, heads: 8, tokens: 2 }))]).toEqual([640, 640]);
  });
});

describe("budgets that differ by layer", () => {
  const uneven = {
    layers: 3,
    heads: 2,
    tokens: 6,
    budgets: Uint32Array.of(3, 1, 1),
    indices: Uint32Array.of(0, 1, 2, 0, 1, 5, 0, 5, 5, 3),
  };

  it("have a mean per layer and head, and a largest one that a cache needs cells for", () => {
    expect([meanBudget(uneven), largestBudget(uneven), evenBudget(uneven)]).toEqual([10 / 6, 3, null]);
    expect([...keptCounts(uneven)]).toEqual([3, 2, 1, 1, 0, 3]);
  });

  it("are those of even ones where they do not", () => {
    const all = keepAll({ layers: 2, heads: 3, tokens: 7 });
    expect([meanBudget(all), largestBudget(all), evenBudget(all)]).toEqual([7, 7, 7]);
    const none = keepAll({ layers: 0, heads: 3, tokens: 7 });
    expect([meanBudget(none), largestBudget(none), evenBudget(none)]).toEqual([0, 0, 0]);
  });
});
