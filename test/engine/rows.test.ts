import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ModelContext } from "../../electron/engine/llama/context.ts";
import { createKeptImage } from "../../electron/engine/llama/keptImage.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import { selectTop } from "../../electron/engine/lookahead/select.ts";
import { smolPath, storyOf } from "./support/engine.ts";
import { createContext, gemmaPath, greedy, open, prefill, someTokens } from "./support/models.ts";

const length = 700;
const next = Uint32Array.of(5);

let model: Model;
let prompt: Uint32Array;
beforeAll(async () => {
  model = await open(smolPath);
  prompt = (await model.tokenise(storyOf(800), false)).tokens.subarray(0, length);
});
afterAll(() => model.dispose());

/** All rows of `from`, in pieces of 256 positions, into `to`. */
async function copyRows(from: ModelContext, to: ModelContext, form: "exact" | "q8_0", tokens = length): Promise<void> {
  for (let at = 0; at < tokens; at += 256) {
    const end = Math.min(at + 256, tokens);
    await to.writeRows(at, end, await from.readRows(at, end, form), form);
  }
}

async function nextLogits(context: ModelContext, position: number): Promise<Float32Array> {
  await context.decode(next, position, true);
  return context.logits();
}

describe.each([
  { kvType: "f16", flashAttention: true },
  { kvType: "q8_0", flashAttention: true },
  { kvType: "f16", flashAttention: false },
] as const)("rows ($kvType, flash attention $flashAttention)", (options) => {
  test("that went out and in give the same next logits, bit for bit", async () => {
    const full = await createContext(model, options);
    await prefill(full, prompt);
    const copy = await createContext(model, options);
    await copyRows(full, copy, "exact");
    expect(copy.shape()).toMatchObject({ tokens: length, kept: false });
    const expected = await nextLogits(full, length);
    expect(await nextLogits(copy, length)).toEqual(expected);
    expect(await greedy(copy, expected, length + 1, 8)).toEqual(await greedy(full, expected, length + 1, 8));
    // A restored prefix is one like any other: part of it goes, another end is read.
    expect(copy.truncate(600)).toBe(600);
    expect(full.truncate(600)).toBe(600);
    for (const context of [full, copy]) await context.decode(prompt.subarray(100, 180), 600, true);
    expect(copy.logits()).toEqual(full.logits());
    await Promise.all([copy.dispose(), full.dispose()]);
  });
});

describe("rows", () => {
  test("take the bytes that are said, and about half of them as q8_0", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    // 30 layers, 3 KV heads of 64, keys and values.
    expect(full.rowBytes("exact")).toBe(30 * 3 * 64 * 2 * 2);
    expect(full.rowBytes("q8_0")).toBe((30 * 3 * 64 * 2 * 34) / 32);
    const rows = await full.readRows(10, 20, "q8_0");
    expect(rows).toHaveLength(10 * full.rowBytes("q8_0"));
    // A buffer of its own, which may be transferred.
    expect(rows.buffer.byteLength).toBe(rows.length);
    const eight = await createContext(model, { kvType: "q8_0" });
    expect(eight.rowBytes("exact")).toBe(full.rowBytes("q8_0"));
    expect(() => eight.rowBytes("q8_0")).toThrow(expect.objectContaining({ code: "model-unsupported" }));
    await Promise.all([eight.dispose(), full.dispose()]);
  });

  test("as q8_0 give nearly the same logits", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    const copy = await createContext(model);
    await copyRows(full, copy, "q8_0");
    const [exact, rounded] = [await nextLogits(full, length), await nextLogits(copy, length)];
    const best = (logits: Float32Array) => logits.indexOf(Math.max(...logits));
    expect(best(rounded)).toBe(best(exact));
    const squares = exact.reduce((sum, value, token) => sum + (value - (rounded[token] ?? Number.NaN)) ** 2, 0);
    const spread = exact.reduce((sum, value) => sum + value ** 2, 0);
    expect(Math.sqrt(squares / spread)).toBeLessThan(0.05);
    await Promise.all([copy.dispose(), full.dispose()]);
  });

  test("in the wrong place or of the wrong size are refused, and nothing has changed", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    const copy = await createContext(model, { cells: 512 });
    const rows = await full.readRows(0, 256, "exact");
    await copy.writeRows(0, 256, rows, "exact");
    const refused = (start: number, end: number, bytes: Uint8Array, detail: string) =>
      expect(copy.writeRows(start, end, bytes, "exact")).rejects.toMatchObject({
        code: "engine-failed",
        detail: expect.stringContaining(detail),
      });
    await refused(0, 256, rows, "other positions");
    await refused(300, 556, rows, "other positions");
    await refused(256, 512, rows.subarray(1), "other bytes");
    await refused(256, 511, rows, "other bytes");
    await refused(256, 512, new Uint8Array(0), "other bytes");
    await refused(256, 256 + 257, await full.readRows(256, 256 + 257, "exact"), "fewer cells");
    await expect(copy.writeRows(256, 512, rows, "q8_0")).rejects.toMatchObject({ detail: expect.stringContaining("other bytes") });
    await expect(copy.readRows(200, 257, "exact")).rejects.toMatchObject({ code: "engine-failed" });
    await expect(copy.readRows(5, 5, "exact")).rejects.toThrow(RangeError);
    expect(copy.shape()).toMatchObject({ tokens: 256, kept: false });
    expect(full.truncate(256)).toBe(256);
    expect(await nextLogits(copy, 256)).toEqual(await nextLogits(full, 256));
    await Promise.all([copy.dispose(), full.dispose()]);
  });

  test("leave the event loop free while they are copied", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await full.readRows(0, length, "q8_0");
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
    await full.dispose();
  });
});

