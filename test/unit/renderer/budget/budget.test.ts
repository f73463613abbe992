import { describe, expect, test } from "vitest";
import { choosingPolicySchema } from "../../../../electron/contract/policies.ts";
import { refuseContradiction } from "../../../../electron/engine/lookahead/plan.ts";
import { budgetStops, changedSince, evictionOf, leastBudget, promptToKeep, usedPolicy } from "../../../../renderer/budget/budget.ts";
import { figures, idOf, measureOf, model } from "../fakeEngine.ts";

const withModule = { ...model, lookahead: { name: "module", steps: 10 } };

describe("the stops of the slider", () => {
  test("are two for each doubling, below the prompt's length, with everything at the end", () => {
    expect(budgetStops(430, 32, [])).toEqual([32, 48, 64, 96, 128, 192, 256, 384, "full"]);
    expect(budgetStops(96, 48, [])).toEqual([48, 64, "full"]);
  });

  test("hold what was chosen, in its place, whatever it is", () => {
    expect(budgetStops(100, 48, [70, "full"])).toEqual([48, 64, 70, 96, "full"]);
    expect(budgetStops(100, 48, [32, 5000])).toEqual([32, 48, 64, 96, 5000, "full"]);
  });

  test("are two at least, however short the prompt", () => {
    expect(budgetStops(1, 32, ["full"])).toEqual([32, "full"]);
  });

  test("stay few and ascending up to a million tokens", () => {
    const stops = budgetStops(1_000_000, 32, []);
    expect(stops.length).toBeLessThan(40);
    const numbers = stops.filter((stop) => stop !== "full");
    expect(numbers.every((stop, index) => Number.isInteger(stop) && stop > (numbers[index - 1] ?? 0))).toBe(true);
  });

  test("begin above what a policy always keeps", () => {
    for (const policy of ["snapkv", "pyramidkv", "laq", "speckv"] as const) expect(leastBudget(policy)).toBe(48);
    for (const policy of ["lookahead", "h2o", "tova", "nacl", "streamingllm", "random"] as const) expect(leastBudget(policy)).toBe(32);
  });
});

describe("what is sent", () => {
  test("is snapkv in place of lookahead for a model without a module, and lookahead for one with", () => {
    expect(usedPolicy("lookahead", model)).toBe("snapkv");
    expect(usedPolicy("lookahead", withModule)).toBe("lookahead");
    expect(usedPolicy("random", model)).toBe("random");
  });

  test("never contradicts itself", () => {
    expect(evictionOf({ budget: "full", policy: "snapkv" }, model)).toEqual({ budget: "full", policy: "full" });
    expect(evictionOf({ budget: 64, policy: "lookahead" }, model)).toEqual({ budget: 64, policy: "snapkv" });
    for (const budget of ["full", 64] as const) {
      for (const policy of choosingPolicySchema.options) {
        expect(() => refuseContradiction(evictionOf({ budget, policy }, withModule))).not.toThrow();
      }
    }
  });
});

describe("what an answer would be made with otherwise", () => {
  const evicted = { ...figures, budget: 64, policy: "snapkv", keptTokens: 64 } as const;

  test("is the budget, the policy, the model or its cache type", () => {
    expect(changedSince(figures, { budget: 64, policy: "snapkv" }, model)).toBe("budget");
    expect(changedSince(evicted, { budget: "full", policy: "snapkv" }, model)).toBe("budget");
    expect(changedSince(evicted, { budget: 64, policy: "random" }, model)).toBe("policy");
    expect(changedSince({ ...evicted, model: "other" }, { budget: 64, policy: "snapkv" }, model)).toBe("model");
    expect(changedSince({ ...evicted, kvType: "q8_0" }, { budget: 64, policy: "snapkv" }, model)).toBe("model");
  });

  test("is nothing where only the name of what is used anyway differs", () => {
    expect(changedSince(figures, { budget: "full", policy: "random" }, model)).toBeNull();
    expect(changedSince(evicted, { budget: 64, policy: "lookahead" }, model)).toBeNull();
    // Nothing was evicted for a budget that covered the prompt, so no policy had a say.
    expect(changedSince({ ...figures, budget: 4096 }, { budget: 4096, policy: "random" }, model)).toBeNull();
  });

  test("is not known without figures or a model", () => {
    expect(changedSince(null, { budget: 64, policy: "snapkv" }, model)).toBeNull();
    expect(changedSince(figures, { budget: 64, policy: "snapkv" }, null)).toBeNull();
  });
});

test("a budget is taken of a prompt with documents only", () => {
  expect(promptToKeep(null)).toBeNull();
  expect(promptToKeep(measureOf())).toBeNull();
  expect(promptToKeep(measureOf({ documents: [{ documentId: idOf("a"), tokens: 400 }] }))).toBe(430);
});
