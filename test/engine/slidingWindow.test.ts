import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import { readLookaheadModule } from "../../electron/engine/lookahead/module.ts";
import { keepAll, selectTop } from "../../electron/engine/lookahead/select.ts";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { storyOf } from "./support/engine.ts";
import { createContext, gemmaPath, greedy, open, prefill, someTokens } from "./support/models.ts";

const here = existsSync(gemmaPath);
if (!here) console.warn("Gemma 3 is not here (LONGSIGHT_GEMMA): the tests of sliding windows are skipped.");

// Gemma 3 270M: 15 of its 18 layers see 512 tokens only, and keep only those.
describe.runIf(here)("a model with sliding windows", () => {
  let model: Model;
  let prompt: Uint32Array;
  let full: ModelContext;
  let logits: Float32Array;
  beforeAll(async () => {
    model = await open(gemmaPath);
    prompt = (await model.tokenise(storyOf(1500), false)).tokens.subarray(0, 1400);
    full = await createContext(model);
    full.startScoring("prompt", prompt.length - 32);
    logits = await prefill(full, prompt);
  }, 120_000);
  afterAll(async () => {
    await full.dispose();
    await model.dispose();
  });

  test("is scored and kept from in its full-attention layers only", () => {
    expect(full.shape()).toMatchObject({ layers: 3, heads: 1, tokens: 1400, cells: 2048 });
    const { layers, heads, values } = full.scores(1400);
    expect({ layers, heads }).toEqual({ layers: 3, heads: 1 });
    for (let row = 0; row < 3; row++) {
      const sum = values.subarray(row * 1400, (row + 1) * 1400).reduce((total, value) => total + value, 0);
      expect(sum).toBeCloseTo(1, 3);
    }
  });

  test("says the same as the plain model, scored, probed and kept whole", async () => {
    const plain = await createContext(model);
    expect(await prefill(plain, prompt)).toEqual(logits);
    const expected = await greedy(plain, logits, 1400, 32);
    await plain.dispose();

    const file = await ensureUntrainedModule(gemmaPath, { randomLora: 0.01 });
    const module = await readLookaheadModule(file);
    full.setAdapter(await model.loadAdapter(file));
    full.startScoring("probe", 1400);
    await full.decodeRows(module.embeddings, 1400);
    expect(full.scores(1400).values.every((value) => value >= 0 && value <= 1)).toBe(true);
    full.setAdapter(null);
    full.stopScoring();
    expect(full.truncate(1400)).toBe(1400);

    const copy = await createContext(model);
    await copy.keepFrom(full, keepAll({ ...full.shape(), tokens: 1400 }));
    expect(await greedy(copy, logits, 1400, 32)).toEqual(expected);
    await copy.dispose();
  });

  test("keeps its windows whole, and answers sensibly from a budget", async () => {
    full.truncate(0);
    full.startScoring("prompt", prompt.length - 32);
    await prefill(full, prompt);
    const scores = full.scores(1400);
    const tail = Uint32Array.from({ length: 32 }, (_, index) => 1400 - 32 + index);
    const small = await createContext(model, { cells: 256 + 64 });
    await small.keepFrom(full, selectTop(scores, 256, Uint32Array.of(0, 1, 2, 3, ...tail), 7));
    expect(small.shape()).toMatchObject({ layers: 3, tokens: 256, cells: 320, kept: true });
    // The windows' buffers are as large as before; the three other layers' are not.
    const perCell = 3 * 2 * 256 * 2;
    expect(full.buffers().cache - small.buffers().cache).toBe((2048 - 320) * perCell);

    await small.dispose();

    // What the full cache says next is among the likeliest from a kept one: nearly always with most of it, mostly with a fifth.
    const said = await greedy(full, logits, 1400, 32);
    const agreedWith = async (budget: number) => {
      const kept = await createContext(model, { cells: budget + 64 });
      full.truncate(1400);
      await kept.keepFrom(full, selectTop(scores, budget, Uint32Array.of(0, 1, 2, 3, ...tail), 7));
      let agreed = 0;
      for (let index = 0; index < 31; index++) {
        await kept.decode(Uint32Array.of(said[index] ?? 0), 1400 + index, true);
        const likeliest = kept.logits();
        const wanted = likeliest[said[index + 1] ?? 0] ?? Number.NaN;
        if (likeliest.filter((value) => value > wanted).length < 5) agreed += 1;
      }
      await kept.dispose();
      return agreed;
    };
    expect(await agreedWith(1300)).toBeGreaterThanOrEqual(29);
    expect(await agreedWith(256)).toBeGreaterThanOrEqual(16);
  });

  test("refuses a target whose windows are of another size", async () => {
    const other = await createContext(model, { ubatch: 64, cells: 256 });
    await expect(other.keepFrom(full, someTokens(full.shape(), 1400, 64))).rejects.toMatchObject({
      detail: expect.stringContaining("different"),
    });
    await other.dispose();
  });
});
