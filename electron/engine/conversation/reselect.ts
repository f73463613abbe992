import { LongsightError } from "../../contract/errors.ts";
import type { KeptPreview, Reselected } from "../../contract/kept.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import type { FullCache } from "../fullCache.ts";
import type { ModelContext } from "../llama/context.ts";
import { keptCounts, meanBudget } from "../lookahead/kept.ts";
import { usedPolicy } from "../lookahead/plan.ts";
import { selectKept } from "../lookahead/score.ts";
import { withStoredScores } from "../lookahead/scoreShelf.ts";
import type { KeptTokens } from "../lookahead/scores.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import { measure, refuseBeyondCache, refuseTooLong } from "./assemble.ts";
import { documentSpans, keptOfDocuments } from "./documentSpans.ts";
import { findStoredRows, gatherStored, type StoredRows } from "./gatherStored.ts";
import { choosablePromptOf, keptOfPrompt, type LastPrompt, layoutOf, type ReselectParts, type ReselectRequest } from "./lastPrompt.ts";
import { commonPrefix } from "./prefill.ts";
import { createStopper, type ReadPrompt, readPrompt, type Stopper } from "./readPrompt.ts";
import { answerCells } from "./windows.ts";

/**
 * What a budget would keep of the last answer's prompt, from its stored scores alone: nothing is read, scored or allocated.
 * @throws LongsightError `scores-missing` where they are not there; `usage` as `ask` does
 */
export async function previewKept(loaded: Loaded, parts: ReselectParts, request: ReselectRequest, call: CallOptions): Promise<KeptPreview> {
  const last = await choosablePromptOf(loaded, parts, request, call);
  const kept = keptOfPrompt(loaded, last);
  return { ...describe(request, last, kept), keptCacheBytes: loaded.keptSizes.find(kept.budgets) };
}

/**
 * Chooses anew from the last answer's prompt by its stored scores, and gathers that into a cache of its own, to measure it. The rows come
 * from the full cache where that is in memory; else straight from a snapshot; else the prompt is read again, which is said, and stays.
 * @throws LongsightError `scores-missing`, `cancelled`, and whatever `ask` throws
 */
export async function reselect(loaded: Loaded, parts: ReselectParts, request: ReselectRequest, call: CallOptions): Promise<Reselected> {
  const { signal, emit } = call;
  const started = performance.now();
  const last = await choosablePromptOf(loaded, parts, request, call);
  const promptTokens = last.prompt.tokens.length;
  refuseTooLong(measure(last.prompt, loaded.description.contextLength, 1));
  refuseBeyondCache(promptTokens, loaded.cache.mostTokens);
  const stopper = createStopper(signal);
  try {
    const reading = performance.now();
    const held = await heldPrompt(loaded.cache, last);
    const stored = held === null ? await findStoredRows(loaded, last, signal) : null;
    const fromStored = stored === null ? null : await chooseFromStored(loaded, last, stored, call);
    const { kept, ...figures } =
      fromStored ??
      (await chooseFromFull(loaded, last, held ?? (await readAgain(loaded.cache, last, { signal, emit, stopper })), reading, call));
    return {
      ...describe(request, last, kept),
      ...figures,
      evaluatedTokens: promptTokens - figures.cachedTokens,
      timings: { ...figures.timings, totalMs: performance.now() - started },
    };
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  } finally {
    stopper.end();
  }
}

type Gathered = Pick<Reselected, "fullCacheBytes" | "keptCacheBytes" | "cachedTokens" | "restoredTokens"> & {
  readonly kept: KeptTokens;
  readonly timings: Omit<Reselected["timings"], "totalMs">;
};

/** @param reading when it was begun to read the full cache, or to find it in memory */
async function chooseFromFull(
  loaded: Loaded,
  last: LastPrompt,
  read: ReadPrompt,
  reading: number,
  { emit }: CallOptions,
): Promise<Gathered> {
  const prefillMs = performance.now() - reading - read.restoreMs;
  if (2 * read.cachedTokens < last.prompt.tokens.length) {
    emit({ event: "notice", ...say("readAgain") });
  }
  const progress = startProgress("eviction", 1, emit);
  const selecting = performance.now();
  const kept = selectKept(last.plan, read.context.shape(), last.scores);
  const gathering = performance.now();
  const keptCacheBytes = await fillSmall(loaded, last, kept, (small) => small.keepFrom(read.context, kept));
  progress.update(1);
  return {
    kept,
    fullCacheBytes: read.context.buffers().cache,
    keptCacheBytes,
    cachedTokens: read.cachedTokens,
    restoredTokens: read.restoredTokens,
    timings: { restoreMs: read.restoreMs, prefillMs, selectionMs: gathering - selecting, evictionMs: performance.now() - gathering },
  };
}

