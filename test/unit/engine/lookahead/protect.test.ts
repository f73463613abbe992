import { describe, expect, it } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { type Protection, protectedTokens } from "../../../../electron/engine/lookahead/protect.ts";
import { randomOf } from "../../../../electron/engine/lookahead/xoshiro.ts";
import { below } from "./reference.ts";

const tokensOf = (protection: Protection) => [...protectedTokens(protection)];

function refusal(protection: Protection): LongsightError {
  try {
    protectedTokens(protection);
  } catch (error) {
    if (error instanceof LongsightError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

describe("protected tokens", () => {
  it("are the first four, the tail and the pinned passages, ascending", () => {
    const pinned = [
      { start: 12, end: 14 },
      { start: 7, end: 9 },
    ];
    expect(tokensOf({ promptTokens: 20, tailStart: 17, pinned, budget: 20 })).toEqual([0, 1, 2, 3, 7, 8, 12, 13, 17, 18, 19]);
  });

  it("are each there once where passages overlap, touch or lie in the tail", () => {
    const pinned = [
      { start: 2, end: 6 },
      { start: 5, end: 7 },
      { start: 7, end: 8 },
      { start: 9, end: 11 },
      { start: 4, end: 4 },
    ];
    expect(tokensOf({ promptTokens: 11, tailStart: 10, pinned, budget: 10 })).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9, 10]);
  });

  it("may be without sinks, tail and pins", () => {
    expect(tokensOf({ promptTokens: 5, sinks: 0, tailStart: 5, budget: 1 })).toEqual([]);
  });

  it("are all of a prompt that is shorter than the sinks", () => {
    expect(tokensOf({ promptTokens: 1, tailStart: 1, budget: 1 })).toEqual([0]);
    expect(tokensOf({ promptTokens: 2, tailStart: 0, budget: 256 })).toEqual([0, 1]);
    expect(tokensOf({ promptTokens: 0, tailStart: 0, budget: 1 })).toEqual([]);
  });

  it("may fill the budget, but not exceed it: the least budget is named, and it works", () => {
    const protection = { promptTokens: 100, tailStart: 90 };
    expect(tokensOf({ ...protection, budget: 14 })).toHaveLength(14);
    const { code, message } = refusal({ ...protection, budget: 13 });
    expect(code).toBe("usage");
    expect(message).toMatch(
      /budget of 13 tokens is too small.*14 tokens are always kept \(the first 4 and the last 10 of the prompt\)\..*at least 14\./,
    );
    expect(message).not.toMatch(/pinned/);
  });

  it("say how many of them are pinned, so that one knows what to let go", () => {
    const pinned = [{ start: 2, end: 24 }];
    const { message } = refusal({ promptTokens: 100, tailStart: 90, pinned, budget: 16 });
    expect(message).toMatch(
      /34 tokens are always kept \(the first 4, the last 10 of the prompt and 20 in pinned passages\)\. .*at least 34, or unpin/,
    );
  });

  it("equal a plain mark of each token on random ranges", () => {
    const random = randomOf(21);
    for (let round = 0; round < 200; round++) {
      const promptTokens = 1 + below(random, 60);
      const sinks = below(random, 8);
      const tailStart = below(random, promptTokens + 1);
      const pinned = Array.from({ length: below(random, 4) }, () => {
        const start = below(random, promptTokens + 1);
        return { start, end: start + below(random, promptTokens + 1 - start) };
      });
      const expected = Array.from({ length: promptTokens }, (_, token) => token).filter(
        (token) => token < sinks || token >= tailStart || pinned.some(({ start, end }) => token >= start && token < end),
      );
      expect(tokensOf({ promptTokens, sinks, tailStart, pinned, budget: Math.max(1, expected.length) })).toEqual(expected);
      if (expected.length > 0) {
        expect(refusal({ promptTokens, sinks, tailStart, pinned, budget: expected.length - 1 }).message).toContain(
          `at least ${expected.length}`,
        );
      }
    }
  });

  it.each([
    ["a tail beyond the prompt", { tailStart: 11 }],
    ["a tail before it", { tailStart: -1 }],
    ["negative sinks", { sinks: -1 }],
    ["a pin that ends beyond the prompt", { pinned: [{ start: 3, end: 11 }] }],
    ["a pin that ends before it starts", { pinned: [{ start: 3, end: 2 }] }],
    ["a pin that is no whole number", { pinned: [{ start: 0.5, end: 2 }] }],
  ])("refuse %s", (_what, change) => {
    expect(() => protectedTokens({ promptTokens: 10, tailStart: 8, budget: 10, ...change })).toThrow(RangeError);
  });
});
