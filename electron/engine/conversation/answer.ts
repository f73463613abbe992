import type { Sampling, StopReason, Timings } from "../../contract/conversation.ts";
import type { StreamEvent } from "../../contract/engine.ts";
import { LongsightError } from "../../contract/errors.ts";
import { batchTokens, type ModelContext } from "../llama/context.ts";
import type { Model } from "../llama/model.ts";
import { startProgress } from "../progress.ts";
import { nextStepEnd, reusablePrefix, stepTokensFor } from "./prefill.ts";
import { createTextStream } from "./textStream.ts";

/** A context and what is known to be in it. */
export type CacheState = {
  readonly context: ModelContext;
  /** Tokens whose keys and values stand in the cache from position 0 on, all of them prefilled. */
  prefilled: number[];
};

export type AnswerOptions = {
  readonly sampling: Sampling;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  /** Called with each piece of text as it is written. */
  readonly onText: (text: string) => void;
};

export type AnswerOutcome = {
  readonly answer: string;
  readonly stopReason: StopReason;
  readonly cachedTokens: number;
  readonly evaluatedTokens: number;
  readonly answerTokens: number;
  readonly timings: Omit<Timings, "extractMs">;
};

/**
 * One answer: prefill what is not cached, then decode until the end. Stopping keeps what was written and leaves the cache
 * consistent: only whole prefill steps count as cached.
 * @throws LongsightError; being stopped is no error once the first step is done (stopReason "cancelled")
 */
export async function writeAnswer(model: Model, cache: CacheState, prompt: Uint32Array, options: AnswerOptions): Promise<AnswerOutcome> {
  const { context } = cache;
  const started = performance.now();
  const abort = () => context.abort();
  options.signal.addEventListener("abort", abort);
  context.resume();
  if (options.signal.aborted) context.abort();
  const timings = { prefillMs: 0, scoringMs: 0, evictionMs: 0, firstTokenMs: 0, decodeMs: 0 };
  const reused = context.truncate(reusablePrefix(cache.prefilled, prompt));
  cache.prefilled.length = reused;
  const counts = { cachedTokens: reused, evaluatedTokens: prompt.length - reused };
  try {
    await prefill(cache, prompt, options);
    timings.prefillMs = performance.now() - started;
    const decoded = await decode(model, context, prompt.length, options, () => {
      timings.firstTokenMs = performance.now() - started;
    });
    timings.decodeMs = performance.now() - started - timings.prefillMs;
    return { ...decoded, ...counts, timings };
  } catch (error) {
    if (!options.signal.aborted) throw error;
    timings.prefillMs ||= performance.now() - started;
    return { answer: "", stopReason: "cancelled", answerTokens: 0, ...counts, evaluatedTokens: cache.prefilled.length - reused, timings };
  } finally {
    options.signal.removeEventListener("abort", abort);
  }
}

async function prefill(cache: CacheState, prompt: Uint32Array, options: AnswerOptions): Promise<void> {
  const start = cache.prefilled.length;
  const progress = startProgress("prefill", prompt.length - start, options.emit);
  let tokensPerSecond: number | null = null;
  for (let from = start; from < prompt.length; ) {
    const to = nextStepEnd(from, prompt.length, stepTokensFor(tokensPerSecond, batchTokens));
    const before = performance.now();
    const step = prompt.subarray(from, to);
    await cache.context.decode(step, from, to === prompt.length);
    if (options.signal.aborted) throw new LongsightError("cancelled", "The answer was stopped.");
    for (const token of step) cache.prefilled.push(token);
    tokensPerSecond = (to - from) / Math.max(1e-3, (performance.now() - before) / 1000);
    progress.update(to - start);
    from = to;
  }
}

async function decode(
  model: Model,
  context: ModelContext,
  promptTokens: number,
  options: AnswerOptions,
  onFirstToken: () => void,
): Promise<Pick<AnswerOutcome, "answer" | "stopReason" | "answerTokens">> {
  const { sampling, signal, onText } = options;
  const stream = createTextStream(sampling.stop);
  const sampler = model.createSampler({ ...sampling, seed: options.seed });
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

/** Weights that were damaged where no length gives it away load like any others, and then compute no numbers. */
function nonsense(model: Model): LongsightError {
  return new LongsightError(
    "model-invalid",
    `The model “${model.header.name}” computes nothing that can be read: its file seems to be damaged. Download it again, or choose another model.`,
  );
}
