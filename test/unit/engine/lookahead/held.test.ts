import { describe, expect, it } from "vitest";
import { heldAfter, heldOf, heldUntil, keptOf, mostHeld, nothingHeld } from "../../../../electron/engine/lookahead/held.ts";
import type { KeptTokens } from "../../../../electron/engine/lookahead/scores.ts";
import { keepAll } from "../../../../electron/engine/lookahead/select.ts";

const shape = { layers: 2, heads: 1 };
const keptOfRows = (tokens: number, ...rows: number[][]): KeptTokens => ({
  ...shape,
  tokens,
  budgets: Uint32Array.from(rows, (row) => row.length),
  indices: Uint32Array.from(rows.flat()),
});
const rowsOf = (held: ReturnType<typeof heldOf>) => held.rows.map((row) => Array.from(row));

describe("held tokens", () => {
  it("are known by their places in the text, eviction after eviction", () => {
    const first = heldOf(keptOfRows(10, [0, 4, 9], [1, 2, 3]));
    const read = heldUntil(first, 12);
    expect(rowsOf(read)).toEqual([
      [0, 4, 9, 10, 11],
      [1, 2, 3, 10, 11],
    ]);
    const second = heldAfter(read, keptOfRows(5, [0, 2, 4], [1, 3, 4]));
    expect(rowsOf(second)).toEqual([
      [0, 9, 11],
      [2, 10, 11],
    ]);
    expect(second.end).toBe(12);
    expect(rowsOf(heldAfter(second, keptOfRows(3, [1], [0])))).toEqual([[9], [2]]);
  });

  it("count from the end in a layer that holds fewer", () => {
    const held = heldUntil(heldOf(keptOfRows(10, [0, 4, 8, 9], [3, 7])), 11);
    expect(mostHeld(held)).toBe(5);
    // Places 2, 3 and 4 of five are all that the second layer has.
    expect(rowsOf(heldAfter(held, keptOfRows(5, [0, 1, 4], [2, 4])))).toEqual([
      [0, 4, 10],
      [3, 10],
    ]);
  });

  it("begin with none, and go out as they came in", () => {
    expect(rowsOf(heldUntil(nothingHeld(shape), 2))).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(mostHeld(nothingHeld(shape))).toBe(0);
    const kept = keptOfRows(10, [0, 4, 8, 9], [3, 7]);
    expect(keptOf(heldOf(kept))).toEqual(kept);
    expect(keptOf(heldOf(keepAll({ ...shape, tokens: 3 })))).toEqual(keepAll({ ...shape, tokens: 3 }));
  });
});
