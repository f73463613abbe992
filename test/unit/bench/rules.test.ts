import { expect, it } from "vitest";
import { scoringRows, snapRule, unpooledSnapRule } from "../../../bench/quality/rules.ts";
import { batchTokens } from "../../../electron/engine/llama/context.ts";

const prompt = { tokens: new Uint32Array(1000), questionStart: 950, tailStart: 990 };

it("an answer longer than a batch scores by its beginning, since no batch would take it", () => {
  const answer = Array.from({ length: 1024 }, (_, index) => index);
  expect([...scoringRows(answer)]).toEqual(answer.slice(0, batchTokens));
  expect([...scoringRows([3, 1])]).toEqual([3, 1]);
});

it("snapkv without its pooling is the same in all else", () => {
  const plan = snapRule.plan(prompt, 128);
  expect(plan.poolKernel).toBe(7);
  expect(unpooledSnapRule.plan(prompt, 128)).toEqual({ ...plan, poolKernel: 1 });
});
