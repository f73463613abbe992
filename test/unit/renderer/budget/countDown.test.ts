import { expect, test } from "vitest";
import { countedDown } from "../../../../renderer/budget/countDown.ts";

test("a size counts down from the one to the other without ever going back or beyond", () => {
  const shown = Array.from({ length: 101 }, (_, step) => countedDown(754_000_000, 4_100_000, step / 100));
  expect(shown[0]).toBe(754_000_000);
  expect(shown[100]).toBe(4_100_000);
  for (const [step, bytes] of shown.entries()) expect(bytes).toBeLessThanOrEqual(shown[step - 1] ?? Infinity);
  // Seen all the way, not only at its ends.
  expect(new Set(shown).size).toBeGreaterThan(80);
});

test("where there is nothing to count down, the size is there at once", () => {
  expect(countedDown(10, 10, 0)).toBe(10);
  expect(countedDown(5, 10, 0.5)).toBe(10);
  expect(countedDown(5, 0, 0.5)).toBe(0);
});
