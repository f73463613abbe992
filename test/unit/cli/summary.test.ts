import { describe, expect, it } from "vitest";
import { durationOf, policyNotice, sizeOf, summaryOf } from "../../../electron/cli/summary.ts";
import type { AnswerFigures } from "../../../electron/contract/conversation.ts";

const figures: AnswerFigures = {
  answer: "Yes.",
  stopReason: "end",
  model: "tiny",
  documentTokens: 6100,
  promptTokens: 6214,
  contextLength: 8192,
  cachedTokens: 0,
  evaluatedTokens: 6214,
  answerTokens: 20,
  policy: "lookahead",
  mode: "question",
  budget: 256,
  keptTokens: 256,
  kvType: "f16",
  seed: 1,
  fullCacheBytes: 143_170_560,
  keptCacheBytes: 5_898_240,
  peakRssBytes: 1,
  timings: { extractMs: 5, prefillMs: 61_200, scoringMs: 312.4, evictionMs: 48.6, firstTokenMs: 61_300, decodeMs: 1234 },
  prefillTokensPerSecond: 101.5,
  decodeTokensPerSecond: 31.4,
};

describe("summaryOf", () => {
  it("says what was read, kept and freed, and how long each stage took", () => {
    expect(summaryOf(figures)).toBe(
      "read 6,214 tokens · kept 256 per head · cache 143 MB → 5.9 MB · prefill 1 min 1 s · scoring 312 ms · eviction 49 ms · decode 1.2 s · 31.4 tokens/s",
    );
  });

  it("says nothing of what did not happen", () => {
    const timings = { ...figures.timings, scoringMs: 0, evictionMs: 0 };
    const whole = { ...figures, keptTokens: null, keptCacheBytes: figures.fullCacheBytes, timings, decodeTokensPerSecond: 0 };
    expect(summaryOf(whole)).toBe("read 6,214 tokens · cache 143 MB · prefill 1 min 1 s · decode 1.2 s");
  });
});

describe("words for sizes and times", () => {
  it.each([
    [0, "0 kB"],
    [12_345, "13 kB"],
    [1_000_000, "1 MB"],
    [5_960_000, "6 MB"],
    [9_949_000, "9.9 MB"],
    [143_170_560, "143 MB"],
    [1_449_000_000, "1.4 GB"],
  ])("%i bytes: %s", (bytes, words) => {
    expect(sizeOf(bytes)).toBe(words);
  });

  it.each([
    [0.4, "0 ms"],
    [999.4, "999 ms"],
    [1000, "1.0 s"],
    [59_900, "59.9 s"],
    [59_990, "1 min 0 s"],
    [125_400, "2 min 5 s"],
  ])("%d ms: %s", (milliseconds, words) => {
    expect(durationOf(milliseconds)).toBe(words);
  });
});

describe("policyNotice", () => {
  it("explains what was done in place of what was asked", () => {
    expect(policyNotice("lookahead", "lookahead", 6214)).toBeNull();
    expect(policyNotice("full", "full", 6214)).toBeNull();
    expect(policyNotice("lookahead", "snapkv", 6214)).toMatch(/no lookahead module.*snapkv.*--modules/);
    expect(policyNotice("snapkv", "full", 6214)).toMatch(/Nothing was evicted.*6,214/);
  });
});
