import { describe, expect, it } from "vitest";
import { choosingPolicySchema, policyFacts } from "../../../../../electron/contract/policies.ts";
import { evenBudget, meanBudget } from "../../../../../electron/engine/lookahead/kept.ts";
import { futurePositions, unexpectedTokens } from "../../../../../electron/engine/lookahead/policies/expectedAttention.ts";
import { type Choice, draftTokens, type PolicyName, windowRows } from "../../../../../electron/engine/lookahead/policies/policy.ts";
import { pyramidBudgets } from "../../../../../electron/engine/lookahead/policies/pyramidkv.ts";
import { policyOf } from "../../../../../electron/engine/lookahead/policies/table.ts";
import type { Scores } from "../../../../../electron/engine/lookahead/scores.ts";
import { randomOf } from "../../../../../electron/engine/lookahead/xoshiro.ts";
import { below, keptRows, kindsOfScores, scoresOf, someTokens } from "../reference.ts";
import { plainPolicies, plainPyramid } from "./plain.ts";

/** A policy's selection, whose scores are given. */
function select(name: PolicyName, scores: Scores, choice: Choice) {
  const policy = policyOf(name);
  if (policy.rows === null) throw new TypeError(`${name} has no scores`);
  return policy.select(scores, choice);
}

const names = ["lookahead", "snapkv", "pyramidkv", "laq", "speckv", "h2o", "tova", "nacl", "expected-attention", "oracle"] as const;
const none = new Uint32Array(0);
const kernelOf = (name: PolicyName) => {
  const policy = policyOf(name);
  return policy.rows === null ? 1 : policy.poolKernel;
};
const choiceOf = (name: PolicyName, more: Partial<Choice> = {}): Choice => ({
  budget: 8,
  protectedTokens: none,
  promptRows: 3,
  poolKernel: kernelOf(name),
  seed: 5,
  ...more,
});

describe.each(names)("%s", (name) => {
  it.each(Object.entries(kindsOfScores))("chooses as its plain form does: %s", (kindName, kind) => {
    const random = randomOf(kindName.length, name.length);
    for (let round = 0; round < 25; round++) {
      const tokens = 1 + below(random, 90);
      const scores = scoresOf(kind, { layers: 1 + below(random, 5), heads: 1 + below(random, 3), tokens }, round);
      // From 1 to more than there are, small ones as often as others.
      const budget = 1 + below(random, round % 2 === 0 ? 6 : tokens + 3);
      const protectedTokens = someTokens(random, tokens, Math.min(budget, 12));
      const choice = choiceOf(name, { budget, protectedTokens, promptRows: 1 + below(random, 40), seed: round });
      const kept = select(name, scores, choice);
      expect(keptRows(kept), `round ${round}: ${tokens} tokens, budget ${budget}`).toEqual(plainPolicies[name](scores, choice));
      expect(meanBudget(kept)).toBe(Math.min(budget, tokens));
    }
  });

  it("keeps everything with a budget of all tokens or more, whatever the scores", () => {
    for (const kind of Object.values(kindsOfScores)) {
      const scores = scoresOf(kind, { layers: 3, heads: 2, tokens: 40 }, 2);
      for (const budget of [40, 41, 1_000_000]) {
        for (const row of keptRows(select(name, scores, choiceOf(name, { budget })))) expect(row).toEqual([...Array(40).keys()]);
      }
    }
  });

  it("keeps protected and pinned tokens, and nothing else where they fill the budget", () => {
    const scores = scoresOf(() => 0.5, { layers: 4, heads: 2, tokens: 60 }, 1);
    const protectedTokens = Uint32Array.of(0, 1, 2, 3, 20, 21, 22, 58, 59);
    for (const row of keptRows(select(name, scores, choiceOf(name, { budget: 9, protectedTokens }))))
      expect(row).toEqual([...protectedTokens]);
    for (const row of keptRows(select(name, scores, choiceOf(name, { budget: 24, protectedTokens })))) {
      expect(row).toEqual(expect.arrayContaining([...protectedTokens]));
    }
  });

  it("refuses a budget that the protected tokens do not go into, and leaves scores and choice as they were", () => {
    const scores = scoresOf(() => 0.5, { layers: 2, heads: 2, tokens: 30 }, 1);
    const before = scores.values.slice();
    const protectedTokens = Uint32Array.of(0, 1, 2);
    expect(() => select(name, scores, choiceOf(name, { budget: 2, protectedTokens }))).toThrow(RangeError);
    select(name, scores, choiceOf(name, { budget: 9, protectedTokens }));
    expect(scores.values).toEqual(before);
    expect([...protectedTokens]).toEqual([0, 1, 2]);
  });
});

