import { describe, expect, it } from "vitest";
import { excerptOf, hasWords, wordsOf } from "../../../../electron/engine/search/excerpt.ts";
import { fold, placesOf } from "../../../../electron/engine/search/fold.ts";

const found = (text: string, search: string) => placesOf(fold(text), fold(search).text, 10).map(({ start, end }) => text.slice(start, end));

describe("what a person takes for the same", () => {
  it.each([
    ["Die STROMSTÄRKE", "stromstarke", ["STROMSTÄRKE"]],
    ["de\u0301cide, décide", "decide", ["de\u0301cide", "décide"]],
    ["the ﬁre oﬃcer", "fire officer", ["ﬁre oﬃcer"]],
    ["at most\n   3 A", "most 3 a", ["most\n   3 A"]],
    ["数据 と 数据", "数据", ["数据", "数据"]],
    ["aaaa", "aa", ["aa", "aa"]],
    ["👍🏽 good 👍", "good 👍", ["good 👍"]],
    ["nothing", "else", []],
    ["a text", " ", [" "]],
  ])("in %j is %j found as %j", (text, search, places) => {
    expect(found(text, search)).toEqual(places);
  });

  it("is nowhere for an empty text, and folds halves of characters and long ligatures without losing its place", () => {
    expect(placesOf(fold("abc"), "", 5)).toEqual([]);
    const text = `${"ﷺ".repeat(40)}end \ud83d`;
    expect(found(text, "end")).toEqual(["end"]);
    expect(found("İstanbul", "istanbul")).toEqual(["İstanbul"]);
  });
});

describe("an excerpt", () => {
  it("begins shortly before the first word, at a word, and marks them all, joined where they overlap", () => {
    const text = `${"filler words here ".repeat(10)}the harbour\nlight was built in 1874. ${"and more ".repeat(40)}`;
    const excerpt = excerptOf(text, ["harbour", "arbo", "light"]);
    expect(excerpt?.text).toMatch(/^…\S.*the harbour light was built in 1874\..*…$/);
    expect(excerpt?.marks.map(({ start, end }) => excerpt.text.slice(start, end))).toEqual(["harbour", "light"]);
    expect((excerpt?.text ?? "").length).toBeLessThan(180);
  });

  it("is the whole of a short text, and none of one without the words", () => {
    expect(excerptOf("Short.", ["short"])).toEqual({ text: "Short.", marks: [{ start: 0, end: 5 }] });
    expect(excerptOf("Short.", ["long"])).toBeNull();
  });

  it("takes a search apart into words", () => {
    expect(wordsOf("  Größe  der größe ")).toEqual(["große", "der"]);
    expect(hasWords("Der Größte", ["große", "der"])).toBe(false);
    expect(hasWords("Die Größen, der Reihe nach", ["große", "der"])).toBe(true);
  });
});
