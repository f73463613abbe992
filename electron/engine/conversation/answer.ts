import type { AnswerFigures, Sampling, StopReason, Timings } from "../../contract/conversation.ts";
import type { StreamEvent } from "../../contract/engine.ts";
import type { FullCache } from "../fullCache.ts";
import type { ModelContext } from "../llama/context.ts";
import type { Model } from "../llama/model.ts";
import { heldUntil, keptOf } from "../lookahead/held.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import { type Clock, startClock } from "./clock.ts";
import type { DraftWriter } from "./draft.ts";
import { evictFull } from "./evictFull.ts";
import { nonsense } from "./greedy.ts";
import { type EvictionCounts, type KeptCache, noEvictions } from "./keptCache.ts";
import { readStreaming } from "./readKept.ts";
import { type OnceReading, type OnceSlot, readOnce } from "./readOnce.ts";
import { createStopper, type ReadPrompt, readPrompt } from "./readPrompt.ts";
import { createTextStream } from "./textStream.ts";

/** How a prompt is read where tokens are evicted (design.md §5). `once`: what that mode needs besides. */
export type ReadingMode =
  | { readonly mode: "question" | "streaming" }
  | ({ readonly mode: "once" } & Pick<OnceReading, "documentEnd" | "neutralView" | "key" | "stored">);

export type AnswerOptions = {
  readonly sampling: Sampling;
  readonly seed: number;
  /** Null keeps the full cache, whatever the mode. */
  readonly eviction: EvictionPlan | null;
  readonly reading: ReadingMode;
  /** First token of the question. */
  readonly questionStart: number;
  /** Where the prompt's beginning is looked for and kept; null for neither. In mode `once` that of the documents alone. */
  readonly snapshots: PromptSnapshots | null;
  /** For a policy that scores by a draft of the answer. */
  readonly writeDraft: DraftWriter;
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  /** Called with each piece of text as it is written. */
  readonly onText: (text: string) => void;
  /**
   * Called with what is kept of the prompt when the answer begins, and by which scores of the whole prompt: null for a policy without, and
   * where it was read by parts. In mode `question` the full cache is still there.
   */
  readonly onChosen?: (scores: Scores | null, chosen: KeptTokens) => void;
};

export type AnswerOutcome = EvictionCounts &
  Pick<AnswerFigures, "scoredFor"> & {
    readonly answer: string;
    readonly stopReason: StopReason;
    /** Prompt tokens that need not be read, and those of them that came from a snapshot. */
    readonly cachedTokens: number;
    readonly restoredTokens: number;
    readonly evaluatedTokens: number;
    readonly answerTokens: number;
    readonly timings: Omit<Timings, "extractMs">;
    /** Bytes of the cache's buffer: as the prompt was read, and as the answer ended. */
    readonly cacheBytes: { readonly full: number; readonly kept: number };
    /** Tokens held per layer and KV head as the answer began, their mean where layers differ; null where nothing was evicted. */
    readonly keptTokens: number | null;
  };

/** What an answer needs of a loaded model: its weights, its full cache, and a way to a kept one. */
export type Answering = Pick<Loaded, "createKept" | "positions" | "tail"> & {
  readonly model: Model;
  readonly cache: FullCache;
  readonly once: OnceSlot;
};

type Decoded = Pick<AnswerOutcome, "answer" | "stopReason" | "answerTokens">;

/**
 * One answer (design.md §3): prefill what is not cached, sample the first token, score, keep the best and free the rest, then decode
 * until the end. In the modes `once` and `streaming` the prompt is read into a kept cache, and evictions come before the first token.
 * Stopping keeps what was written and leaves the cache consistent: only whole prefill steps count as cached.
 * @throws LongsightError; being stopped is no error once the first step is done (stopReason "cancelled")
 */
