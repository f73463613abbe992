import { describe, expect, it } from "vitest";
import { type HeldTokens, heldAfter, heldOf, heldUntil, mostHeld, nothingHeld } from "../../../../electron/engine/lookahead/held.ts";
import { answerProtection, type Reselection, reselect } from "../../../../electron/engine/lookahead/reselect.ts";
import type { Scores } from "../../../../electron/engine/lookahead/scores.ts";
import { xoshiro128 } from "../../../../electron/engine/lookahead/xoshiro.ts";

const shape = { layers: 3, heads: 2 };
const whole = heldUntil(nothingHeld(shape), 40);
const choice: Reselection = {
  policy: "snapkv",
  budgets: new Uint32Array(3).fill(10),
  protectedRanges: [],
  poolKernel: 1,
  rows: 8,
  seed: 7,
};

function scoresOf(held: HeldTokens, seed = 1): Scores {
  const random = xoshiro128([seed, 2, 3, 4]);
  const tokens = mostHeld(held);
  return { ...shape, tokens, values: Float32Array.from({ length: 6 * tokens }, () => random() / 2 ** 32) };
}

/** Positions that each row keeps. */
const keptRows = (held: HeldTokens, scores: Scores | null, over: Partial<Reselection> = {}) =>
  heldAfter(held, reselect(held, scores, { ...choice, ...over })).rows.map((row) => Array.from(row));

describe("choosing again", () => {
  it("keeps the best of what is held, for each head, as a plain sort would", () => {
    const scores = scoresOf(whole);
    keptRows(whole, scores).forEach((row, index) => {
      const own = Array.from(scores.values.subarray(index * 40, (index + 1) * 40));
      const best = own.map((value, token) => ({ value, token })).sort((one, other) => other.value - one.value || one.token - other.token);
      expect(row).toEqual(
        best
          .slice(0, 10)
          .map(({ token }) => token)
          .sort((one, other) => one - other),
      );
    });
  });

  it("keeps what is protected by every policy, also where that is most of the budget", () => {
    for (const policy of ["h2o", "snapkv", "nacl", "tova", "laq", "pyramidkv"] as const) {
      const rows = keptRows(whole, scoresOf(whole), { policy, protectedRanges: [{ start: 10, end: 17 }] });
      for (const row of rows) expect(row, policy).toEqual(expect.arrayContaining([10, 11, 12, 13, 14, 15, 16]));
    }
  });

  it("protects by place in the text, whatever each head holds", () => {
    const first = heldAfter(whole, reselect(whole, scoresOf(whole), { ...choice, protectedRanges: [{ start: 20, end: 23 }] }));
    const held = heldUntil(first, 50);
    const low = scoresOf(held);
    low.values.fill(0.5);
    for (let row = 0; row < 6; row++)
      held.rows[row]?.forEach((position, place) => {
        if (position >= 20 && position < 23) low.values[row * low.tokens + place] = 0;
      });
    for (const row of keptRows(held, low, { protectedRanges: [{ start: 20, end: 23 }] }))
      expect(row).toEqual(expect.arrayContaining([20, 21, 22]));
    expect(keptRows(held, low).some((row) => row.includes(21))).toBe(false);
  });

  it.each(["lookahead", "tova", "nacl", "h2o", "expected-attention", "streamingllm", "random", "pyramidkv"] as const)(
    "%s keeps its budget, the protected tokens and an order",
    (policy) => {
      const held = heldUntil(whole, 60);
      const scored = policy !== "random" && policy !== "streamingllm";
      const rows = keptRows(held, scored ? scoresOf(held) : null, { policy, protectedRanges: [{ start: 0, end: 4 }], poolKernel: 3 });
      for (const row of rows) {
        expect(row).toHaveLength(10);
        expect(row.slice(0, 4)).toEqual([0, 1, 2, 3]);
        expect(row).toEqual([...new Set(row)].sort((one, other) => one - other));
      }
      if (policy === "streamingllm") for (const row of rows) expect(row).toEqual([0, 1, 2, 3, 54, 55, 56, 57, 58, 59]);
      if (policy === "tova") expect(rows[0]).toEqual(rows[1]);
      expect(rows).toEqual(
        keptRows(held, scored ? scoresOf(held) : null, { policy, protectedRanges: [{ start: 0, end: 4 }], poolKernel: 3 }),
      );
    },
  );

  it("keeps what is protected where a policy's own recent tokens would take its place", () => {
    const held = heldUntil(whole, 60);
    const budgets = new Uint32Array(3).fill(40);
    const protectedRanges = [{ start: 10, end: 50 }];
    for (const policy of ["nacl", "h2o", "tova"] as const) {
      for (const row of keptRows(held, scoresOf(held), { policy, budgets, protectedRanges })) {
        expect(row).toEqual(Array.from({ length: 40 }, (_, place) => 10 + place));
      }
    }
  });

  it.each(["snapkv", "tova", "nacl", "h2o", "random", "pyramidkv"] as const)(
    "%s divides between documents as the first choice did, whatever each head holds of them, pins beside",
    (policy) => {
      const documents = [
        { start: 4, end: 24 },
        { start: 30, end: 90 },
      ];
      const within = (row: readonly number[], { start, end }: { start: number; end: number }) =>
        row.filter((position) => position >= start && position < end && !(position >= 40 && position < 46)).length;
      // Each head holds others (but of tova), and with pyramidkv the layers not equally many.
      const budgets = policy === "pyramidkv" ? Uint32Array.of(70, 60, 50) : new Uint32Array(3).fill(60);
      const first = heldUntil(nothingHeld(shape), 100);
      const held = heldUntil(
        heldAfter(first, reselect(first, policy === "random" ? null : scoresOf(first, 5), { ...choice, policy, budgets })),
        120,
      );
      const pinned = { start: 40, end: 46 };
      const protectedRanges = [{ start: 0, end: 4 }, pinned, { start: 116, end: 120 }];
      const scores = scoresOf(held, 9);
      for (const rule of ["even", "length"] as const) {
        const again = { policy, budgets: budgets.map((budget) => budget - 20), protectedRanges, rows: 8 };
        const pooled = keptRows(held, policy === "random" ? null : scores, again);
        const shared = keptRows(held, policy === "random" ? null : scores, { ...again, share: { rule, documents } });
        shared.forEach((row, index) => {
          const label = `${rule}, row ${index}`;
          const own = held.rows[index] ?? new Uint32Array(0);
          expect(row, label).toHaveLength(pooled[index]?.length ?? 0);
          expect(row).toEqual([...new Set(row)].sort((one, other) => one - other));
          for (const position of row) expect(own.includes(position)).toBe(true);
          for (const position of own) {
            const isProtected = protectedRanges.some(({ start, end }) => position >= start && position < end);
            if (isProtected) expect(row, label).toContain(position);
          }
          const [few = 0, many = 0] = documents.map((document) => within(row, document));
          const [heldFew = 0, heldMany = 0] = documents.map((document) => within([...own], document));
          // Chance is divided in a step of its own.
          const slack = policy === "nacl" ? 2 : 1;
          if (rule === "length") expect(Math.abs(few - ((few + many) * heldFew) / (heldFew + heldMany)), label).toBeLessThanOrEqual(slack);
          else if (few < heldFew) expect(Math.abs(few - many), label).toBeLessThanOrEqual(slack);
          else expect(many, label).toBeGreaterThanOrEqual(few - slack);
        });
      }
    },
  );

  it("never takes what a layer does not hold, though its neighbours score high", () => {
    const budgets = Uint32Array.of(12, 8, 4);
    const rows = [12, 12, 8, 8, 4, 4].map((count) => Uint32Array.from({ length: count }, (_, place) => place * 3));
    const held = heldUntil({ ...shape, end: 40, rows }, 50);
    const scores = scoresOf(held);
    scores.values.fill(0.1);
    for (let row = 0; row < 6; row++) {
      const missing = mostHeld(held) - (held.rows[row]?.length ?? 0);
      scores.values.fill(-1, row * scores.tokens, row * scores.tokens + missing);
      scores.values[row * scores.tokens + missing] = 1;
    }
    keptRows(held, scores, { budgets, poolKernel: 7 }).forEach((row, index) => {
      expect(row).toHaveLength(budgets[Math.floor(index / 2)] ?? 0);
      expect(row[0]).toBe(0);
      for (const position of row) expect(held.rows[index]?.includes(position)).toBe(true);
    });
  });

  it("by chance differs with the seed", () => {
    const held = heldOf(reselect(whole, null, { ...choice, policy: "random", budgets: new Uint32Array(3).fill(40) }));
    expect(keptRows(held, null, { policy: "random", seed: 1 })).not.toEqual(keptRows(held, null, { policy: "random", seed: 2 }));
  });
});

