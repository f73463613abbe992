import type { z } from "zod";
import type { CacheMode } from "../../contract/conversation.ts";
import type { engineContract } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { KeptPreview, Reselected } from "../../contract/kept.ts";
import type { CallOptions } from "../callOptions.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import type { FullCache } from "../fullCache.ts";
import { keptCounts, meanBudget } from "../lookahead/kept.ts";
import { type EvictionPlan, planKept, usedPolicy } from "../lookahead/plan.ts";
import { policyOf } from "../lookahead/policies/table.ts";
import { selectKept } from "../lookahead/score.ts";
import { withStoredScores } from "../lookahead/scoreShelf.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import type { ModelShelf } from "../models.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import { type AssembledPrompt, assemblePrompt, measure, refuseBeyondCache, refuseTooLong } from "./assemble.ts";
import { documentSpans, keptOfDocuments } from "./documentSpans.ts";
import { findDraftModel } from "./draftModel.ts";
import type { History } from "./history.ts";
import { plannedPrompt } from "./pins.ts";
import type { PromptRequest } from "./prompt.ts";
import { createStopper, type ReadPrompt, readPrompt, type Stopper } from "./readPrompt.ts";
import { snapshotsFor } from "./snapshotsFor.ts";
import { answerCells } from "./windows.ts";

type ReselectRequest = z.output<(typeof engineContract)["reselect"]["request"]>;

export type ReselectParts = {
  readonly history: History;
  readonly documents: OpenDocuments;
  readonly shelf: ModelShelf;
  /** Lays out what a conversation would ask, in place of a turn. */
  readonly promptOf: (conversationId: string, question: string, replaceTurnId: string | null) => PromptRequest;
};

/** The last prompt of a conversation, as a budget would choose from it. */
type LastPrompt = {
  readonly prompt: AssembledPrompt;
  readonly snapshots: PromptSnapshots | null;
  readonly plan: EvictionPlan;
  /** Null for a policy without scores. */
  readonly scores: Scores | null;
};

/**
 * What a budget would keep of the last answer's prompt, from its stored scores alone: nothing is read, scored or allocated.
 * @throws LongsightError `scores-missing` where they are not there; `usage` as `ask` does
 */
export async function previewKept(loaded: Loaded, parts: ReselectParts, request: ReselectRequest, call: CallOptions): Promise<KeptPreview> {
  const last = await lastPromptOf(loaded, parts, request, call);
  const layout = last.scores ?? loaded.keptSizes.layout();
  if (layout === null) throw missing(last.plan);
  const kept = selectKept(last.plan, layout, last.scores);
  return { ...describe(request, last, kept), keptCacheBytes: loaded.keptSizes.find(kept.budgets, roomFor(loaded, last)) };
}

/**
 * Chooses anew from the last answer's prompt by its stored scores, and gathers that into a cache of its own. The rows come from the full
 * cache where that is in memory, else from a snapshot; else the prompt is read again, which is said. The full cache stays: what was asked
 * for is answered from there.
 * @throws LongsightError `scores-missing`, `cancelled`, and whatever `ask` throws
 */
