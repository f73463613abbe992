import { randomInt, randomUUID } from "node:crypto";
import type { z } from "zod";
import type { AnswerFigures, PromptMeasure, Turn } from "../../contract/conversation.ts";
import type { EngineResultOf, engineContract } from "../../contract/engine.ts";
import { LongsightError, toProblem } from "../../contract/errors.ts";
import type { Evidence } from "../../contract/evidence.ts";
import type { KeptDocument } from "../../contract/kept.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import type { GgufHeader } from "../llama/gguf.ts";
import { type EvictionPlan, planEviction, refuseContradiction, usedPolicy } from "../lookahead/plan.ts";
import { meanScores } from "../lookahead/scores.ts";
import type { ModelFinder } from "../models.ts";
import { startProgress, waitingEvent } from "../progress.ts";
import type { Queue } from "../queue.ts";
import type { Loaded, Session } from "../session.ts";
import { type AnswerOutcome, writeAnswer } from "./answer.ts";
import {
  type AssembledPrompt,
  assemblePrompt,
  leastAnswerRoom,
  measure,
  refuseBeyondCache,
  refuseTooLong,
  refuseUnscorable,
} from "./assemble.ts";
import { startChoosing } from "./choosing.ts";
import { createDraftWriter } from "./draft.ts";
import { findDraftModel, refuseDraftContradiction, refuseDraftTooLarge } from "./draftModel.ts";
import { evidenceOf } from "./evidence.ts";
import type { History } from "./history.ts";
import { plannedPrompt } from "./pins.ts";
import { commonPrefix } from "./prefill.ts";
import type { PromptRequest } from "./prompt.ts";
import { readingModeOf, refuseModeContradiction, startedOver } from "./readingMode.ts";
import { cellsBehind } from "./readKept.ts";
import { snapshotsFor } from "./snapshotsFor.ts";

type AskRequest = z.output<(typeof engineContract)["ask"]["request"]>;
type MeasureRequest = z.output<(typeof engineContract)["measurePrompt"]["request"]>;

export type Asking = {
  ask(request: AskRequest, call: CallOptions): Promise<EngineResultOf<"ask">>;
  measure(request: MeasureRequest): Promise<PromptMeasure>;
  /** What a conversation would ask, with this question in place of a turn and all after it. */
  promptOf(conversationId: string, question: string, replaceTurnId: string | null): PromptRequest;
  /** Stops what is being answered in a conversation and waits until it has ended. */
  stop(conversationId: string): Promise<void>;
  stopAll(): Promise<void>;
};

/** An answer is written down at most this often while it grows, in milliseconds: what a crash may cost. */
const saveInterval = 250;

