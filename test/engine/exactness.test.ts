import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nextStepEnd, reusablePrefix } from "../../electron/engine/conversation/prefill.ts";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import { readHeader } from "../../electron/engine/llama/gguf.ts";
import { loadModel, type Model } from "../../electron/engine/llama/model.ts";
import { smolPath, storyOf } from "./support/engine.ts";

// What the whole design of reuse rests on: with step ends on the grid, a row comes out the same bit for bit, whatever the steps.
describe("prefill on the 64-token grid", () => {
  let model: Model;
  let prompt: Uint32Array;

  beforeAll(async () => {
    model = await loadModel(await readHeader(smolPath), { signal: new AbortController().signal, onProgress: () => undefined });
    prompt = (await model.tokenise(storyOf(800), false)).tokens.subarray(0, 730);
  });
  afterAll(() => model.dispose());

  const prefill = async (context: ModelContext, from: number, stepTokens: number) => {
    for (let at = from; at < prompt.length; ) {
      const end = nextStepEnd(at, prompt.length, stepTokens);
      await context.decode(prompt.subarray(at, end), at, end === prompt.length);
      at = end;
    }
    return context.logits();
  };
  const create = (kvType: "f16" | "q8_0", threads = 2) => model.createContext({ contextLength: 1024, kvType, threads, slidingWindow: 0 });

  test.each(["f16", "q8_0"] as const)("any step size gives the same logits (%s)", async (kvType) => {
    const context = await create(kvType);
    const expected = await prefill(context, 0, 512);
    for (const stepTokens of [64, 192, 320]) {
      expect(context.truncate(0)).toBe(0);
      expect(await prefill(context, 0, stepTokens)).toEqual(expected);
    }
    await context.dispose();
  });

  test("going on from a reused prefix gives the same logits", async () => {
    const context = await create("f16");
    const expected = await prefill(context, 0, 512);
    for (const changedAt of [70, 400, 729]) {
      const other = prompt.slice(0, changedAt);
      const from = reusablePrefix([...other, 5, 6, 7], prompt);
      expect(context.truncate(from)).toBe(from);
      expect(await prefill(context, from, 512)).toEqual(expected);
    }
    await context.dispose();
  });

  test("one thread and two give the same logits", async () => {
    const [one, two] = [await create("f16", 1), await create("f16", 2)];
    expect(await prefill(one, 0, 512)).toEqual(await prefill(two, 0, 512));
    await one.dispose();
    await two.dispose();
  });

  test("off the grid they differ: the grid is what does it", async () => {
    const context = await create("f16");
    const expected = await prefill(context, 0, 512);
    context.truncate(0);
    await context.decode(prompt.subarray(0, 500), 0, false);
    await context.decode(prompt.subarray(500), 500, true);
    expect(context.logits()).not.toEqual(expected);
    await context.dispose();
  });
});