export async function reselect(loaded: Loaded, parts: ReselectParts, request: ReselectRequest, call: CallOptions): Promise<Reselected> {
  const { signal, emit } = call;
  const started = performance.now();
  const last = await lastPromptOf(loaded, parts, request, call);
  const { prompt, plan, scores } = last;
  const promptTokens = prompt.tokens.length;
  refuseTooLong(measure(prompt, loaded.description.contextLength, 1));
  refuseBeyondCache(promptTokens, loaded.cache.mostTokens);
  const stopper = createStopper(signal);
  try {
    const reading = performance.now();
    const read = (await heldPrompt(loaded.cache, last)) ?? (await readAgain(loaded.cache, last, { signal, emit, stopper }));
    const prefillMs = performance.now() - reading - read.restoreMs;
    if (2 * read.cachedTokens < promptTokens) {
      emit({ event: "notice", message: "The prompt was read again: it was neither in memory nor on disk any more." });
    }

    const progress = startProgress("eviction", 1, emit);
    const selecting = performance.now();
    const kept = selectKept(plan, read.context.shape(), scores);
    const gathering = performance.now();
    const room = roomFor(loaded, last);
    const small = await loaded.createKept(kept.budgets, room);
    let keptCacheBytes: number;
    try {
      await small.keepFrom(read.context, kept);
      keptCacheBytes = small.buffers().cache;
    } finally {
      await small.dispose();
    }
    loaded.keptSizes.see(kept);
    loaded.keptSizes.put(kept.budgets, room, keptCacheBytes);
    progress.update(1);
    const ended = performance.now();
    return {
      ...describe(request, last, kept),
      fullCacheBytes: read.context.buffers().cache,
      keptCacheBytes,
      cachedTokens: read.cachedTokens,
      restoredTokens: read.restoredTokens,
      evaluatedTokens: promptTokens - read.cachedTokens,
      timings: {
        restoreMs: read.restoreMs,
        prefillMs,
        selectionMs: gathering - selecting,
        evictionMs: ended - gathering,
        totalMs: ended - started,
      },
    };
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  } finally {
    stopper.end();
  }
}

/** The full cache, where it holds the whole prompt: nothing is read then, since no logits are wanted. Null where it does not. */
async function heldPrompt(cache: FullCache, { prompt: { tokens }, snapshots }: LastPrompt): Promise<ReadPrompt | null> {
  const { prefilled } = cache;
  if (cache.approximate && snapshots?.form !== "q8_0") return null;
  if (prefilled.length < tokens.length || tokens.some((token, place) => token !== prefilled[place])) return null;
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

async function lastPromptOf(
  loaded: Loaded,
  { history, documents, shelf, promptOf }: ReselectParts,
  request: ReselectRequest,
  { signal }: CallOptions,
): Promise<LastPrompt> {
  const { turns, pins } = history.getConversation(request.conversationId);
  const turn = turns[turns.length - 1];
  if (turn === undefined)
    throw new LongsightError("usage", "Nothing was asked in this conversation yet, so there is nothing to choose from.");
  if (turn.status === "writing")
    throw new LongsightError("usage", "An answer is being written in this conversation. Stop it first, or wait for it.");
  const draftModel = await findDraftModel(shelf, request, loaded.model.header);
  const wanted = promptOf(request.conversationId, turn.question, turn.id);
  const prompt = await assemblePrompt(loaded, wanted, { isCancelled: () => signal.aborted });
  if (signal.aborted) throw stopped();
  const budget = Math.min(request.budget, prompt.tokens.length);
  const planned = plannedPrompt(prompt, wanted.documents, { pins, share: request.share, mode: "question" });
  const plan = planKept({ policy: request.policy, budget }, planned, loaded.lookahead, turn.figures?.seed ?? 0);
  const subject = { prompt: prompt.tokens, plan, draftModel: draftModel?.path ?? null };
  const snapshots = snapshotsFor(loaded, documents, prompt, wanted.documents);
  const scores = loaded.scores.find(subject, snapshots?.form === "q8_0");
  if (scores === null && policyOf(plan.policy).rows !== null) throw missing(plan, turn.figures?.mode);
  return { prompt, snapshots, plan, scores };
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

/** @param mode of the last answer */
function missing({ policy }: EvictionPlan, mode: CacheMode = "question"): LongsightError {
  const isUnscored = policyOf(policy).rows === null;
  const what = isUnscored
    ? "What a cache of this model keeps is not known yet"
    : `There are no scores by ${policy} of this prompt in memory`;
  const why = isUnscored
    ? "nothing was evicted since it was loaded"
    : mode !== "question"
      ? `the mode “${mode}” scores by parts`
      : policy === "laq"
        ? "it drafts an answer anew for each budget"
        : "the prompt was changed, or others were scored since";
  const remedy = mode === "question" ? "Ask again with this budget." : "Ask again in the mode “question”.";
  return new LongsightError("scores-missing", `${what}: ${why}. ${remedy}`);
}

function stopped(): LongsightError {
  return new LongsightError("cancelled", "This was stopped.");
}
