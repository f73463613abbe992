import { expect, test } from "vitest";
import { firstWords } from "../../../../renderer/text/firstWords.ts";

test("a long text is cut between words, a short one stays", () => {
  expect(firstWords("Keep the\n seal dry.", 60)).toBe("Keep the seal dry.");
  expect(firstWords("Keep the seal, and the ring, dry.", 16)).toBe("Keep the seal…");
  expect(firstWords("Donaudampfschifffahrt", 10)).toBe("Donaudamp…");
  expect(firstWords("防水シールを乾いた状態に保つ", 8)).toBe("防水シールを乾…");
});