describe("the pyramid", () => {
  it("falls from the first layer to the last and holds just what even budgets would, whatever the shape", () => {
    const random = randomOf(1);
    for (let round = 0; round < 3000; round++) {
      const layers = 1 + below(random, 80);
      const tokens = 1 + below(random, 5000);
      const budget = 1 + below(random, 600);
      const always = below(random, Math.min(budget, tokens) + 1);
      const budgets = [...pyramidBudgets({ layers, tokens }, budget, always)];
      const what = `${layers} layers, ${tokens} tokens, budget ${budget}, ${always} protected`;
      expect(
        budgets.reduce((sum, own) => sum + own, 0),
        what,
      ).toBe(layers * budget);
      expect(
        budgets.every((own, layer) => own <= (budgets[layer - 1] ?? own)),
        what,
      ).toBe(true);
      if (budget < tokens) expect(Math.max(...budgets), what).toBeLessThanOrEqual(tokens);
      expect(Math.min(...budgets), what).toBeGreaterThanOrEqual(Math.max(1, always));
      expect(budgets, what).toEqual(plainPyramid(layers, tokens, budget, always));
    }
  });

  it("is the paper's where the prompt is long: 2·base − base/20 above, base/20 below", () => {
    // base 200: 390 … 10, and the window of 32 with four first tokens in each.
    expect([...pyramidBudgets({ layers: 5, tokens: 4000 }, 236, 36)]).toEqual([426, 331, 236, 141, 46]);
    // Where the prompt is shorter, the first layer has all of it and the last one has the more.
    expect([...pyramidBudgets({ layers: 3, tokens: 316 }, 176, 36)]).toEqual([309, 176, 43]);
    expect([...pyramidBudgets({ layers: 3, tokens: 296 }, 176, 36)]).toEqual([296, 176, 56]);
  });

  it("is flat where the prompt is shorter than twice the base, and for one layer", () => {
    expect(
      evenBudget(
        select(
          "pyramidkv",
          scoresOf(() => 1, { layers: 6, heads: 1, tokens: 79 }, 1),
          choiceOf("pyramidkv", { budget: 40 }),
        ),
      ),
    ).toBe(40);
    expect([...pyramidBudgets({ layers: 1, tokens: 4000 }, 100, 36)]).toEqual([100]);
  });
});

