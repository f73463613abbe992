import { expect, test } from "vitest";
import { slowdown } from "../../../../electron/engine/documents/slowdown.ts";

test("limits grow with what waits for a core, and never shrink", () => {
  expect(slowdown(0, 2)).toBe(1);
  expect(slowdown(2, 2)).toBe(1);
  expect(slowdown(21, 2)).toBe(10.5);
  expect(slowdown(3, 8)).toBe(1);
  // A system that tells nothing.
  expect(slowdown(0, 0)).toBe(1);
  expect(slowdown()).toBeGreaterThanOrEqual(1);
});
