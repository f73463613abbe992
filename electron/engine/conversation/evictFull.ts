import type { ModelContext } from "../llama/context.ts";
import { heldOf } from "../lookahead/held.ts";
import { largestBudget, meanBudget } from "../lookahead/kept.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { scoredRows, scorePrompt, selectKept } from "../lookahead/score.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import type { AnswerOptions } from "./answer.ts";
import type { Clock } from "./clock.ts";
import { createKeptCache, type KeptCache } from "./keptCache.ts";
import type { Stopper } from "./readPrompt.ts";
import { answerCells, roomFor } from "./windows.ts";

/**
 * The stages of mode `question` between the first token and the others: score the prompt in the full cache, keep the best, free the rest.
 * @returns the kept cache, and the tokens kept per layer and KV head, their mean where layers differ
 * @throws LongsightError `cancelled`, `model-memory`, `model-unsupported`, `engine-failed`
 */
export async function evictFull(
  loaded: Pick<Loaded, "cache" | "createKept" | "model" | "positions" | "tail">,
  full: ModelContext,
  prompt: Uint32Array,
  {
    plan,
    first,
    stopper,
    clock,
    emit,
    sampling,
    snapshots,
    writeDraft,
    onChosen,
  }: Pick<AnswerOptions, "emit" | "sampling" | "snapshots" | "writeDraft" | "onChosen"> & {
    readonly plan: EvictionPlan;
    readonly first: number;
    readonly stopper: Stopper;
    readonly clock: Clock;
  },
): Promise<{ readonly kept: KeptCache; readonly keptTokens: number }> {
  // The first token was sampled and its text sent: that belongs to decoding.
  clock.end("decodeMs");
  const draft = await writeDraft({ context: full, plan, first, stopper });
  const scoring = startProgress("scoring", 1, emit);
  const scores = await scorePrompt(full, plan, draft);
  scoring.update(1);
  clock.end("scoringMs");

  const progress = startProgress("eviction", 1, emit);
  const chosen = selectKept(plan, full.shape(), scores);
  onChosen?.(scores, chosen);
  const largest = largestBudget(chosen);
  const room = Math.min(answerCells, sampling.maxTokens, loaded.positions - plan.promptTokens);
  const context = await loaded.createKept(chosen.budgets, room);
  try {
    await context.keepFrom(full, chosen);
    await loaded.tail.remember(full, prompt, snapshots);
    await loaded.cache.free();
  } catch (error) {
    await context.dispose();
    throw error;
  }
  const held = heldOf(chosen);
  const counts = { evictions: 1, answerEvictions: 0, scoredRows: scoredRows(plan, draft) };
  const mostCells = Math.min(full.contextLength, largest + roomFor(plan.budget));
  const kept = createKeptCache(loaded, { context, held, read: prompt, choice: plan, budgets: chosen.budgets, mostCells, counts });
  progress.update(1);
  clock.end("evictionMs");
  return { kept, keptTokens: meanBudget(chosen) };
}
