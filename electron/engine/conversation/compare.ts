import { randomInt } from "node:crypto";
import type { z } from "zod";
import type { Comparison } from "../../contract/comparison.ts";
import type { AnswerFigures } from "../../contract/conversation.ts";
import type { engineContract } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import { type EvictionPlan, planEviction } from "../lookahead/plan.ts";
import { scoredRows, scorePrompt } from "../lookahead/score.ts";
import { withStoredScores } from "../lookahead/scoreShelf.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import { writeAnswer } from "./answer.ts";
import { figuresOf } from "./ask.ts";
import { assemblePrompt, leastAnswerRoom, measure, refuseBeyondCache, refuseTooLong, refuseUnscorable } from "./assemble.ts";
import { startChoosing } from "./choosing.ts";
import { createDraftWriter } from "./draft.ts";
import { findDraftModel, refuseDraftTooLarge } from "./draftModel.ts";
import type { ReselectParts } from "./lastPrompt.ts";
import { plannedPrompt } from "./pins.ts";
import { createStopper, readPrompt } from "./readPrompt.ts";
import { snapshotsFor } from "./snapshotsFor.ts";

type CompareRequest = z.output<(typeof engineContract)["compare"]["request"]>;

/**
 * Answers a question from the full cache and then from a kept one; nothing is written down. The prompt is read and scored once, before
 * both: each half reads only the last lines of the grid again, for its first token.
 * @throws LongsightError `usage` for a budget that keeps everything; `cancelled`, in either half; and whatever `ask` throws
 */
export async function compareAnswers(
  loaded: Loaded,
  { history, documents, shelf, promptOf }: ReselectParts,
  request: CompareRequest,
  { signal, emit }: CallOptions,
): Promise<Comparison> {
  const draftModel = await findDraftModel(shelf, request, loaded.model.header);
  const wanted = promptOf(request.conversationId, request.question, request.replaceTurnId);
  const prompt = await assemblePrompt(loaded, wanted, { isCancelled: () => signal.aborted });
  if (signal.aborted) throw stopped();
  const promptTokens = prompt.tokens.length;
  const { contextLength, kvType } = loaded.description;
  const measured = measure(prompt, contextLength, request.sampling.maxTokens);
  refuseTooLong(measured, true, wanted.documents);
  const seed = request.sampling.seed ?? randomInt(0xffff_ffff);
  const { pins } = history.getConversation(request.conversationId);
  const plan = planEviction(
    request,
    plannedPrompt(prompt, wanted.documents, { pins, share: request.share, mode: "question" }),
    loaded.lookahead,
    seed,
  );
  if (plan === null) {
    throw new LongsightError("usage", say("nothingToCompare", { budget: request.budget, tokens: promptTokens }));
  }
  refuseUnscorable(measured, plan.rowsBehind);
  refuseBeyondCache(promptTokens + Math.max(plan.rowsBehind, Math.min(measured.answerRoom, leastAnswerRoom)), loaded.cache.mostTokens);
  if (draftModel !== null) await refuseDraftTooLarge(draftModel, promptTokens, kvType);
  const snapshots = snapshotsFor(loaded, documents, prompt, wanted.documents);
  const choosing = startChoosing(loaded, prompt, plan, { mode: "question", draftModel, snapshots });
  const writeDraft = createDraftWriter(loaded, { request: wanted, draftModel, signal, emit });

  const readAndScore = async (
    eviction: EvictionPlan,
  ): Promise<{ eviction: EvictionPlan; rows: number; reading: Comparison["reading"] }> => {
    const stopper = createStopper(signal);
    try {
      const started = performance.now();
      // A cache as large as it may be, which is what the full answer will ask for: a smaller one would be given up then.
      const whole = { ...eviction, rowsBehind: Math.max(eviction.rowsBehind, loaded.cache.mostTokens - promptTokens) };
      const read = await readPrompt(loaded.cache, prompt.tokens, whole, { signal, emit, stopper, snapshots });
      await snapshots?.save(read.context, promptTokens);
      const prefilled = performance.now();
      const draft = await writeDraft({ context: read.context, plan: eviction, first: null, stopper });
      const progress = startProgress("scoring", 1, emit);
      const scores = await scorePrompt(read.context, eviction, draft);
      progress.update(1);
      return {
        eviction: scores === null ? eviction : withStoredScores(eviction, scores),
        rows: scoredRows(eviction, draft),
        reading: {
          cachedTokens: read.cachedTokens,
          restoredTokens: read.restoredTokens,
          evaluatedTokens: promptTokens - read.cachedTokens,
          restoreMs: read.restoreMs,
          prefillMs: prefilled - started - read.restoreMs,
          scoringMs: performance.now() - prefilled,
        },
      };
    } finally {
      stopper.end();
    }
  };

  const answer = async (eviction: EvictionPlan | null): Promise<AnswerFigures> => {
    const outcome = await writeAnswer(loaded, prompt.tokens, {
      sampling: { ...request.sampling, stop: [...request.sampling.stop, ...loaded.stops] },
      seed,
      eviction,
      reading: { mode: "question" },
      questionStart: prompt.questionStart,
      onChosen: choosing.onChosen,
      snapshots,
      writeDraft,
      signal,
      emit,
      onText: () => undefined,
    });
    if (outcome.stopReason === "cancelled") throw stopped();
    const asked = { mode: "question", share: request.share, budget: eviction === null ? "full" : request.budget } as const;
    const keptDocuments = choosing.keptDocuments();
    return figuresOf(outcome, { measured, loaded, request: asked, eviction, seed, readBefore: 0, keptDocuments, evidence: [] });
  };

  try {
    const { eviction, rows, reading } = await readAndScore(choosing.eviction ?? plan);
    const full = await answer(null);
    const half = await answer(eviction);
    // What was scored was scored for this comparison, before both answers.
    const kept = { ...half, scoredRows: rows + half.scoredRows, scoresStored: choosing.eviction?.stored !== undefined };
    for (const notice of loaded.snapshots?.takeNotices() ?? []) emit({ event: "notice", ...notice });
    return { reading, full, kept };
  } catch (error) {
    throw signal.aborted ? stopped() : error;
  }
}

function stopped(): LongsightError {
  return new LongsightError("cancelled", say("comparisonStopped"));
}
