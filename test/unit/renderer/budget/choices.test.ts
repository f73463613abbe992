import { describe, expect, test } from "vitest";
import { choosingPolicySchema } from "../../../../electron/contract/policies.ts";
import {
  type Choice,
  type Circumstances,
  draftModels,
  modeObstacle,
  policyObstacle,
  shareObstacle,
  usedChoice,
} from "../../../../renderer/budget/choices.ts";
import { model, report } from "../fakeEngine.ts";

const smallest = { ...report, path: "/models/smallest.gguf", fileBytes: 10 };
const smaller = { ...report, path: "/models/smaller.gguf", fileBytes: 999 };
const larger = { ...report, path: "/models/larger.gguf", fileBytes: 2000 };
const alone: Circumstances = { model, reports: [report], documents: 2 };
const withDrafts: Circumstances = { ...alone, reports: [larger, smaller, report, smallest] };
const chosen: Choice = { policy: "snapkv", draftModel: null, mode: "question", share: "score" };

describe("models that may draft", () => {
  test("are smaller than the one that answers, the smallest first", () => {
    expect(draftModels(withDrafts)).toEqual([smallest, smaller]);
    expect(draftModels({ model, reports: [{ ...report, path: "/models/as-large.gguf" }] })).toEqual([]);
    expect(draftModels({ model: null, reports: [smaller] })).toEqual([]);
  });
});

describe("what is used of a choice", () => {
  test("is all of it where it can be had", () => {
    const all: Choice = { policy: "speckv", draftModel: smaller.path, mode: "question", share: "even" };
    expect(usedChoice(all, withDrafts)).toEqual(all);
    const once: Choice = { ...chosen, mode: "once" };
    expect(usedChoice(once, alone)).toEqual(once);
  });

  test("is snapkv in place of lookahead for a model without a module, and lookahead for one with", () => {
    expect(usedChoice({ ...chosen, policy: "lookahead" }, alone).policy).toBe("snapkv");
    const withModule = { ...alone, model: { ...model, lookahead: { name: "module", steps: 10 } } };
    expect(usedChoice({ ...chosen, policy: "lookahead" }, withModule).policy).toBe("lookahead");
  });

  test("is laq, which drafts with the model itself, in place of speckv where its draft model would not do", () => {
    for (const draftModel of [null, larger.path, report.path, "/models/gone.gguf"]) {
      expect(usedChoice({ ...chosen, policy: "speckv", draftModel }, withDrafts)).toMatchObject({ policy: "laq", draftModel: null });
    }
  });

  test("names no draft model for a policy that drafts with none", () => {
    expect(usedChoice({ ...chosen, draftModel: smaller.path }, withDrafts).draftModel).toBeNull();
  });

  test("is the mode for each question where the policy needs a whole prompt", () => {
    expect(usedChoice({ ...chosen, policy: "pyramidkv", mode: "streaming" }, alone).mode).toBe("question");
  });

  test("is a share only between several documents, in the mode that chooses once", () => {
    expect(usedChoice({ ...chosen, share: "even" }, alone).share).toBe("even");
    expect(usedChoice({ ...chosen, share: "even" }, { ...alone, documents: 1 }).share).toBe("score");
    expect(usedChoice({ ...chosen, share: "even", mode: "once" }, alone).share).toBe("score");
  });
});

describe("what cannot be had", () => {
  test("says why, of a policy", () => {
    expect(policyObstacle("lookahead", "question", alone)).toBe("policies.noModule");
    expect(policyObstacle("speckv", "question", alone)).toBe("policies.noDraftModel");
    expect(policyObstacle("speckv", "question", withDrafts)).toBeNull();
    const notInMode = choosingPolicySchema.options.filter(
      (policy) => policyObstacle(policy, "streaming", withDrafts) === "policies.notInMode",
    );
    expect(notInMode).toEqual(["pyramidkv", "laq", "speckv", "h2o", "expected-attention"]);
  });

  test("says why, of a mode and of a share; what is usual is always to be had", () => {
    expect(modeObstacle("once", "h2o")).toBe("modes.notWithPolicy");
    expect(modeObstacle("question", "h2o")).toBeNull();
    expect(modeObstacle("streaming", "snapkv")).toBeNull();
    expect(shareObstacle("even", "once")).toBe("shares.notInMode");
    expect(shareObstacle("score", "once")).toBeNull();
    expect(shareObstacle("length", "question")).toBeNull();
  });
});
