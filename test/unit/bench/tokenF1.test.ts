import { describe, expect, it } from "vitest";
import { holdsGold, normalised, tokenF1 } from "../../../bench/answers/tokenF1.ts";

describe("SQuAD's F1", () => {
  it("compares words without case, punctuation and articles", () => {
    expect(normalised("The  “Quick” fox's den, an A.\n")).toEqual(["“quick”", "foxs", "den"]);
    expect(tokenF1(" The 308 points. ", ["308 Points"])).toBe(1);
    expect(tokenF1("theatre", ["atre"])).toBe(0);
  });

  it("is the harmonic mean of precision and recall", () => {
    // Two of four words are right, two of three found: 2 · ½ · ⅔ ÷ (½ + ⅔).
    expect(tokenF1("won it in Denver", ["Denver won twice"])).toBeCloseTo(4 / 7, 12);
  });

  it("counts a word as often as the gold answer has it", () => {
    expect(tokenF1("no no no", ["no"])).toBeCloseTo(0.5, 12);
    expect(tokenF1("no no", ["no no no no"])).toBeCloseTo(2 / 3, 12);
  });

  it("takes the best gold answer", () => {
    expect(tokenF1("in 1874", ["the spring", "1874"])).toBeCloseTo(2 / 3, 12);
  });

  it("gives nothing for an empty answer, or for one that shares nothing", () => {
    expect(tokenF1("", ["1874"])).toBe(0);
    expect(tokenF1("the", ["1874"])).toBe(0);
    expect(tokenF1("1875", ["1874"])).toBe(0);
    expect(tokenF1("an", ["the"])).toBe(1);
  });
});

describe("a gold answer in an answer", () => {
  it("stands there whole, whatever is around it", () => {
    expect(holdsGold("The first son is named Jochi, it says.", ["Jochi"])).toBe(true);
    expect(holdsGold("It was the Duke of Anjou.", ["nobody", "duke of the Anjou"])).toBe(true);
    expect(holdsGold("Jochis", ["Jochi"])).toBe(false);
    expect(holdsGold("of Anjou, the duke", ["duke of Anjou"])).toBe(false);
    expect(holdsGold("anything", ["the", ""])).toBe(false);
  });
});