describe("what an answer that has filled its cache keeps", () => {
  it("is the first tokens, the question and the latest", () => {
    expect(answerProtection({ questionStart: 960, promptTokens: 1000, end: 1300 }, 256)).toEqual([
      { start: 0, end: 4 },
      { start: 960, end: 1000 },
      { start: 1268, end: 1300 },
    ]);
  });

  it("is less of the question and of the latest where pinned passages take their part", () => {
    expect(answerProtection({ questionStart: 900, promptTokens: 1000, end: 1300 }, 256, 200)).toEqual([
      { start: 0, end: 4 },
      { start: 972, end: 1000 },
      { start: 1286, end: 1300 },
    ]);
    expect(answerProtection({ questionStart: 900, promptTokens: 1000, end: 1300 }, 256, 256)).toEqual([
      { start: 0, end: 4 },
      { start: 1000, end: 1000 },
      { start: 1300, end: 1300 },
    ]);
  });

  it("leaves something to choose, however small the budget and long the question", () => {
    for (const budget of [1, 8, 36, 64, 500]) {
      const ranges = answerProtection({ questionStart: 100, promptTokens: 1000, end: 1000 + budget }, budget);
      const count = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
      expect(count).toBeLessThanOrEqual(Math.floor((3 * budget) / 4) + 4);
      for (const { start, end } of ranges) expect(end).toBeGreaterThanOrEqual(start);
    }
  });
});
