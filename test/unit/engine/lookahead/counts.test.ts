import { describe, expect, it } from "vitest";
import { keptCounts } from "../../../../electron/engine/lookahead/counts.ts";
import { selectRandom } from "../../../../electron/engine/lookahead/policies.ts";
import { keepAll } from "../../../../electron/engine/lookahead/select.ts";
import { keptRows } from "./reference.ts";

describe("kept counts", () => {
  it("say in how many layer-heads each token is kept", () => {
    const indices = Uint32Array.of(0, 2, 2, 3);
    expect([...keptCounts({ layers: 2, heads: 1, tokens: 5, budget: 2, indices })]).toEqual([1, 0, 2, 1, 0]);
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
