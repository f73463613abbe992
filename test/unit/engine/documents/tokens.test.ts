import { describe, expect, it } from "vitest";
import { tokenSpans, tokensTouching } from "../../../../electron/engine/documents/tokens.ts";

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

describe("tokensTouching", () => {
  const touched = (text: string, lengths: readonly number[], start: number, end: number) => {
    const range = tokensTouching(text, Uint32Array.from(lengths), { start, end });
    return Array.from({ length: range.end - range.start }, (_, index) => range.start + index);
  };

  it("gives the whole tokens that a range touches, from its first character to its last", () => {
    // "The| cat| sat|."
    expect(touched("The cat sat.", [3, 4, 4, 1], 4, 7)).toEqual([1]);
    expect(touched("The cat sat.", [3, 4, 4, 1], 2, 4)).toEqual([0, 1]);
    expect(touched("The cat sat.", [3, 4, 4, 1], 6, 12)).toEqual([1, 2, 3]);
    expect(touched("The cat sat.", [3, 4, 4, 1], 0, 12)).toEqual([0, 1, 2, 3]);
  });

  it("takes all tokens that share a character, also the one that begins before it", () => {
    // Bytes of "añb": 61, c3 b1, 62; the first token holds half of the ñ.
    expect(touched("añb", [2, 1, 1], 1, 2)).toEqual([0, 1]);
    expect(touched("a😀b", [1, 1, 2, 1, 1], 2, 3)).toEqual([1, 2, 3]);
    expect(touched("a😀b", [1, 1, 2, 1, 1], 1, 2)).toEqual([1, 2, 3]);
  });

  it("counts the space that a tokenizer puts first to the first token", () => {
    expect(touched("Hello world", [6, 6], 0, 1)).toEqual([0]);
    expect(touched("Hello world", [6, 6], 5, 6)).toEqual([1]);
  });

  it("finds what going through all bytes finds", () => {
    const text = "añ漢😀e\u0301 z and more";
    const bytes = new TextEncoder().encode(text).length;
    for (let seed = 1; seed < 300; seed += 1) {
      const lengths: number[] = [];
      for (let left = bytes; left > 0; left -= lengths[lengths.length - 1] ?? 1)
        lengths.push(Math.min(left, 1 + ((seed * (left + 3)) % 5)));
      const start = seed % (text.length - 1);
      const end = start + 1 + ((seed * 7) % (text.length - start));
      // Each byte's character begins at this unit.
      const unitOf = [...text].flatMap((character, index, all) =>
        Array.from({ length: new TextEncoder().encode(character).length }, () => all.slice(0, index).join("").length),
      );
      const isWithin = (unit: number, length: number) => unit < end && unit + length > start;
      let at = 0;
      const expected = lengths.flatMap((length, token) => {
        const own = unitOf.slice(at, at + length);
        at += length;
        return own.some((unit) => isWithin(unit, (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1)) ? [token] : [];
      });
      expect(touched(text, lengths, start, end), `seed ${seed}`).toEqual(expected);
    }
  });
});