describe("a kept cache", () => {
  test("goes out and in as it is, and goes on with the same bits", async () => {
    const full = await createContext(model);
    await prefill(full, prompt);
    expect(await full.readKept()).toBeNull();
    const kept = await createContext(model, { cells: 160 });
    await kept.keepFrom(full, someTokens(full.shape(), length, 100));
    // Some of the answer as well.
    await kept.decode(prompt.subarray(0, 20), length, true);
    const bytes = await kept.readKept();
    if (bytes === null) throw new Error("a kept cache has no bytes");
    expect(bytes.length).toBeLessThan(120 * kept.rowBytes("exact") + 1000);
    await expect(kept.readRows(0, 1, "exact")).rejects.toMatchObject({ detail: expect.stringContaining("other positions") });

    const copy = await createContext(model, { cells: 160 });
    await copy.writeKept(bytes);
    expect(copy.shape()).toEqual(kept.shape());
    expect(await nextLogits(copy, length + 20)).toEqual(await nextLogits(kept, length + 20));
    // Its own tokens may go, kept ones may not.
    expect(copy.truncate(length)).toBe(length);
    expect(copy.truncate(length - 1)).toBe(0);

    const refused = (target: ModelContext, image: Uint8Array) =>
      expect(target.writeKept(image)).rejects.toMatchObject({ code: "engine-failed" });
    await refused(kept, bytes);
    await refused(copy, bytes.subarray(1));
    await refused(copy, bytes.subarray(0, 100));
    await refused(copy, new Uint8Array(bytes.length));
    expect(copy.shape()).toMatchObject({ tokens: 0, kept: false });
    const other = await createContext(model, { cells: 161 });
    await refused(other, bytes);
    await Promise.all([other.dispose(), copy.dispose(), kept.dispose(), full.dispose()]);
  });
});

const here = existsSync(gemmaPath);
if (!here) console.warn("Gemma 3 is not here (LONGSIGHT_GEMMA): the rows of sliding windows are not tested.");

