import * as disk from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StreamEvent } from "../../../../electron/contract/engine.ts";
import type { SnapshotForm } from "../../../../electron/contract/snapshots.ts";
import { createStopper, readPrompt } from "../../../../electron/engine/conversation/readPrompt.ts";
import { createFullCache, type FullCache } from "../../../../electron/engine/fullCache.ts";
import type { ModelContext } from "../../../../electron/engine/llama/context.ts";
import { createPromptSnapshots } from "../../../../electron/engine/snapshots/promptSnapshots.ts";
import { createSnapshotStore, type SnapshotStore } from "../../../../electron/engine/snapshots/store.ts";
import { type FakeContext, fakeContext, joined, root, someTokens, temporaryFolder } from "../snapshots/support.ts";

// The context is stood in for: what is tested is what the cache is taken to hold, step by step, with and without snapshots.
let folder = "";
let remove: () => Promise<void>;
let store: SnapshotStore;
let contexts: FakeContext[] = [];
let opened: number[] = [];

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  store = createSnapshotStore(folder, disk);
  contexts = [];
  opened = [];
});
afterEach(async () => {
  await store.close(1000);
  await remove();
});

const contextLength = 4096;

function newCache(onDecode: () => void = () => undefined): FullCache {
  return createFullCache(contextLength, async (cells) => {
    opened.push(cells);
    const rows = fakeContext({ cells });
    contexts.push(rows);
    const never = () => {
      throw new Error("not asked for");
    };
    const context: ModelContext = {
      ...rows,
      contextLength,
      async decode(tokens, position) {
        if (position !== rows.tokens || position + tokens.length > cells) throw new Error(`decoded at ${position} of ${rows.tokens}`);
        rows.decode(tokens);
        onDecode();
      },
      startScoring: () => undefined,
      stopScoring: () => undefined,
      abort: () => undefined,
      resume: () => undefined,
      buffers: () => ({ cache: cells * 10, compute: 1 }),
      dispose: async () => undefined,
      decodeRows: never,
      sample: never,
      logits: never,
      scores: never,
      expectedAttention: never,
      setAdapter: never,
      shape: never,
      keepFrom: never,
      readKept: never,
      writeKept: never,
      isDisposed: false,
      bytesOf: never,
    };
    return context;
  });
}

async function read(
  cache: FullCache,
  prompt: Uint32Array,
  {
    form = "exact",
    signal = new AbortController().signal,
    kept = true,
  }: { form?: SnapshotForm; signal?: AbortSignal; kept?: boolean } = {},
) {
  const events: StreamEvent[] = [];
  const stopper = createStopper(signal);
  const snapshots = kept
    ? createPromptSnapshots(prompt, {
        store,
        form,
        root: () => (form === "exact" ? root : root.replace(/./g, "0")),
        hasWindows: false,
        documents: [],
      })
    : null;
  try {
    const { cachedTokens, restoredTokens } = await readPrompt(cache, prompt, null, {
      signal,
      emit: (event) => events.push(event),
      stopper,
      snapshots,
    });
    return { cachedTokens, restoredTokens, events };
  } finally {
    stopper.end();
    await store.settled();
  }
}

const lastContext = () => {
  const context = contexts[contexts.length - 1];
  if (context === undefined) throw new Error("no context");
  return context;
};

