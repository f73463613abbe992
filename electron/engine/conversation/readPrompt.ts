import type { StreamEvent } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { FullCache } from "../fullCache.ts";
import { batchTokens, type ModelContext } from "../llama/context.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { beforePrefill, rowsToRead } from "../lookahead/score.ts";
import { type ReadingProgress, startProgress, startReading } from "../progress.ts";
import type { StoredPrefix } from "../snapshots/catalogue.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import { nextStepEnd, onGrid, reusablePrefix, stepTokensFor } from "./prefill.ts";

/** A context that Stop reaches: the one that computes now. */
export type Stopper = { watch(context: ModelContext): void; end(): void };

/** Passes an abort on to whichever context was watched last. */
export function createStopper(signal: AbortSignal): Stopper {
  let watched: ModelContext | null = null;
  const abort = () => watched?.abort();
  signal.addEventListener("abort", abort);
  return {
    watch(context) {
      watched = context;
      context.resume();
      if (signal.aborted) context.abort();
    },
    end: () => signal.removeEventListener("abort", abort),
  };
}

/** What of a prompt was there before it was read: `cachedTokens`, of which `restoredTokens` came from a snapshot in `restoreMs`. */
export type ReadPrompt = {
  readonly context: ModelContext;
  readonly cachedTokens: number;
  readonly restoredTokens: number;
  readonly restoreMs: number;
};

/**
 * Opens the full cache and reads a prompt into it, in steps on the grid (prefill.ts), beginning with what is neither there yet nor in a
 * snapshot. Only whole steps count as cached, also where it is stopped.
 * @param eviction what will be done with the prompt; null keeps all of it
 * @param options.snapshots where the prompt's beginning is looked for and kept; null for neither
 * @param options.progress of a longer reading that this is the beginning of; left out, one of its own
 * @param options.onOpen called before the first step, or where restoring is stopped, with what will be returned: a stop throws that away
 * @throws LongsightError `cancelled`, `model-memory`, `engine-failed`
 */
export async function readPrompt(
  cache: FullCache,
  prompt: Uint32Array,
  eviction: EvictionPlan | null,
  options: {
    readonly signal: AbortSignal;
    readonly emit: (event: StreamEvent) => void;
    readonly stopper: Stopper;
    readonly snapshots?: PromptSnapshots | null;
    readonly progress?: ReadingProgress;
    readonly onOpen?: (opened: ReadPrompt) => void;
  },
): Promise<ReadPrompt> {
  const { snapshots = null } = options;
  // Rows that were rounded in a snapshot are not what an exact one may be made of.
  if (cache.approximate && snapshots?.form !== "q8_0") await cache.free();
  const reusable = reusablePrefix(cache.prefilled, prompt, rowsToRead(eviction));
  const limit = onGrid(Math.max(0, prompt.length - rowsToRead(eviction)));
  const stored = (await snapshots?.find({ inMemory: reusable, limit, cells: cache.mostTokens })) ?? null;
  const cells = eviction === null ? null : Math.max(prompt.length + eviction.rowsBehind, stored?.storedTokens ?? 0);
  const context = await cache.open(cells, reusable > 0);
  options.stopper.watch(context);
  const inMemory = context.truncate(Math.min(reusable, cache.prefilled.length));
  cache.prefilled.length = inMemory;
  const started = performance.now();
  const opened = (): ReadPrompt => ({
    context,
    cachedTokens: cache.prefilled.length,
    restoredTokens: Math.max(0, cache.prefilled.length - inMemory),
    restoreMs: stored === null ? 0 : performance.now() - started,
  });
  if (snapshots !== null && stored !== null) {
    await restorePrefix(cache, context, prompt, stored, { ...options, snapshots }).catch((error: unknown) => {
      options.onOpen?.(opened());
      throw error;
    });
  }
  const read = opened();
  const { cachedTokens } = read;
  options.onOpen?.(read);
  context.stopScoring();
  if (eviction !== null) beforePrefill(context, eviction);

  const progress = options.progress ?? startReading(prompt.length, options.emit);
  progress.begin(cachedTokens);
  let tokensPerSecond: number | null = null;
  /** What was read until Stop, or the app's end, is kept. */
  const stopped = async (error: unknown): Promise<never> => {
    if (options.signal.aborted) await snapshots?.save(context, cache.prefilled.length, true);
    throw error;
  };
  for (let from = cachedTokens; from < prompt.length; ) {
    const to = nextStepEnd(from, prompt.length, stepTokensFor(tokensPerSecond, batchTokens));
    const before = performance.now();
    const step = prompt.subarray(from, to);
    await context.decode(step, from, to === prompt.length).catch(stopped);
    if (options.signal.aborted) await stopped(new LongsightError("cancelled", say("answerStopped")));
    for (const token of step) cache.prefilled.push(token);
    await snapshots?.save(context, to);
    tokensPerSecond = (to - from) / Math.max(1e-3, (performance.now() - before) / 1000);
    progress.update(to);
    from = to;
  }
  return read;
}

/** Fills the context with what is stored of the prompt beyond what it holds. @throws LongsightError `cancelled` */
async function restorePrefix(
  cache: FullCache,
  context: ModelContext,
  prompt: Uint32Array,
  stored: StoredPrefix,
  { snapshots, signal, emit }: { snapshots: PromptSnapshots } & Pick<Parameters<typeof readPrompt>[3], "signal" | "emit">,
): Promise<void> {
  const progress = startProgress("restore", stored.tokens, emit);
  progress.update(cache.prefilled.length);
  await snapshots.restore(context, stored, cache.prefilled.length, {
    signal,
    onProgress: progress.update,
    onPosition(position) {
      cache.prefilled.length = Math.min(cache.prefilled.length, position);
      for (const token of prompt.subarray(cache.prefilled.length, position)) cache.prefilled.push(token);
      if (snapshots.form === "q8_0") cache.approximate = true;
    },
  });
}
