import { describe, expect, it } from "vitest";
import { parsePolicyOptions } from "../../../bench/policies/options.ts";
import type { PolicyOutcome } from "../../../bench/policies/outcome.ts";
import { foundOf } from "../../../bench/policies/recall.ts";
import { summarise, summaryTable } from "../../../bench/policies/summary.ts";
import { keepAll } from "../../../electron/engine/lookahead/select.ts";

describe("what was found of the truth", () => {
  const truth = { layers: 2, heads: 1, tokens: 4, values: Float32Array.of(0.1, 0.4, 0.3, 0.2, 0, 0, 0.5, 0.25) };

  const oracle = { layers: 2, heads: 1, tokens: 4, budgets: Uint32Array.of(2, 2), indices: Uint32Array.of(0, 1, 0, 2) };

  it("is the share of what the oracle keeps, of the best tokens, and of the attention, over layers and heads", () => {
    // Best two: 1, 2 and 2, 3.
    const kept = { layers: 2, heads: 1, tokens: 4, budgets: Uint32Array.of(2, 2), indices: Uint32Array.of(0, 1, 2, 3) };
    const { recall, truthRecall, mass } = foundOf(truth, oracle, kept);
    expect(recall).toBeCloseTo((1 + 0.5) / 2, 6);
    expect(truthRecall).toBeCloseTo((0.5 + 1) / 2, 6);
    expect(mass).toBeCloseTo((0.5 + 1) / 2, 6);
    expect(foundOf(truth, oracle, oracle).recall).toBe(1);
  });

  it("is all of it where everything is kept", () => {
    expect(foundOf(truth, oracle, keepAll(truth))).toEqual({ recall: 1, truthRecall: 1, mass: 1 });
  });

  it("is taken of the mean budget where layers differ", () => {
    const kept = { layers: 2, heads: 1, tokens: 4, budgets: Uint32Array.of(3, 1), indices: Uint32Array.of(0, 1, 2, 3) };
    // Of the best two the first layer has both, the second one.
    expect(foundOf(truth, oracle, kept).truthRecall).toBeCloseTo((1 + 0.5) / 2, 6);
    // Of the oracle's two the first layer has both, the second none.
    expect(foundOf(truth, oracle, kept).recall).toBeCloseTo((1 + 0) / 2, 6);
  });

  it("is nothing where there is no attention, and refused for other shapes", () => {
    const none = { layers: 1, heads: 1, tokens: 2, values: new Float32Array(2) };
    expect(foundOf(none, keepAll(none), keepAll(none)).mass).toBe(0);
    expect(() => foundOf(truth, oracle, keepAll(none))).toThrow(RangeError);
    expect(() => foundOf(truth, keepAll(none), oracle)).toThrow(RangeError);
  });
});

describe("the summary of policies", () => {
  const outcome = (index: number, recall: number, scoringMs: number): PolicyOutcome => ({
    index,
    promptTokens: 600,
    answerTokens: 5,
    answer: "x",
    prefillMs: 1000,
    seconds: 1,
    rows: ["snapkv", "pyramidkv"].map((policy) => ({
      policy,
      readingMs: 10,
      draftMs: 0,
      scoringMs,
      budgets: [64, 128].map((budget) => ({
        budget,
        keptTokens: budget,
        recall: policy === "snapkv" ? recall : 0.25,
        truthRecall: 0.5,
        mass: 0.5,
        selectionMs: budget / 64,
        keptBytes: budget * 23_040,
      })),
    })),
  });
  const outcomes = [outcome(0, 0.5, 3), outcome(1, 0.75, 5), outcome(2, 0.25, 400)];

  it("has means of what was kept and medians of times", () => {
    const { policies } = summarise(outcomes, ["snapkv", "pyramidkv"], [64, 128]);
    expect(policies[0]).toMatchObject({ policy: "snapkv", scoringMs: 5, readingMs: 10, selectionMs: 2 });
    expect(policies[0]?.budgets[0]).toEqual({ budget: 64, recall: 0.5, truthRecall: 0.5, mass: 0.5, keptBytes: 64 * 23_040 });
  });

  it("is shown in columns", () => {
    const lines = summaryTable(summarise(outcomes, ["snapkv", "pyramidkv"], [64, 128])).split("\n");
    expect(lines[0]).toMatch(
      /^policy\s+recall@64\s+recall@128\s+as oracle@64\s+as oracle@128\s+mass@64\s+mass@128\s+MB@64\s+MB@128\s+while reading, ms/,
    );
    expect(lines[1]).toMatch(/^snapkv\s+0\.500\s+0\.500\s+0\.500\s+0\.500\s+0\.500\s+0\.500\s+1\.47\s+2\.95\s+10\.0\s+0\.0\s+5\.0\s+2\.0$/);
    expect(lines[2]).toMatch(/^pyramidkv\s+0\.500\s+0\.500\s+0\.250\s+0\.250\s+0\.500\s+0\.500\s+1\.47\s+2\.95/);
    expect(lines[3]).toMatch(/^reading the prompt\s+1000\.0$/);
  });
});

describe("its options", () => {
  it("have defaults, and a draft model or none", () => {
    expect(parsePolicyOptions([])).toMatchObject({ tokens: 2000, items: 10, budgets: [64, 128, 256], draft: null, modules: ["untrained"] });
    expect(parsePolicyOptions(["--draft", "small.gguf", "--modules", ""])).toMatchObject({ draft: "small.gguf", modules: [] });
    expect(() => parsePolicyOptions(["--variant", "single"])).toThrow(/--variant[\s\S]*Options: .*--draft/);
  });
});
