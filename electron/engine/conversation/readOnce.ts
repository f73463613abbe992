import { heldOf, keptOf, nothingHeld } from "../lookahead/held.ts";
import { evenBudgets } from "../lookahead/kept.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { policyOf } from "../lookahead/policies/table.ts";
import { protectedTokens } from "../lookahead/protect.ts";
import { scoreByView, selectKept } from "../lookahead/score.ts";
import { type ReadingProgress, startReading } from "../progress.ts";
import type { Loaded } from "../session.ts";
import type { KeptSnapshot } from "../snapshots/keptSnapshots.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import { createKeptCache, type EvictionCounts, type KeptCache, noEvictions } from "./keptCache.ts";
import { gridTokens } from "./prefill.ts";
import { cellsBehind, type KeptReading, readBehind } from "./readKept.ts";
import { type ReadPrompt, readPrompt } from "./readPrompt.ts";
import { reusableBehind, roomFor } from "./windows.ts";

/** A kept cache of mode `once`, from one turn to the next. */
export type OnceCache = {
  readonly kept: KeptCache;
  /** What decided the choice besides the tokens: policy, budget, module. */
  readonly key: string;
  /** Without a question in view; or, since it had been full, for the one that is answered now, or one before it. */
  readonly scoredFor: "document" | "question" | "earlier-question";
  /** Whether the documents' rows came from a snapshot in q8_0: they are not what reading would have given. */
  readonly approximate: boolean;
};

/** The one kept cache that stays in memory between turns. */
export type OnceSlot = { current: OnceCache | null; free(): Promise<void> };

export function createOnceSlot(): OnceSlot {
  const slot: OnceSlot = {
    current: null,
    async free() {
      const old = slot.current;
      slot.current = null;
      await old?.kept.dispose();
    },
  };
  return slot;
}

export type OnceReading = KeptReading & {
  /** Where the documents end: up to here it is read once. */
  readonly documentEnd: number;
  /** A question that could be about any document, with the template's tail: what scores the documents. */
  readonly neutralView: Uint32Array;
  readonly key: string;
  readonly snapshots: PromptSnapshots | null;
  /** Kept caches on disk; null for none. */
  readonly stored: OnceStore | null;
  readonly onOpen: (opened: Pick<ReadPrompt, "cachedTokens" | "restoredTokens" | "restoreMs"> & { readonly bytes: number }) => void;
};

/** Kept caches of these documents on disk. */
export type OnceStore = {
  load(signal: AbortSignal): Promise<KeptSnapshot | null>;
  save(kept: KeptSnapshot): void;
};

type Reader = Pick<Loaded, "cache" | "createKept" | "model"> & { readonly once: OnceSlot };

/**
 * Reads a prompt behind a cache that was evicted once, when the document had been read: the one in memory, else one from disk, else the
 * document is read into the full cache and evicted. It stays in the slot, also where reading is stopped.
 * @returns the cache, and what it was scored for
 * @throws LongsightError `cancelled`, `model-memory`, `model-unsupported`, `engine-failed`
 */
export async function readOnce(loaded: Reader, prompt: Uint32Array, reading: OnceReading): Promise<OnceCache> {
  const { once } = loaded;
  const progress = startReading(prompt.length, reading.emit);
  try {
    const present = (await reuse(loaded, prompt, reading)) ?? (await begin(loaded, prompt, reading, progress));
    once.current = present;
    const { kept } = present;
    reading.stopper.watch(kept.context);
    const before = kept.counts.evictions;
    progress.begin(kept.read.length);
    try {
      await readBehind(kept, prompt, prompt.length, reading, progress);
    } finally {
      if (kept.counts.evictions > before) once.current = { ...present, scoredFor: "question" };
    }
    return once.current;
  } catch (error) {
    // What was stopped stays: it is known to the token what it holds.
    if (!reading.signal.aborted) await once.free();
    throw error;
  }
}

/** The cache in memory, cut back to what the prompt shares with it; null where it does not serve, and then it is freed. */
async function reuse(loaded: Reader, prompt: Uint32Array, { key, documentEnd, snapshots, onOpen }: OnceReading): Promise<OnceCache | null> {
  const { once } = loaded;
  const present = once.current;
  if (present === null) return null;
  const { kept } = present;
  // Rounded rows are not what an exact answer may be made of.
  const isExact = !present.approximate || snapshots?.form === "q8_0";
  const position = isExact && present.key === key && kept.base >= documentEnd ? reusableBehind(kept.read, kept.base, prompt) : null;
  if (position === null || !kept.cutTo(position)) {
    await once.free();
    return null;
  }
  onOpen({ cachedTokens: position, restoredTokens: 0, restoreMs: 0, bytes: kept.context.buffers().cache });
  return present;
}