describe("what is left to chance by nacl", () => {
  const scores = scoresOf((random) => random() / 2 ** 32, { layers: 40, heads: 5, tokens: 60 }, 4);
  const drawn = (seed: number, more: Partial<Choice> = {}) => select("nacl", scores, choiceOf("nacl", { budget: 20, seed, ...more }));

  it("is the same for the same seed, and other for another; the best are the same for all", () => {
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(2)).not.toEqual(drawn(1));
    // One of 20 is recent, 12 of the others are the best: those are there whatever the seed.
    const best = keptRows(select("oracle", scores, choiceOf("oracle", { budget: 12, poolKernel: 1 })));
    for (const seed of [1, 2, 3]) {
      for (const [index, row] of keptRows(drawn(seed)).entries()) expect(row).toEqual(expect.arrayContaining(best[index] ?? []));
    }
  });

  it("follows the softmax of the scores", () => {
    // 40 tokens of two kinds that one is drawn of: by the softmax of four rows' sums the likely kind is e² times as likely as the other.
    const shape = { layers: 500, heads: 4, tokens: 105 };
    const [protectedFirst, best] = [60, 60];
    const scoreOfToken = (token: number) => (token <= best ? 1 : token % 2 === 0 ? 0.6 : 0.1);
    const values = Float32Array.from({ length: 500 * 4 * 105 }, (_, index) => scoreOfToken(index % 105));
    // With the last four, which are the recent ones too, 64 tokens are protected; one is the best of the others, one is drawn.
    const protectedTokens = Uint32Array.from([...Array(protectedFirst).keys(), 101, 102, 103, 104]);
    const kept = select("nacl", { ...shape, values }, choiceOf("nacl", { budget: 66, protectedTokens, promptRows: 4, seed: 9 }));
    const counts = [0, 0];
    for (const row of keptRows(kept))
      for (const token of row.filter((one) => one > best && one < 101)) counts[token % 2] = (counts[token % 2] ?? 0) + 1;
    const [often = 0, seldom = 0] = counts;
    // 2,000 draws of one of 20 + 20 tokens: a share of e² / (e² + 1) = .881, standard deviation .0072.
    expect(often + seldom).toBe(2000);
    expect(Math.abs(often / 2000 - Math.exp(2) / (Math.exp(2) + 1))).toBeLessThan(5 * 0.0073);
  });
});

describe("the table", () => {
  it("has every policy under its own name", () => {
    for (const name of [...choosingPolicySchema.options, "oracle"] as const) expect(policyOf(name).name).toBe(name);
  });

  it("agrees with what the contract says of when they score, what they keep, and what they need", () => {
    for (const name of choosingPolicySchema.options) {
      const { rows } = policyOf(name);
      const scored = rows === null ? "never" : rows.behind === null && rows.expected !== true ? "reading" : "stage";
      const keptWindow = rows?.keepsThem === true ? rows.ofPrompt(10_000) : 0;
      expect(policyFacts[name], name).toMatchObject({ scored, keptWindow, needsDraftModel: rows?.behind === "draft-model" });
      // A draft and rows of all of the prompt need the whole of it, in a cache that was not kept from more; budgets by layer other cells
      // than a window has.
      const needsWhole = scored === "stage" && rows?.behind !== "module";
      expect(policyFacts[name].inWindows, name).toBe(!needsWhole && !["h2o", "pyramidkv"].includes(name));
      const shape = { layers: 2, heads: 1, tokens: 400, values: Float32Array.from({ length: 800 }, (_, place) => (place % 7) / 1e3) };
      const choice = { budget: 40, protectedTokens: Uint32Array.of(0), promptRows: 4, poolKernel: 1 };
      const drawn = [1, 2].map((seed) =>
        policyOf(name)
          .select(shape, { ...choice, seed })
          .indices.join(),
      );
      expect(policyFacts[name].seeded, name).toBe(drawn[0] !== drawn[1]);
    }
  });

  it("asks for as many rows as a policy's source says, and never more than there are", () => {
    const rowsOf = (name: PolicyName, tokens: number) => policyOf(name).rows?.ofPrompt(tokens);
    for (const name of ["snapkv", "pyramidkv", "laq", "speckv"] as const)
      expect([rowsOf(name, 900), rowsOf(name, 9)]).toEqual([windowRows, 9]);
    expect([rowsOf("h2o", 900), rowsOf("tova", 900)]).toEqual([900, 1]);
    expect([rowsOf("expected-attention", 900), rowsOf("expected-attention", 3)]).toEqual([896, 1]);
    expect([futurePositions, unexpectedTokens]).toEqual([512, 4]);
    expect([rowsOf("nacl", 1), rowsOf("nacl", 100), rowsOf("nacl", 101), rowsOf("nacl", 20_000)]).toEqual([1, 1, 2, 200]);
    expect([windowRows, draftTokens]).toEqual([32, 32]);
  });
});