export async function writeAnswer(loaded: Answering, prompt: Uint32Array, options: AnswerOptions): Promise<AnswerOutcome> {
  const { eviction: plan, questionStart, reading, signal } = options;
  const clock = startClock();
  const stopper = createStopper(signal);
  const state: State = {
    kept: null,
    before: noEvictions,
    opened: { cachedTokens: 0, restoredTokens: 0 },
    readTokens: 0,
    fullBytes: 0,
    keptTokens: null,
    scoredFor: null,
  };
  const outcome = (decoded: Decoded, readTokens: number): AnswerOutcome => ({
    ...decoded,
    ...state.opened,
    evaluatedTokens: Math.max(0, readTokens - state.opened.cachedTokens),
    timings: clock.timings(),
    cacheBytes: { full: state.fullBytes, kept: state.kept?.context.buffers().cache ?? state.fullBytes },
    keptTokens: state.keptTokens,
    scoredFor: state.scoredFor,
    ...countsSince(state.before, state.kept?.counts ?? state.before),
  });
  try {
    // A cache of mode `once` that this answer does not go on from is only memory: what is on disk of it brings it back.
    if (reading.mode !== "once" || plan === null) await loaded.once.free();
    const context = await readAsAsked(loaded, prompt, { ...options, stopper, clock }, state);
    clock.end("prefillMs");
    const decoded = await decode(loaded.model, context, prompt.length, options, {
      positions: plan === null ? Math.min(context.contextLength, loaded.cache.mostTokens) : loaded.positions,
      onFirstToken: () => clock.mark("firstTokenMs"),
      async contextFor(answerTokens, token) {
        if (answerTokens === 1 && state.kept === null) {
          clock.end("decodeMs");
          await options.snapshots?.save(context, prompt.length);
          clock.end("snapshotMs");
        }
        if (plan === null) return context;
        if (state.kept === null) {
          const evicted = await evictFull(loaded, context, prompt, { ...options, plan, first: token, stopper, clock });
          Object.assign(state, evicted, { scoredFor: "question" } satisfies Partial<State>);
        }
        const next = (await state.kept?.cellFor(token, { questionStart, promptTokens: prompt.length }, clock.end)) ?? null;
        if (next !== null) stopper.watch(next);
        return next;
      },
    });
    clock.end("decodeMs");
    return outcome(decoded, prompt.length);
  } catch (error) {
    if (!signal.aborted) {
      if (reading.mode === "once") await loaded.once.free();
      throw error;
    }
    clock.end("prefillMs");
    return outcome({ answer: "", stopReason: "cancelled", answerTokens: 0 }, Math.max(state.readTokens, loaded.cache.prefilled.length));
  } finally {
    stopper.end();
    if (reading.mode !== "once" || plan === null) await state.kept?.dispose();
    else noteScored(loaded.once, state);
  }
}

/** What is known of an answer while it is made. */
type State = {
  /** Null while, or where, the full cache is all there is. */
  kept: KeptCache | null;
  /** What had been evicted from the kept cache before this answer. */
  before: EvictionCounts;
  opened: Pick<ReadPrompt, "cachedTokens" | "restoredTokens">;
  readTokens: number;
  fullBytes: number;
} & { -readonly [Key in "keptTokens" | "scoredFor"]: AnswerOutcome[Key] };

/** Reads the prompt in the way of its mode. @returns the context with its last logits */
async function readAsAsked(
  loaded: Answering,
  prompt: Uint32Array,
  options: AnswerOptions & { readonly stopper: ReturnType<typeof createStopper>; readonly clock: Clock },
  state: State,
): Promise<ModelContext> {
  const { eviction: plan, reading, clock } = options;
  const onOpen = ({ cachedTokens, restoredTokens, restoreMs }: Omit<ReadPrompt, "context">, bytes: number) => {
    state.opened = { cachedTokens, restoredTokens };
    state.readTokens = cachedTokens;
    clock.took("restoreMs", restoreMs);
    state.fullBytes = bytes;
  };
  if (plan === null || reading.mode === "question") {
    const whole = { ...options, onOpen: (opened: ReadPrompt) => onOpen(opened, opened.context.buffers().cache) };
    return (await readPrompt(loaded.cache, prompt, plan, whole)).context;
  }
  const onRead = (position: number) => {
    state.readTokens = position;
  };
  const keptReading = { ...options, plan, took: clock.end, onRead };
  if (reading.mode === "once") {
    const earlier = loaded.once.current?.kept ?? null;
    const before = earlier?.counts ?? noEvictions;
    const { documentEnd, neutralView, key, stored } = reading;
    const present = await readOnce(loaded, prompt, {
      ...keptReading,
      documentEnd,
      neutralView,
      key,
      stored,
      onOpen: ({ bytes, ...opened }) => onOpen(opened, bytes),
    });
    state.kept = present.kept;
    if (present.kept === earlier) state.before = before;
    state.scoredFor = present.scoredFor;
  } else {
    state.kept = await readStreaming(loaded, prompt, keptReading);
    state.fullBytes = state.kept.context.buffers().cache;
    state.scoredFor = "question";
  }
  state.keptTokens = meanHeld(state.kept);
  options.onChosen?.(null, keptOf(heldUntil(state.kept.held, state.kept.read.length)));
  return state.kept.context;
}