/** Straight from disk, without a full cache. @returns null where what is stored turned out to be damaged, or gone */
async function chooseFromStored(loaded: Loaded, last: LastPrompt, stored: StoredRows, call: CallOptions): Promise<Gathered | null> {
  const layout = layoutOf(loaded, last);
  if (layout === null) return null;
  const selecting = performance.now();
  const kept = selectKept(last.plan, layout, last.scores);
  const gathering = performance.now();
  let restoreMs = 0;
  let isFilled = false;
  const keptCacheBytes = await fillSmall(loaded, last, kept, async (small) => {
    const restoring = performance.now();
    isFilled = await gatherStored(loaded, stored, small, kept, call);
    restoreMs = performance.now() - restoring;
  });
  if (!isFilled) return null;
  const promptTokens = last.prompt.tokens.length;
  return {
    kept,
    fullCacheBytes: stored.tail.fullCacheBytes,
    keptCacheBytes,
    cachedTokens: promptTokens,
    restoredTokens: stored.stored.tokens,
    timings: { restoreMs, prefillMs: 0, selectionMs: gathering - selecting, evictionMs: performance.now() - gathering - restoreMs },
  };
}

/** Allocates a kept cache, fills it, and frees it again. @returns the bytes it took */
async function fillSmall(
  loaded: Loaded,
  last: LastPrompt,
  kept: KeptTokens,
  fill: (small: ModelContext) => Promise<void>,
): Promise<number> {
  const small = await loaded.createKept(kept.budgets, roomFor(loaded, last));
  try {
    await fill(small);
    loaded.keptSizes.see(kept);
    return small.buffers().cache;
  } finally {
    await small.dispose();
  }
}

/** The full cache, where it holds the whole prompt: nothing is read then, since no logits are wanted. Null where it does not. */
async function heldPrompt(cache: FullCache, { prompt: { tokens }, snapshots }: LastPrompt): Promise<ReadPrompt | null> {
  const { prefilled } = cache;
  if (cache.approximate && snapshots?.form !== "q8_0") return null;
  if (commonPrefix(prefilled, tokens) < tokens.length) return null;
  const context = await cache.open(tokens.length, true);
  // What was written after the prompt goes; a sliding window may have dropped what it would need then.
  prefilled.length = context.truncate(tokens.length);
  return prefilled.length < tokens.length ? null : { context, cachedTokens: tokens.length, restoredTokens: 0, restoreMs: 0 };
}

async function readAgain(
  cache: FullCache,
  { prompt, plan, scores, snapshots }: LastPrompt,
  options: CallOptions & { readonly stopper: Stopper },
): Promise<ReadPrompt> {
  const unscored = scores === null ? plan : withStoredScores(plan, scores);
  const read = await readPrompt(cache, prompt.tokens, unscored, { ...options, snapshots });
  await snapshots?.save(read.context, prompt.tokens.length);
  return read;
}

/** Cells that an answer's kept cache has for its beginning, as far as the context goes. */
function roomFor({ positions }: Loaded, { prompt }: LastPrompt): number {
  return Math.max(0, Math.min(answerCells, positions - prompt.tokens.length));
}

function describe({ budget }: ReselectRequest, { prompt, plan }: LastPrompt, kept: KeptTokens): Omit<KeptPreview, "keptCacheBytes"> {
  return {
    policy: usedPolicy(plan),
    budget,
    promptTokens: prompt.tokens.length,
    layers: kept.layers,
    heads: kept.heads,
    keptTokens: meanBudget(kept),
    kept: keptCounts(kept),
    documents: keptOfDocuments(documentSpans(prompt), kept),
  };
}

function stopped(): LongsightError {
  return new LongsightError("cancelled", say("stopped"));
}
