import { describe, expect, it } from "vitest";
import { durationOf, heatmapNotices, moduleNotice, policyNotice, scoringWords, sizeOf, summaryOf } from "../../../electron/cli/summary.ts";
import type { AnswerFigures } from "../../../electron/contract/conversation.ts";

const figures: AnswerFigures = {
  answer: "Yes.",
  stopReason: "end",
  model: "tiny",
  documentTokens: 6100,
  promptTokens: 6214,
  contextLength: 8192,
  cachedTokens: 0,
  restoredTokens: 0,
  evaluatedTokens: 6214,
  answerTokens: 20,
  policy: "lookahead",
  mode: "question",
  share: "score",
  rereadTokens: 0,
  scoredFor: null,
  startedOver: null,
  evictions: 0,
  answerEvictions: 0,
  scoredRows: 0,
  budget: 256,
  keptTokens: 256,
  documents: [],
  evidence: [],
  scoresStored: false,
  kvType: "f16",
  seed: 1,
  fullCacheBytes: 143_170_560,
  keptCacheBytes: 5_898_240,
  peakRssBytes: 1,
  timings: {
    extractMs: 5,
    restoreMs: 0,
    prefillMs: 61_200,
    scoringMs: 312.4,
    evictionMs: 48.6,
    snapshotMs: 0,
    firstTokenMs: 61_300,
    decodeMs: 1234,
  },
  prefillTokensPerSecond: 101.5,
  decodeTokensPerSecond: 31.4,
};

describe("summaryOf", () => {
  it("says what was read, kept and freed, and how long each stage took", () => {
    expect(summaryOf(figures)).toBe(
      "read 6,214 tokens · kept 256 per head · cache 143 MB → 5.9 MB · lookahead · prefill 1 min 1 s · scoring 312 ms · eviction 49 ms · decode 1.2 s · 31.4 tokens/s",
    );
  });

  it("says what came from disk", () => {
    const restored = { ...figures, restoredTokens: 6144, timings: { ...figures.timings, restoreMs: 421, prefillMs: 800 } };
    expect(summaryOf(restored)).toMatch(
      /^read 6,214 tokens · 6,144 of them from disk in 421 ms · kept 256 per head · .* · prefill 800 ms · /,
    );
  });

  it("says nothing of what did not happen", () => {
    const timings = { ...figures.timings, scoringMs: 0, evictionMs: 0 };
    const whole = { ...figures, keptTokens: null, keptCacheBytes: figures.fullCacheBytes, timings, decodeTokensPerSecond: 0 };
    expect(summaryOf(whole)).toBe("read 6,214 tokens · cache 143 MB · prefill 1 min 1 s · decode 1.2 s");
  });
});

describe("scoringWords", () => {
  it("gives a time only to what is a stage of its own", () => {
    expect(scoringWords("lookahead", 312.4)).toEqual(["scoring 312 ms"]);
    expect(scoringWords("lookahead", 0)).toEqual([]);
    for (const policy of ["snapkv", "pyramidkv", "h2o", "tova", "nacl"] as const) {
      expect(scoringWords(policy, 0.3)).toEqual(["scored while reading"]);
    }
    for (const policy of ["laq", "speckv", "expected-attention"] as const) expect(scoringWords(policy, 1200)).toEqual(["scoring 1.2 s"]);
    for (const policy of ["streamingllm", "random", "full"] as const) expect(scoringWords(policy, 0.3)).toEqual([]);
    expect(summaryOf({ ...figures, policy: "snapkv" })).toContain(" · scored while reading · eviction");
    expect(summaryOf({ ...figures, policy: "random" })).not.toContain("scor");
    expect(summaryOf({ ...figures, policy: "full", keptTokens: null })).not.toContain("scor");
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

describe("heatmapNotices", () => {
  const drawn = { policy: "snapkv", budget: 64, promptTokens: 812 } as const;
  it("says what stands in, and that nothing would be evicted; then no policy chose", () => {
    expect(heatmapNotices("snapkv", drawn)).toEqual([]);
    expect(heatmapNotices("lookahead", drawn)).toEqual([expect.stringMatching(/no lookahead module.*would be kept.*snapkv.*--modules/)]);
    expect(heatmapNotices("snapkv", { ...drawn, budget: 812 })).toEqual([expect.stringMatching(/Nothing would be evicted.*812/)]);
    const [first, second, ...more] = heatmapNotices("lookahead", { ...drawn, budget: 5000 });
    expect(first).toMatch(/Nothing would be evicted.*5,000.*812/);
    expect(second).toMatch(/so the scores are those of the policy snapkv/);
    expect(second).not.toMatch(/kept|chose/);
    expect(more).toEqual([]);
  });
});

describe("moduleNotice", () => {
  it("warns of a module that has learned nothing", () => {
    expect(moduleNotice({ name: "m", steps: 0 })).toMatch(/“m” has not learned anything.*expect poor choices/);
    expect(moduleNotice({ name: "m", steps: 1 })).toBeNull();
    expect(moduleNotice(null)).toBeNull();
  });
});
