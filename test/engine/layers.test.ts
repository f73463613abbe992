import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import type { KeptTokens } from "../../electron/engine/lookahead/scores.ts";
import { keepAll, keepHeld, selectTop } from "../../electron/engine/lookahead/select.ts";
import { smolPath, storyOf } from "./support/engine.ts";
import { createContext, ensureConverted, greedy, open, prefill, someTokens } from "./support/models.ts";

const length = 700;
const layers = 30;
const heads = 3;
/** Of one token in one layer: keys and values of three heads, f16. */
const layerRowBytes = heads * 64 * 2 * 2;

let model: Model;
let prompt: Uint32Array;
beforeAll(async () => {
  model = await open(smolPath);
  prompt = (await model.tokenise(storyOf(800), false)).tokens.subarray(0, length);
});
afterAll(() => model.dispose());

/** A pyramid: the first layers keep most. */
const budgets = Uint32Array.from({ length: layers }, (_, layer) => 200 - layer * 6);
const withRoom = (room: number) => budgets.map((budget) => budget + room);

/** The first tokens and the last ones of each layer's budget. */
function keepByLayer(): KeptTokens {
  const lists = Array.from(budgets).flatMap((budget) => {
    const list = Array.from({ length: budget }, (_, place) => (place < 4 ? place : length - budget + place));
    return new Array<number[]>(heads).fill(list);
  });
  return { layers, heads, tokens: length, budgets, indices: Uint32Array.from(lists.flat()) };
}

const sumOf = (numbers: Uint32Array) => numbers.reduce((sum, value) => sum + value, 0);

describe("budgets that differ by layer", () => {
  test("save the memory that they claim, and leave the same room in each layer", async () => {
    const full = await createContext(model);
    const logits = await prefill(full, prompt);
    const kept = await createContext(model, { cells: withRoom(16) });
    expect(kept.buffers().cache).toBe(sumOf(withRoom(16)) * layerRowBytes);
    await kept.keepFrom(full, keepByLayer());
    expect(kept.shape()).toMatchObject({ cells: 216, tokens: 200, kept: true });
    expect(kept.shape().layerTokens).toEqual(budgets);
    expect(kept.shape().layerCells).toEqual(withRoom(16));

    const said = await greedy(kept, logits, length, 17);
    expect(kept.shape().layerTokens).toEqual(withRoom(16));
    await expect(kept.decode(Uint32Array.of(said[16] ?? 0), length + 16, true)).rejects.toMatchObject({ code: "engine-failed" });
    await Promise.all([kept.dispose(), full.dispose()]);
  });

  test("keep in each layer what the full cache holds there", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    const kept = await createContext(model, { cells: withRoom(16) });
    await kept.keepFrom(full, keepByLayer());
    for (const kind of ["keys", "values"] as const) {
      for (let layer = 0; layer < layers; layer++) {
        const [from, to] = [full.bytesOf(layer, kind), kept.bytesOf(layer, kind)];
        const budget = budgets[layer] ?? 0;
        for (let place = 0; place < budget; place++) {
          const token = place < 4 ? place : length - budget + place;
          // Behind the cells for the answer, the last token first.
          const cell = 16 + budget - 1 - place;
          const rowOf = ({ bytes, row }: typeof from, at: number) => Buffer.from(bytes.subarray(at * row, (at + 1) * row));
          if (!rowOf(to, cell).equals(rowOf(from, token))) throw new Error(`${kind} of layer ${layer}, token ${token}`);
        }
      }
    }
    await Promise.all([kept.dispose(), full.dispose()]);
  });

  test("go on in a larger cache, and in bytes, as before", async () => {
    // In Q8_0 rounding moves logits as far as another token does; in f32 by .01.
    const exact = await open(await ensureConverted(smolPath, "f32"));
    const full = await createContext(exact);
    const logits = await prefill(full, prompt);
    const kept = await createContext(exact, { cells: withRoom(40) });
    await kept.keepFrom(full, keepByLayer());
    await greedy(kept, logits, length, 9);
    const shape = kept.shape();
    expect(shape.layerTokens).toEqual(withRoom(8));

    const larger = await createContext(exact, { cells: shape.layerTokens.map((tokens) => tokens + 100) });
    await larger.keepFrom(kept, keepHeld(shape));
    expect(larger.shape()).toMatchObject({ cells: 308, tokens: 208, kept: true });
    expect(larger.shape().layerTokens).toEqual(shape.layerTokens);
    // In another order of cells sums are rounded otherwise.
    const bytes = await kept.readKept();
    if (bytes === null) throw new Error("a kept cache has no bytes");
    const restored = await createContext(exact, { cells: withRoom(40) });
    await restored.writeKept(bytes);
    const decodeIn = async (context: ModelContext) => {
      await context.decode(Uint32Array.of(5), length + 8, true);
      return context.logits();
    };
    const expected = await decodeIn(kept);
    expect(await decodeIn(restored)).toEqual(expected);
    const moved = await decodeIn(larger);
    const furthest = expected.reduce((most, value, token) => Math.max(most, Math.abs(value - (moved[token] ?? Number.NaN))), 0);
    expect(furthest).toBeLessThan(0.1);
    await Promise.all([restored.dispose(), larger.dispose(), kept.dispose(), full.dispose()]);
    await exact.dispose();
  });

  test("are scored in the order in which indices count, and can be kept from again", async () => {
    const full = await createContext(model);
    const logits = await prefill(full, prompt);
    const kept = await createContext(model, { cells: withRoom(40) });
    await kept.keepFrom(full, keepByLayer());
    await greedy(kept, logits, length, 9);
    kept.startScoring("prompt", length + 8);
    await kept.decode(prompt.subarray(0, 32), length + 8, true);
    const tokens = kept.shape().tokens;
    const { values } = kept.scores(tokens);
    for (let row = 0; row < layers * heads; row++) {
      const list = values.subarray(row * tokens, (row + 1) * tokens);
      const missing = tokens - (kept.shape().layerTokens[Math.floor(row / heads)] ?? 0);
      expect(list.subarray(0, missing).every((score) => score === -1)).toBe(true);
      expect(list.subarray(missing).reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 3);
    }
    // The same budgets again, in their own place: what a layer does not hold is never chosen.
    const scores = { layers, heads, tokens, values };
    const lists = Array.from(budgets).map((budget) => selectTop(scores, budget, Uint32Array.of(tokens - 1)));
    const indices = lists.flatMap(({ indices: all, budgets: [budget = 0] }, layer) =>
      Array.from(all.subarray(layer * heads * budget, (layer + 1) * heads * budget)),
    );
    await kept.keepFrom(kept, { layers, heads, tokens, budgets, indices: Uint32Array.from(indices) });
    expect(kept.shape().layerTokens).toEqual(budgets);
    await kept.decode(Uint32Array.of(5), length + 40, true);
    await Promise.all([kept.dispose(), full.dispose()]);
  });

  test("that do not fit the cells, or name what a layer does not hold, are refused and leave nothing", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    const even = await createContext(model, { cells: 240 });
    await expect(even.keepFrom(full, keepByLayer())).rejects.toMatchObject({ detail: expect.stringContaining("fewer cells") });
    const uneven = await createContext(model, { cells: withRoom(8) });
    await expect(uneven.keepFrom(full, someTokens({ layers, heads }, length, 20))).rejects.toMatchObject({
      detail: expect.stringContaining("fewer cells"),
    });
    expect(uneven.shape()).toMatchObject({ tokens: 0, kept: false });
    await uneven.keepFrom(full, keepByLayer());
    await expect(even.keepFrom(uneven, keepAll({ layers, heads, tokens: 200 }))).rejects.toMatchObject({
      detail: expect.stringContaining("not in order"),
    });
    expect(even.shape()).toMatchObject({ tokens: 0, kept: false });
    await expect(createContext(model, { cells: withRoom(8), flashAttention: false })).rejects.toMatchObject({ code: "model-memory" });
    await expect(createContext(model, { cells: withRoom(8).subarray(1) })).rejects.toMatchObject({ code: "model-memory" });
    await Promise.all([uneven.dispose(), even.dispose(), full.dispose()]);
  });

  test("that are all the same give the same bits as one budget", async () => {
    const full = await createContext(model);
    const logits = await prefill(full, prompt);
    const kept = someTokens({ layers, heads }, length, 100);
    const plain = await createContext(model, { cells: 132 });
    await plain.keepFrom(full, kept);
    const byLayer = await createContext(model, { cells: new Uint32Array(layers).fill(132) });
    await byLayer.keepFrom(full, { ...kept, budgets: new Uint32Array(layers).fill(100) });
    expect(byLayer.buffers()).toEqual(plain.buffers());
    expect(await greedy(byLayer, logits, length, 16)).toEqual(await greedy(plain, logits, length, 16));
    expect(byLayer.logits()).toEqual(plain.logits());
    for (const kind of ["keys", "values"] as const) expect(byLayer.bytesOf(7, kind)).toEqual(plain.bytesOf(7, kind));
    await Promise.all([byLayer.dispose(), plain.dispose(), full.dispose()]);
  });
});

