import { describe, expect, it } from "vitest";
import { tokenSpans } from "../../../../electron/engine/documents/tokens.ts";

function starts(text: string, lengths: readonly number[]): number[] {
  return [...tokenSpans(text, Uint32Array.from(lengths))];
}

describe("tokenSpans", () => {
  it("goes by bytes for plain letters", () => {
    expect(starts("The cat", [3, 4])).toEqual([0, 3, 7]);
  });

  it("gives tokens that start inside a character its start", () => {
    // 😀 is 4 bytes and 2 units; its tokens of 1, 2 and 1 bytes all stand at it.
    expect(starts("a😀b", [1, 1, 2, 1, 1])).toEqual([0, 1, 1, 1, 3, 4]);
  });

  it("counts three bytes for a Chinese character and two for a combining mark", () => {
    expect(starts("漢字x", [3, 2, 1, 1])).toEqual([0, 1, 1, 2, 3]);
    expect(starts("e\u0301a", [1, 2, 1])).toEqual([0, 1, 2, 3]);
  });

  it("takes the space that a tokenizer puts first off the first token", () => {
    expect(starts("Hello world", [6, 6])).toEqual([0, 5, 11]);
    expect(starts("Hi", [1, 2])).toEqual([0, 0, 2]);
  });

  it("has a start for tokens without bytes, and the end for no tokens", () => {
    expect(starts("ab", [0, 1, 0, 1])).toEqual([0, 0, 1, 1, 2]);
    expect(starts("ab", [])).toEqual([2]);
    expect(starts("", [])).toEqual([0]);
  });

  it("never runs backwards or past the end, whatever the lengths", () => {
    const text = "añ漢😀e\u0301 z";
    for (let seed = 1; seed < 200; seed += 1) {
      const lengths = Array.from({ length: 6 }, (_, index) => (seed * (index + 7) * 31) % 5);
      const spans = starts(text, lengths);
      expect(spans).toEqual([...spans].sort((one, other) => one - other));
      expect(Math.max(...spans)).toBeLessThanOrEqual(text.length);
      for (const start of spans) expect(text.charCodeAt(start) >> 10).not.toBe(0x37);
    }
  });
});
