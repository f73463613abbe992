import { expect, it } from "vitest";
import { speedsOf } from "../../../bench/load/speedsOf.ts";

const done = { event: "done", cachedTokens: 0, prefillTokensPerSecond: 600, decodeTokensPerSecond: 60, answer: "Day 1" };

it("takes the speeds of an answer whose prompt was read whole", () => {
  expect(speedsOf(done)).toEqual({ prefillTokensPerSecond: 600, decodeTokensPerSecond: 60 });
});

it("refuses those of a prompt that was on disk: the few tokens that were left say nothing of reading", () => {
  expect(() => speedsOf({ ...done, cachedTokens: 768 })).toThrow(RangeError);
});
