import { describe, expect, it } from "vitest";
import type { ChoosingPolicy } from "../../../../electron/contract/policies.ts";
import type { Choice } from "../../../../electron/engine/lookahead/policies/policy.ts";
import { policyOf } from "../../../../electron/engine/lookahead/policies/table.ts";
import type { KeptTokens, Scores } from "../../../../electron/engine/lookahead/scores.ts";
import { selectTop } from "../../../../electron/engine/lookahead/select.ts";
import { createQuotas, type DocumentShares } from "../../../../electron/engine/lookahead/shares.ts";
import { randomOf } from "../../../../electron/engine/lookahead/xoshiro.ts";
import { below, keptRows, kindsOfScores, plainPool, plainTop, rowsOf, scoresOf, someTokens } from "./reference.ts";

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, number) => total + number, 0);

/** The quotas by giving one token after the other, each time looking at every document. */
function plainQuotas(total: number, capacities: readonly number[], rule: DocumentShares["rule"]): number[] {
  const given = capacities.map(() => 0);
  for (let token = 0; token < total; token++) {
    const claims = capacities.map((capacity, document) => {
      const own = given[document] ?? 0;
      return own >= capacity ? -1 : (rule === "even" ? 1 : capacity) / (2 * own + 1);
    });
    const next = claims.indexOf(Math.max(...claims));
    given[next] = (given[next] ?? 0) + 1;
  }
  return given;
}

describe("quotas", () => {
  it("are even, or by length, and sum up to the total", () => {
    expect([...createQuotas([100, 200, 300], "even")(60)]).toEqual([20, 20, 20]);
    expect([...createQuotas([100, 200, 300], "even")(61)]).toEqual([21, 20, 20]);
    expect([...createQuotas([100, 200, 300], "length")(60)]).toEqual([10, 20, 30]);
    expect([...createQuotas([5], "length")(3)]).toEqual([3]);
    expect([...createQuotas([5, 5], "even")(0)]).toEqual([0, 0]);
  });

  it("give what a short document has no use for to the others", () => {
    expect([...createQuotas([4, 100, 100], "even")(60)]).toEqual([4, 28, 28]);
    expect([...createQuotas([0, 3, 3], "length")(6)]).toEqual([0, 3, 3]);
    expect(() => createQuotas([1, 2], "even")(4)).toThrow(RangeError);
  });

  it("are those of the plain form, and a larger total takes nothing away", () => {
    const random = randomOf(3, 1);
    for (let round = 0; round < 60; round++) {
      const capacities = Array.from({ length: 1 + below(random, 5) }, () => below(random, 40));
      const rule = round % 2 === 0 ? "even" : "length";
      const quotasOf = createQuotas(capacities, rule);
      let before = capacities.map(() => 0);
      for (let total = 0; total <= sum(capacities); total++) {
        const quotas = [...quotasOf(total)];
        expect(quotas).toEqual(plainQuotas(total, capacities, rule));
        expect(sum(quotas)).toBe(total);
        expect(quotas.every((quota, document) => quota >= (before[document] ?? 0))).toBe(true);
        before = quotas;
      }
    }
  });
});

/** Documents somewhere among so many tokens, ascending and apart. */
function someDocuments(random: ReturnType<typeof randomOf>, tokens: number): { start: number; end: number }[] {
  const ends = Array.from({ length: 2 * (2 + below(random, 3)) }, () => below(random, tokens + 1)).sort((one, other) => one - other);
  return Array.from({ length: ends.length / 2 }, (_, index) => ({ start: ends[2 * index] ?? 0, end: ends[2 * index + 1] ?? 0 }));
}

