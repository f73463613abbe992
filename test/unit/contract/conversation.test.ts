import { describe, expect, it } from "vitest";
import {
  answerFiguresSchema,
  budgetSchema,
  defaultSampling,
  promptMeasureSchema,
  samplingSchema,
  turnSchema,
} from "../../../electron/contract/conversation.ts";

const figures = {
  answer: "",
  stopReason: "cancelled",
  model: "smollm2",
  documentTokens: 0,
  promptTokens: 1,
  contextLength: 256,
  cachedTokens: 0,
  restoredTokens: 0,
  evaluatedTokens: 1,
  rereadTokens: 0,
  answerTokens: 0,
  policy: "full",
  mode: "question",
  share: "score",
  budget: "full",
  keptTokens: null,
  documents: [],
  evidence: [],
  scoresStored: false,
  scoredFor: null,
  startedOver: null,
  evictions: 0,
  answerEvictions: 0,
  scoredRows: 0,
  kvType: "f16",
  seed: 0,
  fullCacheBytes: 0,
  keptCacheBytes: 0,
  peakRssBytes: 0,
  timings: { extractMs: 0, restoreMs: 0, prefillMs: 0, scoringMs: 0, evictionMs: 0, snapshotMs: 0, firstTokenMs: 0, decodeMs: 0 },
  prefillTokensPerSecond: 0,
  decodeTokensPerSecond: 0,
};

describe("the default sampling", () => {
  it("is one that the engine takes, greedy, and the same each time it is read", () => {
    expect(samplingSchema.parse(defaultSampling)).toEqual(defaultSampling);
    expect(defaultSampling).toMatchObject({ temperature: 0, seed: null, stop: [] });
  });
});

describe("figures", () => {
  it("of an answer from before anything was evicted say so", () => {
    const {
      keptTokens: _kept,
      scoredFor: _for,
      startedOver: _over,
      evictions: _all,
      answerEvictions: _written,
      scoredRows: _rows,
      rereadTokens: _again,
      share: _share,
      ...older
    } = figures;
    expect(answerFiguresSchema.parse(older)).toEqual(figures);
  });

  it("of an answer from before there were snapshots say that nothing came from one", () => {
    const { restoredTokens: _restored, timings, ...older } = figures;
    const { restoreMs: _restore, snapshotMs: _snapshot, ...olderTimings } = timings;
    expect(answerFiguresSchema.parse({ ...older, timings: olderTimings })).toEqual(figures);
  });

  it("of an answer from before documents had figures of their own have none", () => {
    const { documents: _documents, evidence: _evidence, scoresStored: _stored, ...older } = figures;
    expect(answerFiguresSchema.parse(older)).toEqual(figures);
  });

  it("of an answer that was stopped at once are figures too", () => {
    expect(answerFiguresSchema.parse(figures)).toEqual(figures);
  });

  it("survive being written as JSON, as the history does", () => {
    expect(answerFiguresSchema.parse(JSON.parse(JSON.stringify(figures)))).toEqual(figures);
    // What JSON makes of NaN and infinity is null, and no figure.
    for (const broken of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const written: unknown = JSON.parse(JSON.stringify({ ...figures, decodeTokensPerSecond: broken }));
      expect(answerFiguresSchema.safeParse(written).success).toBe(false);
    }
  });

  it.each(["promptTokens", "cachedTokens", "fullCacheBytes", "seed"])("take no negative or broken %s", (name) => {
    for (const value of [-1, 0.5, null]) expect(answerFiguresSchema.safeParse({ ...figures, [name]: value }).success).toBe(false);
  });
});

it("a turn carries how it ended", () => {
  const turn = {
    id: "t",
    question: "",
    answer: "",
    status: "failed",
    figures: null,
    problem: { code: "storage", message: "Full." },
    createdAt: 0,
  };
  expect(turnSchema.parse(turn)).toEqual(turn);
  expect(turnSchema.safeParse({ ...turn, status: "lost" }).success).toBe(false);
  expect(turnSchema.safeParse({ ...turn, problem: "Full." }).success).toBe(false);
});

it("a budget is a number of tokens or everything", () => {
  expect(["full", 1, 4096].map((budget) => budgetSchema.safeParse(budget).success)).toEqual([true, true, true]);
  expect([0, -1, 1.5, "128", "all", null].map((budget) => budgetSchema.safeParse(budget).success)).toEqual(Array(6).fill(false));
});

it("a measure has a context", () => {
  const measured = {
    documents: [],
    documentTokens: 0,
    questionTokens: 1,
    otherTokens: 2,
    promptTokens: 3,
    contextLength: 256,
    answerRoom: 0,
    fits: false,
  };
  expect(promptMeasureSchema.parse(measured)).toEqual(measured);
  expect(promptMeasureSchema.safeParse({ ...measured, contextLength: 0 }).success).toBe(false);
});
