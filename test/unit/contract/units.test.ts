import { describe, expect, it } from "vitest";
import { passagesOf } from "../../../electron/contract/passages.ts";
import { keptOf, unitsOf } from "../../../electron/contract/units.ts";
import { heatmapOf } from "../support/heatmap.ts";

const pieces = [
  "The",
  " har",
  "bour",
  " light",
  " is",
  " 7",
  "34",
  ".",
  " It",
  " burns",
  "\nall",
  " night",
  ".",
  "\n\n",
  "New",
  " part",
  ".",
];
const scores = pieces.map((_, token) => token / 100);
const [page] = passagesOf(heatmapOf([{ kind: "page", document: "a", page: 1, pieces }], { scores: (token) => scores[token] ?? 0 }));
if (page === undefined) throw new Error("no page");
const textOf = (granularity: Parameters<typeof unitsOf>[1]) =>
  unitsOf(page, granularity).map(({ start, end }) => page.text.slice(start, end));

describe("unitsOf", () => {
  it("cuts at tokens, words, sentences and paragraphs, without gaps", () => {
    expect(textOf("token")).toEqual(pieces);
    expect(textOf("word")).toEqual([
      "The",
      " harbour",
      " light",
      " is",
      " 734",
      ".",
      " It",
      " burns",
      "\nall",
      " night",
      ".",
      "\n\n",
      "New",
      " part",
      ".",
    ]);
    expect(textOf("sentence")).toEqual(["The harbour light is 734.", " It burns\nall night.\n\n", "New part."]);
    expect(textOf("paragraph")).toEqual(["The harbour light is 734. It burns\nall night.\n\n", "New part."]);
    for (const granularity of ["token", "word", "sentence", "paragraph"] as const) expect(textOf(granularity).join("")).toBe(page.text);
  });

  it("takes a word's highest score and a sentence's mean", () => {
    const number = unitsOf(page, "word").find(({ start }) => page.text.startsWith(" 734", start));
    expect(number).toMatchObject({ token: 5, tokens: 2 });
    expect(number?.score).toBeCloseTo(0.06, 6);
    const [first] = unitsOf(page, "sentence");
    expect(first).toMatchObject({ token: 0, tokens: 8 });
    expect(first?.score).toBeCloseTo(0.035, 6);
  });

  it("has nothing to cut in an empty page", () => {
    for (const granularity of ["token", "word", "sentence", "paragraph"] as const)
      expect(unitsOf({ text: "", cells: [] }, granularity)).toEqual([]);
  });
});

describe("keptOf", () => {
  const kept = Uint16Array.from([0, 4, 10, 1]);
  it("is a word's best and a sentence's mean", () => {
    expect(keptOf({ token: 1, tokens: 3 }, kept, "word")).toBe(10);
    expect(keptOf({ token: 1, tokens: 3 }, kept, "sentence")).toBe(5);
  });
});
