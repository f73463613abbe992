import { describe, expect, it } from "vitest";
import type { LookaheadModule } from "../../../../electron/engine/lookahead/module.ts";
import { planEviction, refuseContradiction } from "../../../../electron/engine/lookahead/plan.ts";

const module: LookaheadModule = {
  path: "/m.gguf",
  name: "m",
  tokens: 16,
  poolKernel: 5,
  alpha: 32,
  rank: 8,
  base: { architecture: "llama", name: "b", layers: 2, embeddingWidth: 8, attentionHeads: 2, kvHeads: 1, tokenizerHash: "" },
  training: { data: "none", steps: 0, length: 0, date: "2026-11-29" },
  linears: [],
  trained: false,
  embeddings: new Float32Array(128),
};
const loaded = { module, adapter: { native: { dispose: async () => undefined } } };
const prompt = { promptTokens: 500, questionStart: 492, tailStart: 492 };
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe("a plan", () => {
  it("of lookahead scores the module's rows, with the module's own pooling", () => {
    const plan = planEviction({ policy: "lookahead", budget: 64 }, prompt, loaded, 7);
    expect(plan).toMatchObject({
      policy: "lookahead",
      budget: 64,
      promptRows: 0,
      behind: "module",
      rowsBehind: 16,
      poolKernel: 5,
      seed: 7,
      lookahead: loaded,
    });
    expect([...(plan?.protectedTokens ?? [])]).toEqual([0, 1, 2, 3, ...range(492, 500)]);
  });

  it("of lookahead without a module is snapkv's", () => {
    const plan = planEviction({ policy: "lookahead", budget: 64 }, prompt, null, 7);
    expect(plan).toEqual(planEviction({ policy: "snapkv", budget: 64 }, prompt, loaded, 7));
    expect(plan).toMatchObject({ policy: "snapkv", promptRows: 32, behind: null, rowsBehind: 0, poolKernel: 7, lookahead: null });
    expect([...(plan?.protectedTokens ?? [])]).toEqual([0, 1, 2, 3, ...range(468, 500)]);
  });

  it("of snapkv keeps the template's tail where that is longer than its window", () => {
    const plan = planEviction({ policy: "snapkv", budget: 64 }, { ...prompt, tailStart: 450 }, null, 0);
    expect(plan?.protectedTokens).toHaveLength(54);
  });

  it("keeps the question, as far as it and the tail go into half the budget", () => {
    const kept = (questionStart: number, budget: number) => [
      ...(planEviction({ policy: "lookahead", budget }, { ...prompt, questionStart }, loaded, 0)?.protectedTokens ?? []),
    ];
    expect(kept(470, 64)).toEqual([0, 1, 2, 3, ...range(470, 500)]);
    expect(kept(300, 64)).toEqual([0, 1, 2, 3, ...range(468, 500)]);
    expect(kept(300, 65)).toEqual([0, 1, 2, 3, ...range(468, 500)]);
    expect(kept(300, 499)).toEqual([0, 1, 2, 3, ...range(300, 500)]);
    expect(kept(300, 12)).toEqual([0, 1, 2, 3, ...range(492, 500)]);
  });

  it("keeps the question as far as half of what pinned passages leave, and never refuses a budget for it", () => {
    const kept = (budget: number) => [
      ...(planEviction({ policy: "lookahead", budget }, { ...prompt, questionStart: 400, pinned: [{ start: 50, end: 90 }] }, loaded, 0)
        ?.protectedTokens ?? []),
    ];
    expect(kept(100)).toEqual([0, 1, 2, 3, ...range(50, 90), ...range(470, 500)]);
    // The tail of eight is kept whole; with the pins and the first four that is the least budget.
    expect(kept(52)).toEqual([0, 1, 2, 3, ...range(50, 90), ...range(492, 500)]);
    expect(() => kept(51)).toThrow("at least 52");
    let before: number[] = [];
    for (let budget = 52; budget < 300; budget++) {
      const now = kept(budget);
      expect(now).toEqual(expect.arrayContaining(before));
      expect(now.length).toBeLessThanOrEqual(budget);
      before = now;
    }
  });

  it("of the others scores nothing", () => {
    for (const policy of ["streamingllm", "random"] as const) {
      expect(planEviction({ policy, budget: 64 }, prompt, loaded, 0)).toMatchObject({
        policy,
        promptRows: 0,
        behind: null,
        rowsBehind: 0,
        lookahead: null,
      });
    }
  });

  it("of a draft has room for it behind the prompt, and keeps the window that scores with it", () => {
    for (const [policy, behind] of [
      ["laq", "own-draft"],
      ["speckv", "draft-model"],
    ] as const) {
      const plan = planEviction({ policy, budget: 64 }, prompt, loaded, 0);
      expect(plan).toMatchObject({ policy, behind, rowsBehind: 32, promptRows: 32, poolKernel: 7, lookahead: null });
      expect([...(plan?.protectedTokens ?? [])]).toEqual([0, 1, 2, 3, ...range(468, 500)]);
    }
  });

  it("asks for the rows that a policy goes by, and keeps them only where they are its window", () => {
    const of = (policy: "h2o" | "tova" | "nacl" | "expected-attention") => planEviction({ policy, budget: 64 }, prompt, null, 0);
    expect(of("h2o")).toMatchObject({ promptRows: 500, rowsBehind: 0, poolKernel: 1 });
    expect(of("nacl")).toMatchObject({ promptRows: 5, rowsBehind: 0, poolKernel: 1 });
    expect(of("tova")).toMatchObject({ promptRows: 1, rowsBehind: 0, poolKernel: 1 });
    expect(of("expected-attention")).toMatchObject({ promptRows: 496, rowsBehind: 0, poolKernel: 1 });
    for (const policy of ["h2o", "nacl", "tova", "expected-attention"] as const) {
      expect([...(of(policy)?.protectedTokens ?? [])]).toEqual([0, 1, 2, 3, ...range(492, 500)]);
    }
    // Without a tail, as in a transcript, the token that looks is kept all the same.
    const bare = planEviction({ policy: "tova", budget: 64 }, { promptTokens: 500, questionStart: 500, tailStart: 500 }, null, 0);
    expect([...(bare?.protectedTokens ?? [])]).toEqual([0, 1, 2, 3, 499]);
  });

  it("is none where nothing is evicted", () => {
    for (const budget of [500, 501, 10_000]) expect(planEviction({ policy: "lookahead", budget }, prompt, loaded, 0)).toBeNull();
    expect(planEviction({ policy: "full", budget: "full" }, prompt, loaded, 0)).toBeNull();
    expect(planEviction({ policy: "lookahead", budget: 499 }, prompt, loaded, 0)).not.toBeNull();
  });

  it("needs room for what is always kept, and says how much", () => {
    expect(() => planEviction({ policy: "lookahead", budget: 11 }, prompt, loaded, 0)).toThrow("at least 12");
    expect(planEviction({ policy: "lookahead", budget: 12 }, prompt, loaded, 0)).not.toBeNull();
    expect(() => planEviction({ policy: "snapkv", budget: 35 }, prompt, loaded, 0)).toThrow("at least 36");
  });
});

describe("a budget and a policy", () => {
  it("that contradict each other are refused, by what to do", () => {
    expect(() => refuseContradiction({ policy: "full", budget: 64 })).toThrow(/everything.*budget of 64/);
    expect(() => refuseContradiction({ policy: "snapkv", budget: "full" })).toThrow(/snapkv.*needs a budget/);
    for (const right of [{ policy: "full", budget: "full" } as const, { policy: "random", budget: 1 } as const]) refuseContradiction(right);
  });
});
