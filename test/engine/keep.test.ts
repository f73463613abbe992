import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import { keepAll, selectTop } from "../../electron/engine/lookahead/select.ts";
import { smolPath, storyOf } from "./support/engine.ts";
import { createContext, greedy, open, prefill, someTokens } from "./support/models.ts";

const length = 700;

let model: Model;
let prompt: Uint32Array;
beforeAll(async () => {
  model = await open(smolPath);
  prompt = (await model.tokenise(storyOf(800), false)).tokens.subarray(0, length);
});
afterAll(() => model.dispose());

/** One token's part of one head in a layer's keys or values, wherever the layout puts it. */
function headOf(context: ModelContext, layer: number, kind: "keys" | "values", heads: number) {
  const { transposed, row, bytes } = context.bytesOf(layer, kind);
  const cells = transposed ? row / 2 : bytes.length / row;
  return (token: number, head: number): Buffer => {
    if (!transposed) return Buffer.from(bytes.subarray(token * row + (head * row) / heads, token * row + ((head + 1) * row) / heads));
    const elements = bytes.length / row / heads;
    const parts = Array.from({ length: elements }, (_, element) => {
      const at = (head * elements + element) * row + token * 2;
      return bytes.subarray(at, at + 2);
    });
    expect(token).toBeLessThan(cells);
    return Buffer.concat(parts);
  };
}

describe.each([
  { kvType: "f16", flashAttention: true },
  { kvType: "q8_0", flashAttention: true },
  { kvType: "q4_0", flashAttention: true },
  // Without flash attention the values lie transposed.
  { kvType: "f16", flashAttention: false },
] as const)("kept rows ($kvType, flash attention $flashAttention)", (options) => {
  test("are the full cache's rows at the chosen places, bit for bit, for each layer and head", async () => {
    const full = await createContext(model, options);
    await prefill(full, prompt);
    const shape = full.shape();
    expect(shape).toMatchObject({ layers: 30, heads: 3, cells: 2048, tokens: length, kept: false });
    const kept = someTokens(shape, length, 100);
    const small = await createContext(model, { ...options, cells: 132 });
    await small.keepFrom(full, kept);
    expect(small.shape()).toMatchObject({ cells: 132, tokens: 100, kept: true });
    for (const kind of ["keys", "values"] as const) {
      for (let layer = 0; layer < shape.layers; layer++) {
        const [from, to] = [headOf(full, layer, kind, shape.heads), headOf(small, layer, kind, shape.heads)];
        for (let head = 0; head < shape.heads; head++) {
          for (let place = 0; place < 100; place++) {
            const token = kept.indices[(layer * shape.heads + head) * 100 + place] ?? -1;
            if (!to(place, head).equals(from(token, head))) throw new Error(`${kind} of layer ${layer}, head ${head}, token ${token}`);
          }
        }
      }
    }
    await small.dispose();
    await full.dispose();
  });

  test("of every token go on exactly as the full cache does", async () => {
    const full = await createContext(model, options);
    const logits = await prefill(full, prompt);
    const shape = { ...full.shape(), tokens: length };
    const copy = await createContext(model, options);
    await copy.keepFrom(full, keepAll(shape));
    expect(await greedy(copy, logits, length, 24)).toEqual(await greedy(full, logits, length, 24));
    expect(copy.logits()).toEqual(full.logits());
    await copy.dispose();
    await full.dispose();
  });
});

