import type { Sampling, StopReason, Timings } from "../../contract/conversation.ts";
import type { StreamEvent } from "../../contract/engine.ts";
import type { FullCache } from "../fullCache.ts";
import type { ModelContext } from "../llama/context.ts";
import type { Model } from "../llama/model.ts";
import { largestBudget, meanBudget } from "../lookahead/kept.ts";
import type { EvictionPlan } from "../lookahead/plan.ts";
import { scorePrompt, selectKept } from "../lookahead/score.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import { keepHeld } from "../lookahead/select.ts";
import { startProgress } from "../progress.ts";
import type { Loaded } from "../session.ts";
import type { PromptSnapshots } from "../snapshots/promptSnapshots.ts";
import type { DraftWriter } from "./draft.ts";
import { nonsense } from "./greedy.ts";
import { createStopper, type ReadPrompt, readPrompt, type Stopper } from "./readPrompt.ts";
import { createTextStream } from "./textStream.ts";

export type AnswerOptions = {
  readonly sampling: Sampling;
  readonly seed: number;
  /** Null keeps the full cache. */
  readonly eviction: EvictionPlan | null;
  /** Where the prompt's beginning is looked for and kept; null for neither. */
  readonly snapshots: PromptSnapshots | null;
  /** For a policy that scores by a draft of the answer. */
  readonly writeDraft: DraftWriter;
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  /** Called with each piece of text as it is written. */
  readonly onText: (text: string) => void;
  /** Called with what the prompt's scores were, null for a policy without, and what is kept by them. */
  readonly onChosen?: (scores: Scores | null, chosen: KeptTokens) => void;
};

export type AnswerOutcome = {
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
  /** Tokens kept per layer and KV head, their mean where layers differ; null where nothing was evicted. */
  readonly keptTokens: number | null;
};

/** What an answer needs of a loaded model: its weights, its full cache, and a way to a kept one. */
export type Answering = {
  readonly model: Model;
  readonly cache: FullCache;
  /** See {@link Loaded.createKept}. */
  createKept: Loaded["createKept"];
};

type Decoded = Pick<AnswerOutcome, "answer" | "stopReason" | "answerTokens">;

/**
 * One answer (design.md §3): prefill what is not cached, sample the first token, score, keep the best and free the rest, then decode
 * until the end. Stopping keeps what was written and leaves the cache consistent: only whole prefill steps count as cached.
 * @throws LongsightError; being stopped is no error once the first step is done (stopReason "cancelled")
 */
export async function writeAnswer(loaded: Answering, prompt: Uint32Array, options: AnswerOptions): Promise<AnswerOutcome> {
  const { cache } = loaded;
  const plan = options.eviction;
  const clock = startClock();
  const stopper = createStopper(options.signal);
  const eviction = createEviction(loaded, options, clock, stopper);
  let [cachedTokens, restoredTokens] = [0, 0];
  let fullBytes = 0;
  const outcome = (decoded: Decoded, evaluatedTokens: number): AnswerOutcome => ({
    ...decoded,
    cachedTokens,
    restoredTokens,
    evaluatedTokens,
    timings: clock.timings(),
    cacheBytes: { full: fullBytes, kept: eviction.keptBytes() ?? fullBytes },
    keptTokens: eviction.keptTokens(),
  });
  try {
    const onOpen = (opened: ReadPrompt) => {
      ({ cachedTokens, restoredTokens } = opened);
      clock.took("restoreMs", opened.restoreMs);
      fullBytes = opened.context.buffers().cache;
    };
    const read = await readPrompt(cache, prompt, plan, { ...options, stopper, onOpen });
    clock.end("prefillMs");
    const decoded = await decode(loaded.model, read.context, prompt.length, options, {
      onFirstToken: () => clock.mark("firstTokenMs"),
      async contextFor(answerTokens, token) {
        if (answerTokens === 1) {
          clock.end("decodeMs");
          await options.snapshots?.save(read.context, prompt.length);
          clock.end("snapshotMs");
        }
        if (plan === null) return read.context;
        const kept = answerTokens === 1 ? await eviction.run(read.context, plan, token) : await eviction.withRoom();
        stopper.watch(kept);
        return kept;
      },
    });
    clock.end("decodeMs");
    return outcome(decoded, prompt.length - cachedTokens);
  } catch (error) {
    if (!options.signal.aborted) throw error;
    clock.end("prefillMs");
    return outcome({ answer: "", stopReason: "cancelled", answerTokens: 0 }, Math.max(0, cache.prefilled.length - cachedTokens));
  } finally {
    stopper.end();
    await eviction.dispose();
  }
}

