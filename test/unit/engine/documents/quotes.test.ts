import { describe, expect, it } from "vitest";
import { findQuote } from "../../../../electron/engine/documents/quotes.ts";

describe("findQuote", () => {
  it("takes any blanks and line ends between words for the same", () => {
    const text = "The  seal\nmust be\u00a0replaced. The seal must hold.";
    expect(findQuote(text, " seal must be replaced.\n", 9)).toEqual([{ start: 5, end: 27 }]);
    expect(findQuote(text, "The seal must", 9).map(({ start, end }) => text.slice(start, end))).toEqual([
      "The  seal\nmust",
      "The seal must",
    ]);
  });

  it("takes every character for itself, and tells where it is in UTF-16 units", () => {
    expect(findQuote("😀 a.c (x|y) [*]", "(x|y) [*]", 9)).toEqual([{ start: 7, end: 16 }]);
    expect(findQuote("abc", "a.c", 9)).toEqual([]);
  });

  it("finds a quotation of many words", () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word${index}`);
    const text = `Before. ${words.join("\n")} After.`;
    expect(findQuote(text, words.join(" "), 9)).toEqual([{ start: 8, end: 8 + words.join(" ").length }]);
    expect(findQuote(text, `${words.join(" ")} not`, 9)).toEqual([]);
  });

  it("finds places that overlap, at most as many as wanted, and nothing without words", () => {
    expect(findQuote("aaaa", "aa", 9)).toHaveLength(3);
    expect(findQuote("aaaa", "aa", 2)).toHaveLength(2);
    expect(findQuote("aaaa", " \n", 9)).toEqual([]);
  });
});
