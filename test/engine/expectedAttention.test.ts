import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContextOptions, ModelContext } from "../../electron/engine/llama/context.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import { type ExpectedAttention, expectedScores } from "../../electron/engine/lookahead/expectedAttention.ts";
import { futurePositions, unexpectedTokens } from "../../electron/engine/lookahead/policies/expectedAttention.ts";
import type { Scores } from "../../electron/engine/lookahead/scores.ts";
import { trainingPython } from "../../scripts/module.mjs";
import { smolPath, storyOf } from "./support/engine.ts";
import {
  agreement,
  bothModels,
  createContext,
  ensureConverted,
  gemmaPath,
  greedy,
  meanOf,
  open,
  prefill,
  someTokens,
} from "./support/models.ts";
import { referenceScores } from "./support/reference.ts";

/** Reads a prompt into an empty cache, its queries with it. */
async function readQueries(context: ModelContext, prompt: Uint32Array): Promise<Float32Array> {
  context.truncate(0);
  context.startScoring("queries", unexpectedTokens);
  return prefill(context, prompt);
}

async function expectedOf(model: Model, prompt: Uint32Array, options: Partial<ContextOptions> = {}): Promise<ExpectedAttention> {
  const context = await createContext(model, options);
  await readQueries(context, prompt);
  const expected = await context.expectedAttention(prompt.length, futurePositions);
  await context.dispose();
  return expected;
}

const scored = (expected: ExpectedAttention): Scores => expectedScores(expected, unexpectedTokens);

/** Largest difference of two lists, in parts of the standard deviation of the first. */
function deviation(one: Float32Array, other: Float32Array): number {
  const mean = one.reduce((sum, value) => sum + value, 0) / one.length;
  const spread = Math.sqrt(one.reduce((sum, value) => sum + (value - mean) ** 2, 0) / one.length);
  return one.reduce((most, value, place) => Math.max(most, Math.abs(value - (other[place] ?? Number.NaN))), 0) / spread;
}

describe.each(bothModels)("$name", ({ path }) => {
  let model: Model;
  let prompt: Uint32Array;
  beforeAll(async () => {
    model = await open(path);
    prompt = (await model.tokenise(storyOf(700), false)).tokens.subarray(0, 600);
  }, 120_000);
  afterAll(() => model.dispose());

  test("reading queries and expecting by them changes nothing of what the plain model says", async () => {
    const plain = await createContext(model);
    const logits = await prefill(plain, prompt);
    const written = await greedy(plain, logits, prompt.length, 32);
    await plain.dispose();
    const context = await createContext(model);
    expect(await readQueries(context, prompt)).toEqual(logits);
    await context.expectedAttention(prompt.length, futurePositions);
    expect(await greedy(context, logits, prompt.length, 32)).toEqual(written);
    await context.dispose();
  });

  test("does not depend on how many tokens are computed at once", async () => {
    const normal = await expectedOf(model, prompt);
    for (const ubatch of [32, 200]) {
      const other = await expectedOf(model, prompt, { ubatch });
      expect(other.norms.length).toBe(normal.norms.length);
      const { overlaps } = agreement(scored(normal), scored(other), 64);
      console.info(`ubatch ${ubatch}: overlap ${meanOf(overlaps)}`);
      expect(meanOf(overlaps)).toBeGreaterThanOrEqual(0.98);
    }
  });

  test("is the same for other layouts and types of the cache, up to their rounding", async () => {
    const normal = scored(await expectedOf(model, prompt));
    for (const options of [{ flashAttention: false }, { kvType: "q8_0" }] as const) {
      const { overlaps } = agreement(normal, scored(await expectedOf(model, prompt, options)), 64);
      console.info(`${JSON.stringify(options)}: overlap ${meanOf(overlaps)}`);
      expect(meanOf(overlaps), JSON.stringify(options)).toBeGreaterThanOrEqual("kvType" in options ? 0.93 : 0.97);
    }
  });
});

// In f32 there is nothing to hide a mistake behind; in f16 both round what they multiply. A ubatch of 64: ten parts are put together.
const files = bothModels.flatMap((model) => [
  { ...model, type: "f16", ubatch: 512, most: 5e-3 } as const,
  { ...model, type: "f32", ubatch: 64, most: 2e-3 } as const,
]);

