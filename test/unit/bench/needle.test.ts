import { describe, expect, it } from "vitest";
import { depthOf, isFound, makeItems, variants, type Words } from "../../../bench/needles/needle.ts";

const syllables = ["ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu"];
const wordsWith = (end: string) => syllables.flatMap((one) => syllables.map((two) => `${one}${two}${end}`));
const words: Words = { adjectives: wordsWith("y"), nouns: wordsWith("t") };

describe("needles", () => {
  it("lie at depths spread evenly over 10 to 90 %", () => {
    const depths = [0, 1, 2, 3, 4].map((index) => depthOf(index, 5));
    [0.1, 0.3, 0.5, 0.7, 0.9].forEach((depth, index) => {
      expect(depths[index]).toBeCloseTo(depth, 12);
    });
    expect(depthOf(0, 1)).toBe(0.5);
  });

  it.each(variants)("are the same each time, with keys of their own (%s)", (variant) => {
    const items = makeItems(variant, 12, words);
    expect(makeItems(variant, 12, words)).toEqual(items);
    const keys = items.flatMap(({ needles }) => needles.map(({ key }) => key));
    expect(new Set(keys).size).toBe(keys.length);
    for (const [index, { needles, question, opening }] of items.entries()) {
      const [asked] = needles;
      expect(needles).toHaveLength(variant === "several" ? 4 : 1);
      expect(asked.depth).toBe(depthOf(index, 12));
      expect(asked.value).toMatch(variant === "words" ? /^[a-z]+ [a-z]+$/ : /^\d{7}$/);
      expect(question).toContain(asked.key);
      expect(`${question} ${opening}`).not.toContain(asked.value);
      for (const { key, value, sentence, depth } of needles) {
        expect(sentence).toContain(`for ${key} is: ${value}.`);
        expect(depth).toBeGreaterThanOrEqual(0.1);
        expect(depth).toBeLessThanOrEqual(0.9);
      }
    }
  });

  it("are worded as issue 5 has them", () => {
    const [item] = makeItems("single", 1, words);
    const { key, value, sentence } = item?.needles[0] ?? { key: "", value: "", sentence: "" };
    expect(sentence).toBe(`One of the special magic numbers for ${key} is: ${value}.`);
    expect(item?.question).toBe(`What is the special magic number for ${key} mentioned in the text?`);
    expect(item?.opening).toBe(`The special magic number for ${key} mentioned in the text is`);
  });

  it("lie apart where there are several", () => {
    for (const { needles } of makeItems("several", 9, words)) {
      const depths = needles.map(({ depth }) => depth).sort();
      for (let place = 1; place < depths.length; place++) {
        expect((depths[place] ?? 0) - (depths[place - 1] ?? 0)).toBeCloseTo(0.2, 9);
      }
    }
  });

  it("are refused where the words do not go round", () => {
    expect(() => makeItems("several", 26, words)).toThrow(RangeError);
    expect(() => makeItems("single", 1, { adjectives: [], nouns: [] })).toThrow(RangeError);
  });

  it("are found as whole numbers and whole words only", () => {
    expect(isFound("7649555", " 7649555. It is")).toBe(true);
    expect(isFound("7649555", "the number is:7649555")).toBe(true);
    expect(isFound("7649555", " 76495551")).toBe(false);
    expect(isFound("7649555", " 17649555")).toBe(false);
    expect(isFound("7649555", " 7649 555")).toBe(false);
    expect(isFound("lamp river", "The words are: Lamp\nriver.")).toBe(true);
    expect(isFound("lamp river", "lamp rivers")).toBe(false);
    expect(isFound("lamp river", "river lamp")).toBe(false);
  });
});