/** One row by the rule's own words. */
function plainShared(row: readonly number[], budget: number, protectedTokens: readonly number[], { rule, documents }: DocumentShares) {
  const within = (token: number, { start, end }: { start: number; end: number }) => token >= start && token < end;
  const pooled = plainTop(row, budget, protectedTokens);
  const free = (document: { start: number; end: number }) => (token: number) => within(token, document) && !protectedTokens.includes(token);
  const total = sum(documents.map((document) => pooled.filter(free(document)).length));
  const capacities = documents.map((document) => row.filter((_, token) => free(document)(token)).length);
  const quotas = plainQuotas(total, capacities, rule);
  const chosen = documents.flatMap((document, index) => {
    const only = row.map((value, token) => (free(document)(token) ? value : Number.NEGATIVE_INFINITY));
    const best = row
      .map((_, token) => token)
      .filter(free(document))
      .sort((one, other) => Math.max(-1, only[other] || 0) - Math.max(-1, only[one] || 0) || one - other);
    return best.slice(0, quotas[index]);
  });
  const rest = pooled.filter((token) => protectedTokens.includes(token) || !documents.some((document) => within(token, document)));
  return [...rest, ...chosen].sort((one, other) => one - other);
}

describe("a selection with shares", () => {
  it("keeps each document's quota in every layer and head, as the plain form does", () => {
    const random = randomOf(11, 4);
    for (let round = 0; round < 80; round++) {
      const tokens = 4 + below(random, 70);
      const scores = scoresOf((next) => below(next, 6) / 7, { layers: 2, heads: 2, tokens }, round);
      const budget = 1 + below(random, tokens);
      const protectedTokens = someTokens(random, tokens, Math.min(budget, 6));
      const share: DocumentShares = { rule: round % 2 === 0 ? "even" : "length", documents: someDocuments(random, tokens) };
      const kept = keptRows(selectTop(scores, budget, protectedTokens, 3, share));
      const expected = rowsOf(scores).map((row) => plainShared(plainPool(row, 3), budget, [...protectedTokens], share));
      expect(kept, `round ${round}`).toEqual(expected);
    }
  });

  it.each([
    "lookahead",
    "snapkv",
    "pyramidkv",
    "laq",
    "speckv",
    "h2o",
    "tova",
    "nacl",
    "expected-attention",
    "streamingllm",
    "random",
  ] as const)("of %s keeps its budget and its protected tokens", (name: ChoosingPolicy) => {
    const random = randomOf(5, name.length);
    for (const kind of Object.values(kindsOfScores)) {
      const scores = scoresOf(kind, { layers: 3, heads: 2, tokens: 80 }, 1);
      const protectedTokens = someTokens(random, 80, 6);
      const share: DocumentShares = {
        rule: "even",
        documents: [
          { start: 3, end: 10 },
          { start: 12, end: 40 },
          { start: 40, end: 75 },
        ],
      };
      const choice: Choice = { budget: 30, protectedTokens, promptRows: 4, poolKernel: 3, seed: 2, share };
      const select = (more: Partial<Choice> = {}): KeptTokens => selectBy(name, scores, { ...choice, ...more });
      const rows = keptRows(select());
      expect(sum(rows.map((row) => row.length))).toBe(30 * 6);
      for (const row of rows) {
        expect(row).toEqual([...new Set(row)].sort((one, other) => one - other));
        for (const token of protectedTokens) expect(row).toContain(token);
      }
      // One document of all tokens, or none, is no division at all.
      const { share: _share, ...plain } = choice;
      expect(select({ share: { rule: "length", documents: [{ start: 0, end: 80 }] } })).toEqual(selectBy(name, scores, plain));
      expect(select({ share: { rule: "even", documents: [] } })).toEqual(selectBy(name, scores, plain));
    }
  });

  it("nests: a larger budget keeps all that a smaller one keeps", () => {
    const scores = scoresOf((next) => next() / 2 ** 32, { layers: 2, heads: 2, tokens: 60 }, 7);
    const share: DocumentShares = {
      rule: "length",
      documents: [
        { start: 2, end: 20 },
        { start: 25, end: 58 },
      ],
    };
    let before = keptRows(selectTop(scores, 5, Uint32Array.of(0, 1, 30), 3, share));
    for (let budget = 6; budget <= 60; budget++) {
      const rows = keptRows(selectTop(scores, budget, Uint32Array.of(0, 1, 30), 3, share));
      rows.forEach((row, index) => {
        for (const token of before[index] ?? []) expect(row).toContain(token);
      });
      before = rows;
    }
  });
});

function selectBy(name: ChoosingPolicy, scores: Scores, choice: Choice): KeptTokens {
  const policy = policyOf(name);
  return policy.rows === null ? policy.select(scores, choice) : policy.select(scores, choice);
}
