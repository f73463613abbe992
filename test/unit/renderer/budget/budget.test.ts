import { describe, expect, test } from "vitest";
import { cacheModeSchema } from "../../../../electron/contract/conversation.ts";
import { choosingPolicySchema, shareSchema } from "../../../../electron/contract/policies.ts";
import { refuseDraftContradiction } from "../../../../electron/engine/conversation/draftModel.ts";
import { refuseModeContradiction } from "../../../../electron/engine/conversation/readingMode.ts";
import { refuseContradiction } from "../../../../electron/engine/lookahead/plan.ts";
import {
  budgetStops,
  changedSince,
  evictionOf,
  heatOf,
  leastBudget,
  parseBudget,
  promptToKeep,
  stopBeside,
} from "../../../../renderer/budget/budget.ts";
import { figures, idOf, measureOf, model, report } from "../fakeEngine.ts";

const without = { model, reports: [report], documents: 1 };
const withModule = { ...without, model: { ...model, lookahead: { name: "module", steps: 10 } } };
const nothing = { draftModel: null, mode: "question", share: "score" } as const;

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
    for (const policy of ["lookahead", "h2o", "tova", "nacl", "expected-attention", "streamingllm", "random"] as const)
      expect(leastBudget(policy)).toBe(32);
  });
});

describe("importance for a file", () => {
  test("is asked at the budget that is set, or at the prompt's own length, by a policy that can be had", () => {
    const chosen = { budget: 96, policy: "lookahead", draftModel: null, mode: "once", share: "even" } as const;
    expect(heatOf(chosen, without, figures)).toEqual({ budget: 96, policy: "snapkv", draftModel: null, share: "score" });
    expect(heatOf({ ...chosen, budget: "full" }, withModule, figures)).toMatchObject({ budget: figures.promptTokens, policy: "lookahead" });
    expect(heatOf({ ...chosen, budget: "full" }, { ...withModule, documents: 2 }, null)).toMatchObject({
      budget: model.contextLength,
      share: "even",
    });
  });
});

describe("what is sent", () => {
  test("is everything where there is no budget, whatever else was chosen", () => {
    const chosen = { budget: "full", policy: "snapkv", draftModel: "/small", mode: "once", share: "even" } as const;
    expect(evictionOf(chosen, without)).toEqual({ budget: "full", policy: "full", ...nothing });
  });

  test("never contradicts itself, so that the engine refuses none of it", () => {
    const smaller = { ...report, path: "/models/draft.gguf", fileBytes: 10 };
    for (const reports of [[report], [report, smaller]])
      for (const documents of [0, 1, 2])
        for (const budget of ["full", 64] as const)
          for (const policy of choosingPolicySchema.options)
            for (const mode of cacheModeSchema.options)
              for (const share of shareSchema.options)
                for (const draftModel of [null, smaller.path]) {
                  const sent = evictionOf({ budget, policy, draftModel, mode, share }, { model, reports, documents });
                  refuseContradiction(sent);
                  refuseModeContradiction(sent);
                  refuseDraftContradiction(sent);
                }
  });
});

describe("what an answer would be made with otherwise", () => {
  const evicted = { ...figures, budget: 64, policy: "snapkv", keptTokens: 64 } as const;
  const two = { ...without, documents: 2 };
  const chosen = { budget: 64, policy: "snapkv", ...nothing } as const;

  test("is the budget, the policy, the mode, the share, the model or its cache type", () => {
    expect(changedSince(evicted, chosen, without)).toBeNull();
    expect(changedSince(figures, chosen, without)).toBe("budget");
    expect(changedSince(evicted, { ...chosen, budget: "full" }, without)).toBe("budget");
    expect(changedSince(evicted, { ...chosen, policy: "random" }, without)).toBe("policy");
    expect(changedSince(evicted, { ...chosen, mode: "once" }, without)).toBe("mode");
    expect(changedSince(evicted, { ...chosen, share: "even" }, two)).toBe("share");
    expect(changedSince({ ...evicted, model: "other" }, chosen, without)).toBe("model");
    expect(changedSince({ ...evicted, kvType: "q8_0" }, chosen, without)).toBe("model");
  });

  test("is nothing where only the name of what is used anyway differs", () => {
    expect(changedSince(figures, { ...chosen, budget: "full", policy: "random" }, without)).toBeNull();
    expect(changedSince(evicted, { ...chosen, policy: "lookahead" }, without)).toBeNull();
    // One document has nobody to share with.
    expect(changedSince(evicted, { ...chosen, share: "even" }, without)).toBeNull();
    // Nothing was evicted for a budget that covered the prompt, so nothing else had a say.
    const covered = { ...figures, budget: 4096 };
    expect(changedSince(covered, { ...chosen, budget: 4096, policy: "random", mode: "once" }, withModule)).toBeNull();
  });

  test("is not known without figures or a model", () => {
    expect(changedSince(null, chosen, without)).toBeNull();
    expect(changedSince(figures, chosen, { ...without, model: null })).toBeNull();
  });
});

test("a budget is taken of a prompt with documents only", () => {
  expect(promptToKeep(null)).toBeNull();
  expect(promptToKeep(measureOf())).toBeNull();
  expect(promptToKeep(measureOf({ documents: [{ documentId: idOf("a"), tokens: 400 }] }))).toBe(430);
});

describe("a budget that is typed", () => {
  const asked = { least: 48, all: "all" };

  test("is a number, with or without separators, or the word for everything", () => {
    expect(parseBudget("256", asked)).toEqual({ budget: 256 });
    expect(parseBudget(" 1,024 ", asked)).toEqual({ budget: 1024 });
    expect(parseBudget("1\u202f024", asked)).toEqual({ budget: 1024 });
    expect(parseBudget("ALL", asked)).toEqual({ budget: "full" });
  });

  test("is refused below the least, and where it is no number", () => {
    expect(parseBudget("47", asked)).toEqual({ obstacle: "least" });
    expect(parseBudget("48", asked)).toEqual({ budget: 48 });
    for (const text of ["", "-5", "5e3", "many", "1".repeat(10)]) expect(parseBudget(text, asked)).toEqual({ obstacle: "number" });
  });

  test("is stepped to the next stop above or below, and stays at the ends", () => {
    const stops = [48, 64, 96, "full"] as const;
    expect(stopBeside(stops, 64, 1)).toBe(96);
    expect(stopBeside(stops, 65, -1)).toBe(64);
    expect(stopBeside(stops, 96, 1)).toBe("full");
    expect(stopBeside(stops, "full", 1)).toBe("full");
    expect(stopBeside(stops, "full", -1)).toBe(96);
    expect(stopBeside(stops, 48, -1)).toBe(48);
  });
});