describe.each(files)("$name in $type, against NumPy", ({ path, type, ubatch, most }) => {
  test("scores are those of an independent computation", async () => {
    const environment = (await trainingPython()).env;
    const file = await ensureConverted(path, type);
    const model = await open(file);
    const prompt = (await model.tokenise(storyOf(700), false)).tokens.subarray(0, 600);
    const scores = scored(await expectedOf(model, prompt, { ubatch }));
    await model.dispose();
    const request = { model: file, policy: "expected-attention", module: null, tokens: prompt, kvType: "f16", environment } as const;
    const reference = await referenceScores(request);
    const { overlaps, difference } = agreement({ ...reference, heads: reference.kvHeads }, scores, 64);
    console.info(`${type}: overlap ${meanOf(overlaps)}, least ${Math.min(...overlaps)}, largest difference ${difference}`);
    expect(scores).toMatchObject({ layers: reference.layers, heads: reference.kvHeads, tokens: 600 });
    expect(meanOf(overlaps)).toBeGreaterThanOrEqual(0.99);
    expect(difference).toBeLessThanOrEqual(most);
  }, 600_000);
});

describe("SmolLM2", () => {
  let model: Model;
  let prompt: Uint32Array;
  beforeAll(async () => {
    model = await open(smolPath);
    prompt = (await model.tokenise(storyOf(700), false)).tokens.subarray(0, 500);
  });
  afterAll(() => model.dispose());

  test("stands on the queries of the rows that were asked for, and looks as far ahead as it is told", async () => {
    const context = await createContext(model);
    await readQueries(context, prompt);
    const all = await context.expectedAttention(500, futurePositions);
    await readQueries(context, prompt);
    const near = await context.expectedAttention(500, 1);
    context.truncate(0);
    context.startScoring("queries", 400);
    await prefill(context, prompt);
    const last = await context.expectedAttention(500, futurePositions);
    await context.dispose();
    expect(deviation(all.logits, near.logits)).toBeGreaterThan(0.1);
    expect(deviation(all.logits, last.logits)).toBeGreaterThan(0.1);
    expect(all.norms).toEqual(near.norms);
  });

  test("is refused where there is nothing to expect by", async () => {
    const context = await createContext(model);
    await prefill(context, prompt);
    await expect(context.expectedAttention(500, futurePositions)).rejects.toMatchObject({ code: "model-unsupported" });
    await readQueries(context, prompt);
    await expect(context.expectedAttention(501, futurePositions)).rejects.toMatchObject({ code: "engine-failed" });
    // Queries are not scores.
    expect(() => context.scores(500)).toThrow(expect.objectContaining({ code: "engine-failed" }));
    // Kept cells do not say which token they hold.
    await context.keepFrom(context, someTokens(context.shape(), 500, 100));
    await expect(context.expectedAttention(100, futurePositions)).rejects.toMatchObject({ code: "model-unsupported" });
    await context.dispose();
  });

  test("is stopped by an abort, and goes on afterwards as if nothing had been", async () => {
    const context = await createContext(model);
    await readQueries(context, prompt);
    context.abort();
    await expect(context.expectedAttention(500, futurePositions)).rejects.toMatchObject({ code: "cancelled" });
    context.resume();
    const again = await context.expectedAttention(500, futurePositions);
    await context.dispose();
    expect(again).toEqual(await expectedOf(model, prompt));
  });
});

const gemmaHere = existsSync(gemmaPath);
if (!gemmaHere) console.warn("Gemma 3 is not here (LONGSIGHT_GEMMA): the test of its sliding windows is skipped.");

describe.runIf(gemmaHere)("a model with sliding windows and normed, scaled queries", () => {
  test("is scored in its full-attention layers only, as NumPy does", async () => {
    const environment = (await trainingPython()).env;
    const file = await ensureConverted(gemmaPath, "f32");
    const model = await open(file);
    const prompt = (await model.tokenise(storyOf(900), false)).tokens.subarray(0, 800);
    const scores = scored(await expectedOf(model, prompt));
    await model.dispose();
    const request = { model: file, policy: "expected-attention", module: null, tokens: prompt, kvType: "f16", environment } as const;
    const reference = await referenceScores(request);
    const { overlaps, difference } = agreement({ ...reference, heads: reference.kvHeads }, scores, 64);
    console.info(`Gemma: overlap ${meanOf(overlaps)}, largest difference ${difference}`);
    expect(scores).toMatchObject({ layers: 3, heads: 1, tokens: 800 });
    expect(meanOf(overlaps)).toBeGreaterThanOrEqual(0.98);
  }, 300_000);
});
