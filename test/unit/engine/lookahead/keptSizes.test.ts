import { expect, test } from "vitest";
import { createKeptSizes } from "../../../../electron/engine/lookahead/keptSizes.ts";

test("the size of a budget is that of the last cache with it", () => {
  const sizes = createKeptSizes();
  const budgets = Uint32Array.of(64, 64);
  expect(sizes.find(budgets)).toBeNull();
  sizes.put(budgets, 2_900_000);
  expect(sizes.find(Uint32Array.of(64, 64))).toBe(2_900_000);
  expect(sizes.find(Uint32Array.of(64, 32))).toBeNull();
  sizes.put(budgets, 4_100_000);
  expect(sizes.find(budgets)).toBe(4_100_000);
});

test("sizes beyond the most that are remembered go, the oldest first", () => {
  const sizes = createKeptSizes();
  for (let budget = 1; budget <= 300; budget += 1) sizes.put(Uint32Array.of(budget), budget);
  expect(sizes.find(Uint32Array.of(1))).toBeNull();
  expect(sizes.find(Uint32Array.of(300))).toBe(300);
});