export function createAsking(parts: {
  history: History;
  session: Session;
  queue: Queue;
  documents: OpenDocuments;
  shelf: ModelFinder;
}): Asking {
  const { history, session, queue, documents, shelf } = parts;
  /** The last prompt of each conversation that was asked in: what of the next one was read before. */
  const lastPrompts = new Map<string, Uint32Array>();
  const running = new Map<string, { controller: AbortController; ended: Promise<unknown> }>();

  const promptOf = (
    conversationId: string | null,
    question: string,
    replaceTurnId: string | null,
    choices: MeasureRequest["documents"] | null,
  ): PromptRequest => {
    const documentsOf = () => (conversationId === null ? [] : history.getConversation(conversationId).documents);
    const earlier = conversationId === null ? [] : history.turnsBefore(conversationId, replaceTurnId);
    return {
      documents: documents.forPrompt(choices ?? documentsOf()),
      turns: earlier
        .filter((turn) => turn.answer !== "" && turn.status !== "writing")
        .map(({ question: asked, answer }) => ({ question: asked, answer })),
      question,
    };
  };

  /** What is evicted, the conversation's pins being kept. @throws LongsightError `usage` */
  const planFor = (
    loaded: Loaded,
    request: AskRequest,
    wanted: PromptRequest,
    prompt: AssembledPrompt,
    seed: number,
  ): EvictionPlan | null => {
    const pins = request.budget === "full" ? [] : history.getConversation(request.conversationId).pins;
    return planEviction(
      request,
      plannedPrompt(prompt, wanted.documents, { pins, share: request.share, mode: request.mode }),
      loaded.lookahead,
      seed,
    );
  };

  /** Figures of the turn before another one, where it has any. */
  const turnBefore = (conversationId: string, turnId: string): AnswerFigures | null =>
    history.turnsBefore(conversationId, turnId).at(-1)?.figures ?? null;

  /**
   * @returns the draft model that the request needs, or null
   * @throws LongsightError where the prompt cannot be scored as it is asked for
   */
  const refuseUnevictable = async (
    { model, cache, description }: Loaded,
    request: AskRequest,
    eviction: EvictionPlan | null,
    measured: PromptMeasure,
  ): Promise<GgufHeader | null> => {
    const draftModel = await findDraftModel(shelf, request, model.header);
    if (eviction === null) {
      refuseBeyondCache(measured.promptTokens + Math.min(measured.answerRoom, leastAnswerRoom), cache.mostTokens);
      return draftModel;
    }
    if (request.mode === "once") refuseUnscorable(measured, cellsBehind(eviction), "once");
    else refuseUnscorable(measured, eviction.rowsBehind);
    if (request.mode !== "streaming") refuseBeyondCache(measured.promptTokens + eviction.rowsBehind, cache.mostTokens);
    if (draftModel === null) return null;
    // The prompt is in the full cache when the draft is written; after an eviction that is yet to be allocated.
    const cacheBytes = model.header.kvBytesPerToken[description.kvType] * (measured.promptTokens + eviction.rowsBehind);
    await refuseDraftTooLarge(draftModel, measured.promptTokens, description.kvType, Math.max(0, cacheBytes - cache.bytes()));
    return draftModel;
  };

  const answerIn = async (loaded: Loaded, request: AskRequest, turn: Turn, call: CallOptions): Promise<EngineResultOf<"ask">> => {
    const wanted = promptOf(request.conversationId, request.question, turn.id, null);
    const prompt = await assemblePrompt(loaded, wanted, { isCancelled: () => call.signal.aborted });
    // A prompt that was cut short by Stop must not reach the cache.
    if (call.signal.aborted) throw new LongsightError("cancelled", say("answerStopped"));
    const measured = measure(prompt, loaded.description.contextLength, request.sampling.maxTokens);
    refuseTooLong(measured, request.budget !== "full", wanted.documents);
    const seed = request.sampling.seed ?? randomInt(0xffff_ffff);
    const plan = planFor(loaded, request, wanted, prompt, seed);
    const reading = await readingModeOf(loaded, request.mode, { request: wanted, prompt, eviction: plan, documents });
    // What mode `once` keeps of the documents on disk serves any question: only they are read into the full cache.
    const whole = reading.mode === "once" ? { ...prompt, tokens: prompt.tokens.subarray(0, prompt.documentEnd) } : prompt;
    const snapshots = snapshotsFor(loaded, documents, whole, wanted.documents);
    const draftModel = await refuseUnevictable(loaded, request, plan, measured);
    const choosing = startChoosing(loaded, prompt, plan, { mode: request.mode, draftModel, snapshots });
    const { eviction } = choosing;
    let means: Float32Array | null = null;
    let answer = "";
    let saved = performance.now();
    const outcome = await writeAnswer(loaded, prompt.tokens, {
      sampling: { ...request.sampling, stop: [...request.sampling.stop, ...loaded.stops] },
      seed,
      eviction,
      onChosen(scores, chosen) {
        choosing.onChosen(scores, chosen);
        if (scores !== null) means = meanScores(scores);
      },
      reading,
      questionStart: prompt.questionStart,
      snapshots,
      writeDraft: createDraftWriter(loaded, { request: wanted, draftModel, signal: call.signal, emit: call.emit }),
      signal: call.signal,
      emit: call.emit,
      onText(text) {
        answer += text;
        call.emit({ event: "token", text });
        if (performance.now() - saved < saveInterval) return;
        history.updateAnswer(turn.id, answer);
        saved = performance.now();
      },
    });
    for (const notice of loaded.snapshots?.takeNotices() ?? []) call.emit({ event: "notice", ...notice });
    const readBefore = commonPrefix(lastPrompts.get(request.conversationId) ?? [], prompt.tokens);
    lastPrompts.set(request.conversationId, prompt.tokens);
    const keptDocuments = choosing.keptDocuments();
    const evidence = plan === null || means === null ? [] : await evidenceOf(prompt, wanted.documents, plan, means);
    const own = figuresOf(outcome, { measured, loaded, request, eviction, seed, readBefore, keptDocuments, evidence });
    const figures = { ...own, startedOver: startedOver(turnBefore(request.conversationId, turn.id), own) };
    const finished: Turn = { ...turn, answer: outcome.answer, status: outcome.stopReason === "cancelled" ? "stopped" : "done", figures };
    history.finishTurn(finished, Date.now());
    call.emit({ event: "turn", turn: finished });
    return { turn: finished, figures };
  };

  const ask = async (request: AskRequest, call: CallOptions): Promise<EngineResultOf<"ask">> => {
    // What cannot be answered is refused before anything is written down, so that nothing is replaced by a failure.
    await session.use(async (loaded) => {
      const wanted = promptOf(request.conversationId, request.question, request.replaceTurnId, null);
      const pages = wanted.documents.reduce((sum, document) => sum + document.pages.length, 0);
      const progress = pages > 50 ? startProgress("tokenise", pages, call.emit) : null;
      const prompt = await assemblePrompt(loaded, wanted, {
        isCancelled: () => call.signal.aborted,
        onPart: (done) => progress?.update(done),
      });
      if (call.signal.aborted) throw new LongsightError("cancelled", say("questionWithdrawn"));
      const measured = measure(prompt, loaded.description.contextLength, request.sampling.maxTokens);
      refuseTooLong(measured, request.budget !== "full", wanted.documents);
      const eviction = planFor(loaded, request, wanted, prompt, 0);
      await refuseUnevictable(loaded, request, eviction, measured);
    });
    const turn: Turn = {
      id: randomUUID(),
      question: request.question,
      answer: "",
      status: "writing",
      figures: null,
      problem: null,
      createdAt: Date.now(),
    };
    history.addTurn(request.conversationId, turn, request.replaceTurnId);
    call.emit({ event: "turn", turn });
    try {
      return await queue.run(
        call.signal,
        () => session.use((loaded) => answerIn(loaded, request, turn, call)),
        () => call.emit(waitingEvent),
      );
    } catch (error) {
      const problem = toProblem(error);
      const failed: Turn = problem.code === "cancelled" ? { ...turn, status: "stopped" } : { ...turn, status: "failed", problem };
      history.finishTurn(failed, Date.now());
      call.emit({ event: "turn", turn: failed });
      throw error;
    }
  };

  return {
    promptOf: (conversationId, question, replaceTurnId) => promptOf(conversationId, question, replaceTurnId, null),
    async ask(request, call) {
      refuseUnsupported(request);
      if (running.has(request.conversationId)) {
        throw new LongsightError("usage", say("answerUnderWay"));
      }
      const controller = new AbortController();
      const forward = () => controller.abort();
      call.signal.addEventListener("abort", forward);
      if (call.signal.aborted) forward();
      const ended = ask(request, { ...call, signal: controller.signal });
      running.set(request.conversationId, { controller, ended });
      try {
        return await ended;
      } finally {
        running.delete(request.conversationId);
        call.signal.removeEventListener("abort", forward);
      }
    },
    measure: (request) =>
      session.use(async (loaded) => {
        const prompt = await assemblePrompt(
          loaded,
          promptOf(request.conversationId, request.question, request.replaceTurnId, request.documents),
        );
        return measure(prompt, loaded.description.contextLength, request.maxTokens);
      }),
    async stop(conversationId) {
      const task = running.get(conversationId);
      task?.controller.abort();
      await task?.ended.catch(() => undefined);
    },
    async stopAll() {
      for (const { controller } of running.values()) controller.abort();
      await Promise.allSettled([...running.values()].map((task) => task.ended));
    },
  };
}