/** Tokens per layer and KV head that a kept cache holds, when a prompt was read into it. */
function meanHeld({ held, read, base }: KeptCache): number {
  const { rows } = held;
  return rows.reduce((sum, row) => sum + row.length, 0) / Math.max(1, rows.length) + read.length - base;
}

function countsSince(before: EvictionCounts, now: EvictionCounts): EvictionCounts {
  return {
    evictions: now.evictions - before.evictions,
    answerEvictions: now.answerEvictions - before.answerEvictions,
    scoredRows: now.scoredRows - before.scoredRows,
  };
}

/** The next turn is told what the cache of mode `once` was scored for: where it was full in this one, for this one. */
function noteScored(once: OnceSlot, { kept, before }: State): void {
  if (once.current === null || once.current.kept !== kept) return;
  const { scoredFor } = once.current;
  const isScored = kept.counts.answerEvictions > before.answerEvictions;
  once.current = { ...once.current, scoredFor: scoredFor === "question" || isScored ? "earlier-question" : scoredFor };
}

/** Writes tokens until an end. `contextFor` gives the context that takes a token, by its number, 1 being the first; null for none. */
async function decode(
  model: Model,
  full: ModelContext,
  promptTokens: number,
  options: AnswerOptions,
  {
    positions,
    onFirstToken,
    contextFor,
  }: {
    /** Where there is no further position. */
    readonly positions: number;
    readonly onFirstToken: () => void;
    readonly contextFor: (answerTokens: number, token: number) => Promise<ModelContext | null>;
  },
): Promise<Decoded> {
  const { sampling, signal, onText } = options;
  const stream = createTextStream(sampling.stop);
  const sampler = model.createSampler({ ...sampling, seed: options.seed });
  let context = full;
  let answer = "";
  let answerTokens = 0;
  const progress = startProgress("decode", sampling.maxTokens, options.emit);
  const write = (text: string) => {
    if (text === "") return;
    answer += text;
    onText(text);
  };
  const writeToken = async (): Promise<StopReason | null> => {
    const token = await context.sample(sampler);
    if (answerTokens === 0) onFirstToken();
    if (token < 0) throw nonsense(model);
    if (model.isEnd(token)) return "end";
    answerTokens += 1;
    progress.update(answerTokens);
    const { text, stopped } = stream.push(model.pieceOf(token));
    write(text);
    if (stopped) return "stop-string";
    if (answerTokens >= sampling.maxTokens) return "max-tokens";
    const position = promptTokens + answerTokens - 1;
    if (position >= positions) return "context-full";
    const next = await contextFor(answerTokens, token);
    if (next === null) return "context-full";
    context = next;
    await context.decode(Uint32Array.of(token), position, true);
    return null;
  };
  try {
    if (context.logits().some(Number.isNaN)) throw nonsense(model);
    for (;;) {
      const stopReason = signal.aborted ? "cancelled" : await writeToken();
      if (stopReason === null) continue;
      write(stream.end());
      return { answer, stopReason, answerTokens };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    write(stream.end());
    return { answer, stopReason: "cancelled", answerTokens };
  } finally {
    sampler.dispose();
  }
}