describe("a prompt", () => {
  it("is restored after a restart, which is told, and the cache holds what was read", async () => {
    const prompt = someTokens(2000);
    const cold = await read(newCache(), prompt);
    expect(cold).toMatchObject({ cachedTokens: 0, restoredTokens: 0 });
    expect(cold.events.some((event) => event.event === "progress" && event.stage === "restore")).toBe(false);
    const cache = newCache();
    const warm = await read(cache, prompt);
    expect(warm).toMatchObject({ cachedTokens: 1984, restoredTokens: 1984 });
    expect([...cache.prefilled]).toEqual([...prompt]);
    expect(lastContext().isTrue(prompt)).toBe(true);
    const fractions = warm.events.flatMap((event) => (event.event === "progress" && event.stage === "restore" ? [event.fraction] : []));
    expect(fractions[0]).toBe(0);
    expect(fractions[fractions.length - 1]).toBe(1);
  });

  it("counts as restored only what memory did not hold", async () => {
    const [first, second] = [someTokens(1000), joined(someTokens(1000), someTokens(900, 2))];
    await read(newCache(), second);
    const cache = newCache();
    await read(cache, first, { kept: false });
    expect(await read(cache, second)).toMatchObject({ cachedTokens: 1856, restoredTokens: 1856 - 960 });
    expect([...cache.prefilled]).toEqual([...second]);
    expect(lastContext().isTrue(second)).toBe(true);
  });

  it("that is stopped is whole up to its last step, on disk as well", async () => {
    const prompt = someTokens(3000);
    const controller = new AbortController();
    let steps = 0;
    const cache = newCache(() => {
      steps += 1;
      if (steps === 6) controller.abort();
    });
    await expect(read(cache, prompt, { signal: controller.signal })).rejects.toMatchObject({ code: "cancelled" });
    const held = cache.prefilled.length;
    expect(held).toBeGreaterThan(500);
    expect([...cache.prefilled]).toEqual([...prompt.subarray(0, held)]);
    const next = await read(newCache(), prompt);
    expect(next.restoredTokens).toBeGreaterThan(held - 128);
    expect(lastContext().isTrue(prompt)).toBe(true);
  });

  it("whose restoring is stopped says how much came from where", async () => {
    const prompt = someTokens(3000);
    await read(newCache(), prompt);
    const controller = new AbortController();
    const cache = newCache();
    const snapshots = createPromptSnapshots(prompt, { store, form: "exact", root: () => root, hasWindows: false, documents: [] });
    const counts: { cachedTokens: number; restoredTokens: number }[] = [];
    const emit = (event: StreamEvent) => {
      if (event.event === "progress" && event.done >= 512) controller.abort();
    };
    const stopper = createStopper(controller.signal);
    const onOpen = ({ cachedTokens, restoredTokens }: (typeof counts)[number]) => void counts.push({ cachedTokens, restoredTokens });
    // Reports come ten times a second at most: the disk is held until one is due.
    const slow = {
      ...snapshots,
      restore: async (...all: Parameters<typeof snapshots.restore>) => {
        await new Promise((resolve) => setTimeout(resolve, 150));
        return snapshots.restore(...all);
      },
    };
    const reading = readPrompt(cache, prompt, null, { signal: controller.signal, emit, stopper, snapshots: slow, onOpen });
    await expect(reading).rejects.toMatchObject({ code: "cancelled" });
    stopper.end();
    expect(counts).toEqual([{ cachedTokens: cache.prefilled.length, restoredTokens: cache.prefilled.length }]);
    expect(cache.prefilled.length).toBeGreaterThanOrEqual(512);
    expect(cache.prefilled.length).toBeLessThan(2944);
  });

  it("restored from rounded rows is not what an exact one is made of", async () => {
    const prompt = someTokens(1500);
    await read(newCache(), prompt, { form: "q8_0" });
    const cache = newCache();
    expect(await read(cache, prompt, { form: "q8_0" })).toMatchObject({ restoredTokens: 1472 });
    expect(cache.approximate).toBe(true);
    expect(await read(cache, prompt, { form: "q8_0" })).toMatchObject({ cachedTokens: 1472, restoredTokens: 0 });
    // With exact snapshots it is read anew, and only then stored.
    expect(await read(cache, prompt)).toMatchObject({ cachedTokens: 0 });
    expect(cache.approximate).toBe(false);
    expect(await read(newCache(), prompt)).toMatchObject({ restoredTokens: 1472 });
    expect(lastContext().isTrue(prompt)).toBe(true);
  });

  it("is read as ever without a store", async () => {
    const prompt = someTokens(700);
    const cache = newCache();
    expect(await read(cache, prompt, { kept: false })).toMatchObject({ cachedTokens: 0, restoredTokens: 0 });
    expect(await read(cache, prompt, { kept: false })).toMatchObject({ cachedTokens: 640, restoredTokens: 0 });
    expect(lastContext().log).toEqual([]);
  });
});
