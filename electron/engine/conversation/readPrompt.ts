import type { StreamEvent } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { FullCache } from "../fullCache.ts";
import { batchTokens, type ModelContext } from "../llama/context.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { beforePrefill, rowsToRead } from "../lookahead/score.ts";
import { startProgress } from "../progress.ts";
import { nextStepEnd, reusablePrefix, stepTokensFor } from "./prefill.ts";

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

export type ReadPrompt = { readonly context: ModelContext; readonly cachedTokens: number };

/**
 * Opens the full cache and reads a prompt into it, in steps on the grid (prefill.ts), beginning with what is not there yet. Only
 * whole steps count as cached, also where it is stopped.
 * @param eviction what will be done with the prompt; null keeps all of it
 * @param options.onOpen called before the first step with what will be returned: a stop throws that away
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
    readonly onOpen?: (opened: ReadPrompt) => void;
  },
): Promise<ReadPrompt> {
  const reusable = reusablePrefix(cache.prefilled, prompt, rowsToRead(eviction));
  const cells = eviction === null ? null : prompt.length + eviction.rowsBehind;
  const context = await cache.open(cells, reusable > 0);
  options.stopper.watch(context);
  const cachedTokens = context.truncate(Math.min(reusable, cache.prefilled.length));
  cache.prefilled.length = cachedTokens;
  options.onOpen?.({ context, cachedTokens });
  context.stopScoring();
  if (eviction !== null) beforePrefill(context, eviction);

  const progress = startProgress("prefill", prompt.length - cachedTokens, options.emit);
  let tokensPerSecond: number | null = null;
  for (let from = cachedTokens; from < prompt.length; ) {
    const to = nextStepEnd(from, prompt.length, stepTokensFor(tokensPerSecond, batchTokens));
    const before = performance.now();
    const step = prompt.subarray(from, to);
    await context.decode(step, from, to === prompt.length);
    if (options.signal.aborted) throw new LongsightError("cancelled", "The answer was stopped.");
    for (const token of step) cache.prefilled.push(token);
    tokensPerSecond = (to - from) / Math.max(1e-3, (performance.now() - before) / 1000);
    progress.update(to - cachedTokens);
    from = to;
  }
  return { context, cachedTokens };
}
