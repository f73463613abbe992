import type { StreamEvent } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import { batchTokens } from "../llama/context.ts";
import { mostHeld, nothingHeld } from "../lookahead/held.ts";
import { evenBudgets } from "../lookahead/kept.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { defaultSinks } from "../lookahead/protect.ts";
import { type ReadingProgress, startReading } from "../progress.ts";
import type { Loaded } from "../session.ts";
import { createKeptCache, type EvictionStage, type KeptCache } from "./keptCache.ts";
import { gridTokens, stepTokensFor } from "./prefill.ts";
import type { Stopper } from "./readPrompt.ts";
import { nextWindowStep, viewFrom, viewTokens, windowTokens } from "./windows.ts";

/** What reading into a kept cache needs of the answer it is for. */
export type KeptReading = {
  readonly plan: EvictionPlan;
  /** First token of the question, from which on everything is kept. */
  readonly questionStart: number;
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  readonly stopper: Stopper;
  /** Called when a part of the work has ended. */
  readonly took: (stage: EvictionStage | "prefillMs") => void;
  /** Called with the tokens that are read. */
  readonly onRead: (position: number) => void;
};

/** Cells that scoring needs behind what was read: for the view, and for a module's rows. */
export function cellsBehind({ lookahead }: Pick<EvictionPlan, "lookahead">): number {
  return viewTokens + (lookahead?.module.tokens ?? 0);
}

/** Cells beside the budget's for reading in windows: a whole window, or as many as scoring and a few lines of the grid take. */
export function windowCells(plan: Pick<EvictionPlan, "lookahead">): number {
  return Math.max(windowTokens, cellsBehind(plan) + 4 * gridTokens);
}

/**
 * Reads a prompt in windows and evicts after each, so that the full cache never exists: at most a window and the budget are held. Each
 * window is scored with the question in view behind it. The last one ends where the question begins, and leaves it room within the budget.
 * The full cache is freed before.
 * @returns a cache whose last logits are the prompt's
 * @throws LongsightError `cancelled`, `model-memory`, `model-unsupported`, `engine-failed`
 */
export async function readStreaming(
  loaded: Pick<Loaded, "cache" | "createKept" | "model">,
  prompt: Uint32Array,
  reading: KeptReading,
): Promise<KeptCache> {
  const { plan, questionStart } = reading;
  await loaded.cache.free();
  const context = await loaded.createKept(Uint32Array.of(plan.budget), windowCells(plan));
  reading.stopper.watch(context);
  try {
    const shape = context.shape();
    const kept = createKeptCache(loaded, {
      context,
      held: nothingHeld(shape),
      read: [],
      choice: plan,
      budgets: evenBudgets(shape, plan.budget),
      mostCells: shape.cells,
      sameView: true,
    });
    const progress = startReading(prompt.length, reading.emit);
    progress.begin(0);
    await readBehind(kept, prompt, questionStart, reading, progress);
    // The question and what follows it are kept whole: what was read before has the rest of the budget.
    const budget = plan.budget - (prompt.length - questionStart);
    await kept.evict(viewFrom(prompt, questionStart, questionStart), budget, sinks(budget), reading.took);
    await readBehind(kept, prompt, prompt.length, reading, progress);
    return kept;
  } catch (error) {
    await context.dispose();
    throw error;
  }
}

/**
 * Reads a prompt on behind what a kept cache has of it, and evicts where it is full.
 * @param until where to stop; the last token's logits are there afterwards
 * @throws LongsightError `cancelled`, `engine-failed`; what the cache says of itself is right in any case
 */
export async function readBehind(
  kept: KeptCache,
  prompt: Uint32Array,
  until: number,
  { plan, questionStart, signal, took, onRead }: KeptReading,
  progress: ReadingProgress,
): Promise<void> {
  let tokensPerSecond: number | null = null;
  for (let from = kept.read.length; from < until; ) {
    const isFull = mostHeld(kept.held) + from - kept.base > plan.budget;
    const rest = prompt.length - from;
    const fitsWhole = rest + Math.max(gridTokens, plan.rowsBehind) <= kept.room();
    const stepTokens = stepTokensFor(tokensPerSecond, batchTokens);
    const endWith = (reserve: number) => nextWindowStep({ from, base: kept.base, end: until, room: kept.room() - reserve, stepTokens });
    const to = endWith(fitsWhole ? 0 : cellsBehind(plan)) ?? (isFull ? null : endWith(0));
    if (to === null) {
      if (!isFull) throw new LongsightError("engine-failed", say("noRoomForQuestion"), `at ${from}`);
      took("prefillMs");
      const asked = { start: Math.min(questionStart, from), end: from };
      await kept.evict(viewFrom(prompt, from, questionStart), plan.budget, [...sinks(plan.budget), asked], took);
      continue;
    }
    const before = performance.now();
    await kept.append(prompt.subarray(from, to), to === prompt.length);
    if (signal.aborted) throw new LongsightError("cancelled", say("answerStopped"));
    tokensPerSecond = (to - from) / Math.max(1e-3, (performance.now() - before) / 1000);
    progress.update(to);
    onRead(to);
    from = to;
  }
  took("prefillMs");
}

const sinks = (budget: number) => [{ start: 0, end: Math.min(defaultSinks, budget) }];