describe.runIf(here)("a model with sliding windows", () => {
  test("needs its windows as well, of the very same prefix, and goes on with the same bits", async () => {
    const gemma = await open(gemmaPath);
    const tokens = (await gemma.tokenise(storyOf(1100), false)).tokens.subarray(0, 1000);
    const full = await createContext(gemma);
    await prefill(full, tokens);
    const copy = await createContext(gemma);
    expect(await copy.readWindow()).toBeNull();
    await copyRows(full, copy, "exact", 1000);
    await expect(copy.decode(next, 1000, true)).rejects.toMatchObject({ code: "engine-failed", detail: "no windows" });
    const window = await full.readWindow();
    if (window === null) throw new Error("a model with windows has none");

    const expected = await nextLogits(full, 1000);
    const later = await full.readWindow();
    if (later === null) throw new Error("a model with windows has none");
    await expect(copy.writeWindow(later)).rejects.toMatchObject({ detail: expect.stringContaining("other positions") });
    await expect(copy.writeWindow(window.subarray(8))).rejects.toMatchObject({ code: "engine-failed" });
    await copy.writeWindow(window);
    expect(await nextLogits(copy, 1000)).toEqual(expected);
    await expect(copy.writeWindow(later)).rejects.toMatchObject({ detail: expect.stringContaining("holds something") });

    const kept = await createContext(gemma, { cells: 128 });
    await kept.keepFrom(full, someTokens(full.shape(), 1001, 64));
    const [cells, windows] = [await kept.readKept(), await kept.readWindow()];
    if (cells === null || windows === null) throw new Error("a kept cache has no bytes");
    const again = await createContext(gemma, { cells: 128 });
    await again.writeKept(cells);
    await again.writeWindow(windows);
    expect(await nextLogits(again, 1001)).toEqual(await nextLogits(kept, 1001));
    await Promise.all([again.dispose(), kept.dispose(), copy.dispose(), full.dispose()]);
    await gemma.dispose();
  }, 120_000);
});

test("a model without sliding windows has none to read", async () => {
  const full = await createContext(model);
  await prefill(full, prompt.subarray(0, 20));
  expect(await full.readWindow()).toBeNull();
  await full.dispose();
});

describe.each(["f16", "q8_0"] as const)("an image of kept cells that is made of rows (%s)", (kvType) => {
  const headBytes = () => {
    const bytes = model.header.headBytes?.[kvType];
    if (bytes === undefined) throw new Error("heads of different sizes");
    return bytes;
  };
  const even = new Uint32Array(30).fill(100);
  const uneven = even.map((budget, layer) => budget - 2 * layer);

  test.each([
    ["even", even],
    ["different", uneven],
  ])("is the one of the cache that was kept from a full one: %s budgets", async (name, budgets) => {
    const full = await createContext(model, { kvType });
    await prefill(full, prompt);
    const shape = { layers: 30, heads: 3, tokens: length };
    const random = Float32Array.from({ length: 30 * 3 * length }, (_, place) => (place * 2_654_435_761) % 1_000_003);
    const chosen = selectTop({ ...shape, values: random }, budgets, new Uint32Array(0), 1);
    const cells = name === "even" ? 128 : budgets.map((budget) => budget + 28);
    const [kept, made] = [await createContext(model, { kvType, cells }), await createContext(model, { kvType, cells })];
    await kept.keepFrom(full, chosen);

    const image = createKeptImage(chosen, made.shape(), headBytes());
    // Chunks reach beyond what is taken of them, and the last rows begin before.
    image.add(0, await full.readRows(0, 512, "exact"), 512);
    image.add(512, await full.readRows(512, 690, "exact"), 640);
    image.add(600, await full.readRows(600, length, "exact"), length);
    expect(Buffer.from(image.bytes).equals(await readKept(kept))).toBe(true);
    await made.writeKept(image.bytes);
    expect(made.shape()).toEqual(kept.shape());
    expect(await nextLogits(made, length)).toEqual(await nextLogits(kept, length));
    await Promise.all([made.dispose(), kept.dispose(), full.dispose()]);
  });

  test("refuses rows that leave some out, and half ones", async () => {
    const kept = await createContext(model, { kvType, cells: 32 });
    const chosen = someTokens({ layers: 30, heads: 3 }, length, 10);
    const image = createKeptImage(chosen, kept.shape(), headBytes());
    const rowBytes = kept.rowBytes("exact");
    expect(() => image.add(500, new Uint8Array(100 * rowBytes), 600)).toThrow(/left out/);
    expect(() => image.add(0, new Uint8Array(rowBytes + 1), 600)).toThrow(/no whole rows/);
    await kept.dispose();
  });
});

async function readKept(context: ModelContext): Promise<Uint8Array> {
  const bytes = await context.readKept();
  if (bytes === null) throw new Error("a kept cache has no bytes");
  return bytes;
}
