import { describe, expect, test } from "vitest";
import { refuseContradiction } from "../../../../electron/engine/lookahead/plan.ts";
import { budgetStops, evictionOf, leastBudget, promptToKeep, usedPolicy } from "../../../../renderer/budget/budget.ts";
import { idOf, measureOf, model } from "../fakeEngine.ts";

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
    expect([leastBudget("snapkv"), leastBudget("lookahead"), leastBudget("streamingllm")]).toEqual([48, 32, 32]);
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
      for (const policy of ["lookahead", "snapkv", "streamingllm", "random"] as const) {
        expect(() => refuseContradiction(evictionOf({ budget, policy }, withModule))).not.toThrow();
      }
    }
  });
});

test("a budget is taken of a prompt with documents only", () => {
  expect(promptToKeep(null)).toBeNull();
  expect(promptToKeep(measureOf())).toBeNull();
  expect(promptToKeep(measureOf({ documents: [{ documentId: idOf("a"), tokens: 400 }] }))).toBe(430);
});