/** A new one, with the documents' kept tokens and nothing behind them. */
async function begin(loaded: Reader, prompt: Uint32Array, reading: OnceReading, progress: ReadingProgress): Promise<OnceCache> {
  const { plan, documentEnd, stored, signal, onOpen } = reading;
  const documents = prompt.subarray(0, documentEnd);
  const started = performance.now();
  const snapshot = (await stored?.load(signal)) ?? null;
  if (snapshot !== null) {
    const kept = await restore(loaded, documents, reading, snapshot);
    if (kept !== null) {
      const restoreMs = performance.now() - started;
      onOpen({ cachedTokens: documentEnd, restoredTokens: documentEnd, restoreMs, bytes: kept.context.buffers().cache });
      return { kept, key: reading.key, scoredFor: "document", approximate: false };
    }
  }
  const { kept, approximate } = await keepDocuments(loaded, documents, reading, progress);
  // What is stored is taken for exact.
  const isStored = stored !== null && !approximate && loaded.model.header.slidingWindow === 0 && plan.budget <= documentEnd;
  const rows = isStored ? await kept.context.readKept() : null;
  if (rows !== null) {
    const { heads, budgets, indices } = keptOf(kept.held);
    stored?.save({ heads, budgets: Array.from(budgets), indices, rows });
  }
  return { kept, key: reading.key, scoredFor: "document", approximate };
}

/** Reads the documents into the full cache, evicts by the neutral view, and frees it. */
async function keepDocuments(
  loaded: Reader,
  documents: Uint32Array,
  reading: OnceReading,
  progress: ReadingProgress,
): Promise<Pick<OnceCache, "kept" | "approximate">> {
  const { plan, neutralView, stopper, took } = reading;
  if (documents.length === 0) {
    await loaded.cache.free();
    const empty = await loaded.createKept(Uint32Array.of(plan.budget), onceRoom(plan));
    reading.onOpen({ cachedTokens: 0, restoredTokens: 0, restoreMs: 0, bytes: empty.buffers().cache });
    return { kept: keptCacheOf(loaded, empty, documents, reading, nothingHeld(empty.shape()), noEvictions), approximate: false };
  }
  const readAs = { ...plan, promptRows: 0, promptTokens: documents.length, rowsBehind: neutralView.length + plan.rowsBehind };
  const { context } = await readPrompt(loaded.cache, documents, readAs, {
    ...reading,
    progress,
    onOpen: (opened) => reading.onOpen({ ...opened, bytes: opened.context.buffers().cache }),
  });
  const { approximate } = loaded.cache;
  await reading.snapshots?.save(context, documents.length);
  took("prefillMs");
  const isScored = policyOf(plan.policy).rows !== null;
  const hasWindows = loaded.model.header.slidingWindow > 0;
  const scored = isScored ? await scoreByView(context, readAs, documents.length, neutralView, { hasWindows, viewCounts: false }) : null;
  took("scoringMs");
  const place = { promptTokens: documents.length, tailStart: documents.length };
  const kept = protectedTokens({ ...place, pinned: plan.pinned, budget: plan.budget });
  const choice = { ...readAs, protectedTokens: kept, promptRows: scored?.rows ?? 0 };
  const chosen = selectKept(choice, context.shape(), scored?.scores ?? null);
  const target = await loaded.createKept(Uint32Array.of(plan.budget), onceRoom(plan));
  try {
    await target.keepFrom(context, chosen);
    await loaded.cache.free();
    stopper.watch(target);
  } catch (error) {
    await target.dispose();
    throw error;
  }
  took("evictionMs");
  const counts = { evictions: 1, answerEvictions: 0, scoredRows: scored?.rows ?? 0 };
  return { kept: keptCacheOf(loaded, target, documents, reading, heldOf(chosen), counts), approximate };
}

/** @returns null where what is stored does not fit: it is read again then */
async function restore(
  loaded: Reader,
  documents: Uint32Array,
  reading: OnceReading,
  { heads, budgets, indices, rows }: KeptSnapshot,
): Promise<KeptCache | null> {
  const held = heldOf({
    layers: budgets.length,
    heads,
    tokens: documents.length,
    budgets: Uint32Array.from(budgets),
    indices,
  });
  await loaded.cache.free();
  const target = await loaded.createKept(Uint32Array.of(reading.plan.budget), onceRoom(reading.plan));
  try {
    await target.writeKept(rows);
    // The choice that was stored had the first seed.
    return keptCacheOf(loaded, target, documents, reading, held, noEvictions, 1);
  } catch {
    await target.dispose();
    return null;
  }
}

function keptCacheOf(
  loaded: Reader,
  context: KeptCache["context"],
  documents: Uint32Array,
  { plan }: OnceReading,
  held: KeptCache["held"],
  counts: EvictionCounts,
  choicesBefore = counts.evictions,
): KeptCache {
  const shape = context.shape();
  const budgets = evenBudgets(shape, plan.budget);
  return createKeptCache(loaded, { context, held, read: documents, choice: plan, budgets, mostCells: shape.cells, counts, choicesBefore });
}

/** Cells beside the budget's: as for any answer, and what scoring and a few lines of the grid need. */
function onceRoom(plan: EvictionPlan): number {
  return Math.max(roomFor(plan.budget), cellsBehind(plan) + 4 * gridTokens);
}