/** Measures the stages of one answer, one after the other. */
function startClock() {
  const started = performance.now();
  const timings = { restoreMs: 0, prefillMs: 0, scoringMs: 0, evictionMs: 0, snapshotMs: 0, firstTokenMs: 0, decodeMs: 0 };
  let last = started;
  return {
    /** So much of the stage that runs now was another one's. */
    took(stage: "restoreMs", milliseconds: number) {
      timings[stage] += milliseconds;
      last += milliseconds;
    },
    /** What went by since the last stage's end was this one. */
    end(stage: "prefillMs" | "scoringMs" | "evictionMs" | "snapshotMs" | "decodeMs") {
      const now = performance.now();
      timings[stage] += now - last;
      last = now;
    },
    /** Milliseconds since the start. */
    mark(moment: "firstTokenMs") {
      timings[moment] = performance.now() - started;
    },
    timings: () => ({ ...timings }),
  };
}

/** Cells that a kept cache has for the answer at first, and by which it grows: an answer is seldom as long as it may be. */
export const answerCells = 256;

/** The stages between the first token and the others: score, keep, free the full cache. Then room for the answer, as it gets longer. */
function createEviction(
  loaded: Answering,
  { emit, sampling, writeDraft, onChosen }: AnswerOptions,
  clock: ReturnType<typeof startClock>,
  stopper: Stopper,
) {
  let kept: ModelContext | null = null;
  let keptTokens: number | null = null;
  /** Cells that no token has yet: counted here, since asking the cache for each token would sort its cells each time. */
  let free = 0;
  const moveTo = async (source: ModelContext, chosen: KeptTokens, room: number): Promise<ModelContext> => {
    const target = await loaded.createKept(chosen.budgets, room);
    try {
      await target.keepFrom(source, chosen);
    } catch (error) {
      await target.dispose();
      throw error;
    }
    free = target.shape().cells - largestBudget(chosen);
    return target;
  };
  return {
    keptTokens: () => keptTokens,
    /** Null where nothing was evicted. */
    keptBytes: () => kept?.buffers().cache ?? null,
    async run(full: ModelContext, plan: EvictionPlan, first: number): Promise<ModelContext> {
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
      const room = Math.min(answerCells, sampling.maxTokens, full.contextLength - plan.promptTokens);
      kept = await moveTo(full, chosen, room);
      keptTokens = meanBudget(chosen);
      await loaded.cache.free();
      progress.update(1);
      clock.end("evictionMs");
      free -= 1;
      return kept;
    },
    /** The kept cache, with a free cell: where all are used, its tokens move to a larger one. */
    async withRoom(): Promise<ModelContext> {
      if (kept === null) throw new Error("nothing was kept");
      if (free === 0) {
        const larger = await moveTo(kept, keepHeld(kept.shape()), answerCells);
        await kept.dispose();
        kept = larger;
      }
      free -= 1;
      return kept;
    },
    dispose: async () => kept?.dispose(),
  };
}

/** Writes tokens until an end. `contextFor` gives the context that takes a token, by its number, 1 being the first. */
async function decode(
  model: Model,
  full: ModelContext,
  promptTokens: number,
  options: AnswerOptions,
  { onFirstToken, contextFor }: { onFirstToken: () => void; contextFor: (answerTokens: number, token: number) => Promise<ModelContext> },
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
  const next = async (): Promise<StopReason | null> => {
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
    if (position >= context.contextLength) return "context-full";
    context = await contextFor(answerTokens, token);
    await context.decode(Uint32Array.of(token), position, true);
    return null;
  };
  try {
    if (context.logits().some(Number.isNaN)) throw nonsense(model);
    for (;;) {
      const stopReason = signal.aborted ? "cancelled" : await next();
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