describe("a kept cache", () => {
  test("can be kept in its own place, and kept from again", async () => {
    const full = await createContext(model);
    const logits = await prefill(full, prompt);
    const first = someTokens(full.shape(), length, 200);
    const apart = await createContext(model, { cells: 264 });
    await apart.keepFrom(full, first);
    await full.keepFrom(full, first);
    expect(full.shape()).toMatchObject({ tokens: 200, kept: true });
    expect(await greedy(full, logits, length, 8)).toEqual(await greedy(apart, logits, length, 8));

    // Eight tokens came, of which the last was not decoded.
    const second = someTokens(apart.shape(), 207, 50);
    await apart.keepFrom(apart, second);
    expect(apart.shape()).toMatchObject({ tokens: 50, kept: true });
    await apart.decode(Uint32Array.of(5), length + 7, true);
    await apart.dispose();
    await full.dispose();
  });

  test("refuses what would take its labels for positions, and is as it was", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    const small = await createContext(model, { cells: 128 });
    const kept = someTokens(full.shape(), length, 64);
    await small.keepFrom(full, kept);
    await expect(small.keepFrom(full, kept)).rejects.toMatchObject({
      code: "engine-failed",
      detail: expect.stringContaining("holds something"),
    });
    await small.decode(Uint32Array.of(5), length, true);
    const before = small.logits();
    // Its own token may go, a kept one may not.
    expect(small.truncate(length)).toBe(length);
    await small.decode(Uint32Array.of(5), length, true);
    expect(small.logits()).toEqual(before);
    expect(small.truncate(length - 1)).toBe(0);
    expect(small.shape()).toMatchObject({ tokens: 0, kept: false });
    // Empty, it is a cache like any other.
    await small.decode(prompt.subarray(0, 100), 0, true);
    expect(small.shape()).toMatchObject({ tokens: 100, kept: false });
    await small.dispose();
    await full.dispose();
  });

  test("names what cannot be kept", async () => {
    const full = await createContext(model);
    const small = await createContext(model, { cells: 64 });
    const shape = full.shape();
    await expect(small.keepFrom(full, someTokens(shape, 10, 5))).rejects.toMatchObject({ detail: expect.stringContaining("empty") });
    await prefill(full, prompt);
    const refused = (kept: ReturnType<typeof someTokens>, detail: string) =>
      expect(small.keepFrom(full, kept)).rejects.toMatchObject({ code: "engine-failed", detail: expect.stringContaining(detail) });
    await refused(someTokens(shape, length, 65), "fewer cells");
    const kept = someTokens(shape, length, 20);
    await refused({ ...kept, indices: kept.indices.slice().reverse() }, "not in order");
    await refused({ ...kept, indices: kept.indices.map((token) => token + length) }, "beyond the last");
    await expect(small.keepFrom(full, { ...kept, indices: kept.indices.subarray(1) })).rejects.toThrow(RangeError);
    const other = await createContext(model, { cells: 64, kvType: "q8_0" });
    await expect(other.keepFrom(full, kept)).rejects.toMatchObject({ detail: expect.stringContaining("different") });
    // None of that left a trace.
    await small.keepFrom(full, kept);
    expect(small.shape()).toMatchObject({ tokens: 20, kept: true });
    await Promise.all([other.dispose(), small.dispose(), full.dispose()]);
  });

  test("has room for as many tokens as it has cells, and says so when they are used up", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    const small = await createContext(model, { cells: 64 });
    await small.keepFrom(full, someTokens(full.shape(), length, 60));
    for (let at = 0; at < 4; at++) await small.decode(Uint32Array.of(5), length + at, true);
    await expect(small.decode(Uint32Array.of(5), length + 4, true)).rejects.toMatchObject({ code: "engine-failed" });
    await small.dispose();
    await full.dispose();
  });
});

test("budgets next to each other nest, on real scores", async () => {
  const context = await createContext(model);
  context.startScoring("prompt", length - 32);
  await prefill(context, prompt);
  const scores = context.scores(length);
  await context.dispose();
  const sets = (budget: number) => {
    const { indices } = selectTop(scores, budget, Uint32Array.of(0, 1, 2, 3, length - 1), 7);
    return Array.from({ length: 90 }, (_, row) => new Set(indices.subarray(row * budget, (row + 1) * budget)));
  };
  let smaller = sets(5);
  for (let budget = 6; budget <= 300; budget++) {
    const larger = sets(budget);
    larger.forEach((row, index) => {
      expect(row.size).toBe(budget);
      for (const token of smaller[index] ?? []) if (!row.has(token)) throw new Error(`token ${token} left at budget ${budget}`);
    });
    smaller = larger;
  }
});
