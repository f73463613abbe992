import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeptCache } from "../../electron/engine/conversation/keptCache.ts";
import { keptCells } from "../../electron/engine/llama/fit.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import { heldOf } from "../../electron/engine/lookahead/held.ts";
import { evenBudgets } from "../../electron/engine/lookahead/kept.ts";
import type { TokenRange } from "../../electron/engine/lookahead/protect.ts";
import type { KeptTokens } from "../../electron/engine/lookahead/scores.ts";
import type { DocumentShares } from "../../electron/engine/lookahead/shares.ts";
import { smolPath, storyOf } from "./support/engine.ts";
import { createContext, open, prefill, someTokens } from "./support/models.ts";

let model: Model;
beforeAll(async () => {
  model = await open(smolPath);
});
afterAll(() => model.dispose());

const contextLength = 1024;
const length = 300;

/** A prompt, kept, as an answer would be given from it. */
async function keep(
  policy: "snapkv" | "streamingllm" | "pyramidkv" | "nacl",
  keptOf: (layers: number, heads: number) => KeptTokens,
  pinned: TokenRange[] = [],
  share?: DocumentShares,
) {
  const full = await createContext(model, { contextLength });
  const prompt = (await model.tokenise(storyOf(400), false)).tokens.subarray(0, length);
  await prefill(full, prompt);
  const { layers, heads } = full.shape();
  const kept = keptOf(layers, heads);
  const createKept = (budgets: Uint32Array, room: number) =>
    createContext(model, { contextLength, cells: keptCells(budgets, room, { contextLength, gpu: false }) });
  const context = await createKept(kept.budgets, 32);
  await context.keepFrom(full, kept);
  await full.dispose();
  const largest = Math.max(...kept.budgets);
  const shared = share === undefined ? {} : { share };
  const choice = { policy, budget: 64, poolKernel: 7, seed: 1, lookahead: null, promptTokens: length, pinned, ...shared };
  const start = { context, held: heldOf(kept), read: prompt, choice, budgets: kept.budgets, mostCells: largest + 256 };
  return { cache: createKeptCache({ createKept, model }, start), largest };
}

/** The first four tokens and the last sixty. */
function firstAndLast(layers: number, heads: number): KeptTokens {
  const list = Uint32Array.from({ length: 64 }, (_, place) => (place < 4 ? place : length - 64 + place));
  const indices = new Uint32Array(layers * heads * 64);
  for (let row = 0; row < layers * heads; row++) indices.set(list, row * 64);
  return { layers, heads, tokens: length, budgets: evenBudgets({ layers }, 64), indices };
}

const words = Uint32Array.from({ length: 2000 }, (_, index) => 300 + ((index * 7919) % 20_000));

test("an answer of 2,000 tokens takes the memory of its first few hundred, beyond the context's length", async () => {
  const { cache } = await keep("snapkv", firstAndLast);
  const bytes = new Set<number>();
  for (const [index, token] of words.entries()) {
    const context = await cache.cellFor(token, { questionStart: length - 20, promptTokens: length }, () => undefined);
    if (context === null) throw new Error(`no cell for token ${index}`);
    await context.decode(Uint32Array.of(token), length + index, true);
    if (index >= 300) bytes.add(context.buffers().cache);
  }
  expect([...bytes]).toEqual([(64 + 256) * 23_040]);
  // Each makes room for 256 tokens; the first was there.
  expect(cache.counts).toEqual({ evictions: 7, answerEvictions: 7, scoredRows: 7 * 32 });
  expect(cache.context.logits().some(Number.isNaN)).toBe(false);
  // The first tokens, the question and what came last before the eviction, whatever they scored.
  for (const row of cache.held.rows) {
    expect(row).toHaveLength(64);
    expect(Array.from(row)).toEqual(expect.arrayContaining([0, 1, 2, 3, length - 1, cache.base - 1]));
  }
  // What came after the last eviction can be taken back, what came before cannot.
  expect(cache.cutTo(cache.base - 1)).toBe(false);
  expect(cache.cutTo(cache.base)).toBe(true);
  expect(cache.room()).toBe(256);
  await cache.dispose();
});

