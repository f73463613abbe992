import { describe, expect, it } from "vitest";
import { type EvictionPlan, planKept } from "../../../../electron/engine/lookahead/plan.ts";
import type { PolicyName } from "../../../../electron/engine/lookahead/policies/policy.ts";
import { createScoreShelf, type ScoreSubject, withStoredScores } from "../../../../electron/engine/lookahead/scoreShelf.ts";
import type { Scores } from "../../../../electron/engine/lookahead/scores.ts";

const planOf = (policy: PolicyName, budget = 64): EvictionPlan =>
  planKept({ policy, budget }, { promptTokens: 100, questionStart: 90, tailStart: 90 }, null, 0);
const promptOf = (first: number) => Uint32Array.from({ length: 100 }, (_, token) => first + token);
const subjectOf = (policy: PolicyName, change: Partial<ScoreSubject> = {}): ScoreSubject => ({
  prompt: promptOf(1),
  plan: planOf(policy),
  draftModel: null,
  ...change,
});
/** Scores of 400 bytes. */
const scores = (): Scores => ({ layers: 1, heads: 1, tokens: 100, values: new Float32Array(100) });

describe("a shelf of scores", () => {
  it("finds them by the prompt's tokens and the rows that scored, whatever the budget", () => {
    const shelf = createScoreShelf();
    const own = scores();
    shelf.put(subjectOf("snapkv"), own, false);
    expect(shelf.find(subjectOf("snapkv", { plan: planOf("snapkv", 80) }), false)).toBe(own);
    expect(shelf.find(subjectOf("pyramidkv"), false)).toBe(own);
    for (const other of ["tova", "h2o", "nacl", "expected-attention", "speckv", "laq", "streamingllm"] as const)
      expect(shelf.find(subjectOf(other), false)).toBeNull();
    expect(shelf.find(subjectOf("snapkv", { prompt: promptOf(2) }), false)).toBeNull();
    expect(shelf.find(subjectOf("snapkv", { prompt: promptOf(1).subarray(0, 99) }), false)).toBeNull();
  });

  it("keeps what queries are expected to pay apart from what they paid, of prompts of any length", () => {
    const shelf = createScoreShelf();
    // As many rows: 96 of 100 tokens, and a window of 96.
    const expected = planOf("expected-attention");
    expect(expected.promptRows).toBe(96);
    shelf.put(subjectOf("expected-attention"), scores(), false);
    expect(shelf.find(subjectOf("snapkv", { plan: { ...planOf("snapkv"), promptRows: 96 } }), false)).toBeNull();
    expect(shelf.find(subjectOf("expected-attention", { plan: planOf("expected-attention", 80) }), false)).not.toBeNull();
  });

  it("keeps the drafts of different models apart, and nothing that depends on the budget", () => {
    const shelf = createScoreShelf();
    shelf.put(subjectOf("speckv", { draftModel: "/a.gguf" }), scores(), false);
    expect(shelf.find(subjectOf("speckv", { draftModel: "/a.gguf" }), false)).not.toBeNull();
    expect(shelf.find(subjectOf("speckv", { draftModel: "/b.gguf" }), false)).toBeNull();
    shelf.put(subjectOf("laq"), scores(), false);
    expect(shelf.find(subjectOf("laq"), false)).toBeNull();
  });

  it("gives scores of a rounded cache only to who takes them", () => {
    const shelf = createScoreShelf();
    shelf.put(subjectOf("tova"), scores(), true);
    expect(shelf.find(subjectOf("tova"), false)).toBeNull();
    expect(shelf.find(subjectOf("tova"), true)).not.toBeNull();
    shelf.put(subjectOf("tova"), scores(), false);
    expect(shelf.find(subjectOf("tova"), false)).not.toBeNull();
    expect(shelf.find(subjectOf("tova"), true)).not.toBeNull();
  });

  it("holds no more bytes and entries than it may: what was used last stays", () => {
    const shelf = createScoreShelf({ bytes: 1000, entries: 2 });
    const of = (first: number) => subjectOf("snapkv", { prompt: promptOf(first) });
    shelf.put(of(1), scores(), false);
    shelf.put(of(2), scores(), false);
    expect(shelf.find(of(1), false)).not.toBeNull();
    shelf.put(of(3), scores(), false);
    expect([1, 2, 3].map((first) => shelf.find(of(first), false) !== null)).toEqual([true, false, true]);
    shelf.put(of(4), { layers: 1, heads: 2, tokens: 100, values: new Float32Array(200) }, false);
    expect([1, 3, 4].map((first) => shelf.find(of(first), false) !== null)).toEqual([false, false, true]);
    // More than all of it: what is there stays.
    shelf.put(of(5), { layers: 1, heads: 3, tokens: 100, values: new Float32Array(300) }, false);
    expect([4, 5].map((first) => shelf.find(of(first), false) !== null)).toEqual([true, false]);
  });

  it("lets a plan score nothing any more", () => {
    const own = scores();
    expect(withStoredScores(planOf("speckv"), own)).toMatchObject({ policy: "speckv", rowsBehind: 0, stored: own, promptRows: 32 });
  });
});
