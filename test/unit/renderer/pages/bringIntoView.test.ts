import { expect, test } from "vitest";
import { createArrivals } from "../../../../renderer/pages/bringIntoView.ts";

test("a passage that was jumped to takes the view there once; another jump to the same place does again", () => {
  const arrives = createArrivals();
  const passage = { documentId: "d".repeat(64), page: 3, start: 10, end: 20 };
  expect(arrives(passage)).toBe(true);
  expect(arrives(passage)).toBe(false);
  expect(arrives({ ...passage })).toBe(true);
  expect(arrives(passage)).toBe(false);
});