test("a pinned passage is kept by every eviction", async () => {
  const { cache } = await keep("nacl", firstAndLast, [{ start: length - 60, end: length - 10 }]);
  for (const [index, token] of words.subarray(0, 900).entries()) {
    const context = await cache.cellFor(token, { questionStart: length - 5, promptTokens: length }, () => undefined);
    await context?.decode(Uint32Array.of(token), length + index, true);
  }
  expect(cache.counts.answerEvictions).toBe(3);
  const passage = Array.from({ length: 50 }, (_, place) => length - 60 + place);
  for (const row of cache.held.rows) {
    expect(row).toHaveLength(64);
    expect(Array.from(row)).toEqual(expect.arrayContaining([0, 1, 2, 3, ...passage, length - 1, cache.base - 1]));
  }
  await cache.dispose();
});

test("documents divide what an answer leaves of them as they divided the budget", async () => {
  const documents = [
    { start: 4, end: 104 },
    { start: 104, end: 280 },
  ];
  const share: DocumentShares = { rule: "even", documents };
  const { cache } = await keep("snapkv", (layers, heads) => someTokens({ layers, heads }, length, 64), [], share);
  const heldOfEach = () =>
    cache.held.rows.map((row) => documents.map(({ start, end }) => row.filter((position) => position >= start && position < end).length));
  const before = heldOfEach();
  for (const [index, token] of words.subarray(0, 300).entries()) {
    const context = await cache.cellFor(token, { questionStart: length - 20, promptTokens: length }, () => undefined);
    await context?.decode(Uint32Array.of(token), length + index, true);
  }
  expect(cache.counts.answerEvictions).toBe(1);
  const divided = heldOfEach().flatMap(([few = 0, many = 0], row) =>
    few < (before[row]?.[0] ?? 0) && many < (before[row]?.[1] ?? 0) ? [{ few, many }] : [],
  );
  expect(divided.length).toBeGreaterThan(45);
  expect(divided.some(({ few }) => few > 1)).toBe(true);
  for (const { few, many } of divided) expect(Math.abs(few - many)).toBeLessThanOrEqual(1);
  await cache.dispose();
});

test("layers with different budgets keep them", async () => {
  const { cache, largest } = await keep("pyramidkv", (layers, heads) => {
    const budgets = Uint32Array.from({ length: layers }, (_, layer) => 94 - 2 * layer);
    const lists = Array.from(budgets).flatMap((budget) =>
      new Array(heads).fill(Array.from({ length: budget }, (_, place) => length - budget + place)),
    );
    return { layers, heads, tokens: length, budgets, indices: Uint32Array.from(lists.flat()) };
  });
  for (const [index, token] of words.subarray(0, 600).entries()) {
    const context = await cache.cellFor(token, { questionStart: length - 20, promptTokens: length }, () => undefined);
    await context?.decode(Uint32Array.of(token), length + index, true);
  }
  expect(cache.counts.answerEvictions).toBeGreaterThan(0);
  expect(cache.context.shape().cells).toBeLessThanOrEqual(largest + 256 + 32);
  const heads = cache.held.heads;
  for (const [index, row] of cache.held.rows.entries()) expect(row).toHaveLength(94 - 2 * Math.floor(index / heads));
  await cache.dispose();
});

test("the latest tokens are kept where nothing is scored", async () => {
  const { cache } = await keep("streamingllm", (layers, heads) => ({
    ...someTokens({ layers, heads }, length, 64),
    budgets: evenBudgets({ layers }, 64),
  }));
  for (const [index, token] of words.subarray(0, 300).entries()) {
    const context = await cache.cellFor(token, { questionStart: length, promptTokens: length }, () => undefined);
    await context?.decode(Uint32Array.of(token), length + index, false);
  }
  expect(cache.counts).toMatchObject({ answerEvictions: 1, scoredRows: 0 });
  for (const row of cache.held.rows)
    expect(Array.from(row.subarray(-60))).toEqual(Array.from({ length: 60 }, (_, place) => cache.base - 60 + place));
  await cache.dispose();
});
