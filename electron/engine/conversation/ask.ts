import { randomInt, randomUUID } from "node:crypto";
import type { z } from "zod";
import type { AnswerFigures, PromptMeasure, Turn } from "../../contract/conversation.ts";
import type { EngineResultOf, engineContract } from "../../contract/engine.ts";
import { LongsightError, toProblem } from "../../contract/errors.ts";
import type { CallOptions } from "../callOptions.ts";
import type { OpenDocuments } from "../documents/openDocuments.ts";
import { probeRows } from "../lookahead/evict.ts";
import { type EvictionPlan, planEviction, refuseContradiction } from "../lookahead/plan.ts";
import { startProgress, waitingEvent } from "../progress.ts";
import type { Queue } from "../queue.ts";
import type { Loaded, Session } from "../session.ts";
import { type AnswerOutcome, writeAnswer } from "./answer.ts";
import { assemblePrompt, measure, refuseTooLong, refuseUnscorable } from "./assemble.ts";
import type { History } from "./history.ts";
import type { PromptRequest } from "./prompt.ts";

type AskRequest = z.output<(typeof engineContract)["ask"]["request"]>;
type MeasureRequest = z.output<(typeof engineContract)["measurePrompt"]["request"]>;

export type Asking = {
  ask(request: AskRequest, call: CallOptions): Promise<EngineResultOf<"ask">>;
  measure(request: MeasureRequest): Promise<PromptMeasure>;
  /** Stops what is being answered in a conversation and waits until it has ended. */
  stop(conversationId: string): Promise<void>;
  stopAll(): Promise<void>;
};

/** An answer is written down at most this often while it grows, in milliseconds: what a crash may cost. */
const saveInterval = 250;

export function createAsking(parts: { history: History; session: Session; queue: Queue; documents: OpenDocuments }): Asking {
  const { history, session, queue, documents } = parts;
  const running = new Map<string, { controller: AbortController; ended: Promise<unknown> }>();

  const promptOf = (
    conversationId: string | null,
    question: string,
    replaceTurnId: string | null,
    choices: MeasureRequest["documents"] | null,
  ): PromptRequest => {
    const conversation = conversationId === null ? null : history.getConversation(conversationId);
    const turns = conversation?.turns ?? [];
    const end = replaceTurnId === null ? -1 : turns.findIndex((turn) => turn.id === replaceTurnId);
    const earlier = end < 0 ? turns : turns.slice(0, end);
    return {
      documents: documents.forPrompt(choices ?? conversation?.documents ?? []),
      turns: earlier
        .filter((turn) => turn.answer !== "" && turn.status !== "writing")
        .map(({ question: asked, answer }) => ({ question: asked, answer })),
      question,
    };
  };

  const answerIn = async (loaded: Loaded, request: AskRequest, turn: Turn, call: CallOptions): Promise<EngineResultOf<"ask">> => {
    const prompt = await assemblePrompt(loaded, promptOf(request.conversationId, request.question, turn.id, null), {
      isCancelled: () => call.signal.aborted,
    });
    // A prompt that was cut short by Stop must not reach the cache.
    if (call.signal.aborted) throw new LongsightError("cancelled", "The answer was stopped.");
    const measured = measure(prompt, loaded.description.contextLength, request.sampling.maxTokens);
    refuseTooLong(measured, request.budget !== "full");
    const seed = request.sampling.seed ?? randomInt(0xffff_ffff);
    const eviction = planEviction(request, { ...prompt, promptTokens: prompt.tokens.length }, loaded.lookahead, seed);
    if (eviction !== null) refuseUnscorable(measured, probeRows(eviction));
    let answer = "";
    let saved = performance.now();
    const outcome = await writeAnswer(loaded, prompt.tokens, {
      sampling: { ...request.sampling, stop: [...request.sampling.stop, ...loaded.stops] },
      seed,
      eviction,
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
    const figures = figuresOf(outcome, { measured, loaded, request, eviction, seed });
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
      if (call.signal.aborted) throw new LongsightError("cancelled", "The question was withdrawn.");
      const measured = measure(prompt, loaded.description.contextLength, request.sampling.maxTokens);
      refuseTooLong(measured, request.budget !== "full");
      const eviction = planEviction(request, { ...prompt, promptTokens: prompt.tokens.length }, loaded.lookahead, 0);
      if (eviction !== null) refuseUnscorable(measured, probeRows(eviction));
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
    async ask(request, call) {
      refuseUnsupported(request);
      if (running.has(request.conversationId)) {
        throw new LongsightError("usage", "An answer is being written in this conversation. Stop it first, or wait for it.");
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
export function refuseUnsupported(request: Pick<AskRequest, "budget" | "policy" | "mode">): void {
  if (request.mode !== "question") {
    throw new LongsightError(
      "not-supported",
      `The mode “${request.mode}” is not supported yet: this version reads for each question (--mode question).`,
    );
  }
  refuseContradiction(request);
}

function figuresOf(
  outcome: AnswerOutcome,
  about: { measured: PromptMeasure; loaded: Loaded; request: AskRequest; eviction: EvictionPlan | null; seed: number },
): AnswerFigures {
  const { measured, loaded, request, eviction, seed } = about;
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
    evaluatedTokens: outcome.evaluatedTokens,
    answerTokens: outcome.answerTokens,
    policy: eviction?.policy ?? "full",
    mode: request.mode,
    budget: request.budget,
    keptTokens: outcome.keptTokens,
    kvType: loaded.description.kvType,
    seed,
    fullCacheBytes: outcome.cacheBytes.full,
    keptCacheBytes: outcome.cacheBytes.kept,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
    timings: {
      extractMs: 0,
      prefillMs: round(timings.prefillMs),
      scoringMs: round(timings.scoringMs),
      evictionMs: round(timings.evictionMs),
      firstTokenMs: round(timings.firstTokenMs),
      decodeMs: round(timings.decodeMs),
    },
    prefillTokensPerSecond: perSecond(outcome.evaluatedTokens, timings.prefillMs),
    decodeTokensPerSecond: perSecond(Math.max(0, outcome.answerTokens - 1), timings.decodeMs),
  };
}