describe("a prompt that is read in windows", () => {
  test("onto a cache that kept everything has the bits of one that was read as ever", async () => {
    const plain = await createContext(model);
    const windows = await createContext(model);
    for (let at = 0; at < length; at += 175) {
      for (const context of [plain, windows]) await context.decode(prompt.subarray(at, at + 175), at, true);
      expect(windows.logits()).toEqual(plain.logits());
      await windows.keepFrom(windows, keepAll(windows.shape()));
      expect(windows.shape()).toMatchObject({ tokens: at + 175, kept: true });
    }
    await Promise.all([windows.dispose(), plain.dispose()]);
  });

  test("never holds more than a window and the budget, and its scores name what is kept", async () => {
    const budget = 128;
    const context = await createContext(model, { cells: budget + 512 });
    const long = (await model.tokenise(storyOf(2200), false)).tokens.subarray(0, 1800);
    for (let at = 0; at < long.length; at += 512) {
      const end = Math.min(at + 512, long.length);
      context.startScoring("prompt", end - 32);
      await context.decode(long.subarray(at, end), at, true);
      const { tokens } = context.shape();
      expect(tokens).toBe(Math.min(at, budget) + end - at);
      const scores = context.scores(tokens);
      const { values } = scores;
      expect(values.subarray(0, tokens).reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 3);
      // The attention sink is the first token of all, and stays the first of the kept ones.
      const first = values.reduce((sum, score, index) => sum + (index % tokens === 0 ? score : 0), 0) / (layers * heads);
      expect(first).toBeGreaterThan(0.2);
      await context.keepFrom(context, selectTop(scores, budget, Uint32Array.of(0, 1, 2, 3), 7));
      expect(context.shape()).toMatchObject({ cells: budget + 512, tokens: budget, kept: true });
    }
    await context.decode(Uint32Array.of(5), 1800, true);
    await context.dispose();
  });
});