/** What can be refused before any model is loaded. */
export function refuseUnsupported(request: Pick<AskRequest, "budget" | "policy" | "draftModel" | "mode" | "share">): void {
  refuseContradiction(request);
  refuseModeContradiction(request);
  refuseDraftContradiction(request);
}

/** What an answer cost and kept, every number measured: milliseconds to a tenth, bytes as allocated. */
export function figuresOf(
  outcome: AnswerOutcome,
  about: {
    measured: PromptMeasure;
    loaded: Loaded;
    request: Pick<AskRequest, "mode" | "share" | "budget">;
    eviction: EvictionPlan | null;
    seed: number;
    /** Tokens of the prompt's beginning that an earlier turn had read. */
    readBefore: number;
    keptDocuments: KeptDocument[];
    evidence: Evidence[];
  },
): AnswerFigures {
  const { measured, loaded, request, eviction, seed, readBefore, keptDocuments, evidence } = about;
  const perSecond = (tokens: number, milliseconds: number) => (milliseconds > 0 ? Math.round((tokens / milliseconds) * 10_000) / 10 : 0);
  const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
  const { timings } = outcome;
  return {
    answer: outcome.answer,
    stopReason: outcome.stopReason,
    model: loaded.description.report.id,
    documentTokens: measured.documentTokens,
    promptTokens: measured.promptTokens,
    contextLength: loaded.description.contextLength,
    cachedTokens: outcome.cachedTokens,
    restoredTokens: outcome.restoredTokens,
    evaluatedTokens: outcome.evaluatedTokens,
    rereadTokens: Math.max(0, Math.min(readBefore, outcome.cachedTokens + outcome.evaluatedTokens) - outcome.cachedTokens),
    answerTokens: outcome.answerTokens,
    policy: eviction === null ? "full" : usedPolicy(eviction),
    mode: request.mode,
    share: request.share,
    budget: request.budget,
    keptTokens: outcome.keptTokens,
    documents: keptDocuments,
    evidence,
    scoresStored: eviction?.stored !== undefined,
    scoredFor: outcome.scoredFor,
    startedOver: null,
    evictions: outcome.evictions,
    answerEvictions: outcome.answerEvictions,
    scoredRows: outcome.scoredRows,
    kvType: loaded.description.kvType,
    seed,
    fullCacheBytes: outcome.cacheBytes.full,
    keptCacheBytes: outcome.cacheBytes.kept,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    timings: {
      extractMs: 0,
      restoreMs: round(timings.restoreMs),
      prefillMs: round(timings.prefillMs),
      scoringMs: round(timings.scoringMs),
      evictionMs: round(timings.evictionMs),
      snapshotMs: round(timings.snapshotMs),
      firstTokenMs: round(timings.firstTokenMs),
      decodeMs: round(timings.decodeMs),
    },
    prefillTokensPerSecond: perSecond(outcome.evaluatedTokens, timings.prefillMs),
    decodeTokensPerSecond: perSecond(Math.max(0, outcome.answerTokens - 1), timings.decodeMs),
  };
}
