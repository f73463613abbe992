import { LongsightError } from "../../contract/errors.ts";
import type { KvType } from "../../contract/model.ts";
import type { Bindings, NativeContext, NativeModel, NativeSampler } from "./bindings.ts";

/** Most tokens in one decode; llama.cpp's usual batch. */
export const batchTokens = 512;

export type ContextOptions = {
  /** Tokens; llama.cpp rounds it up to a multiple of 256. */
  readonly contextLength: number;
  readonly kvType: KvType;
  readonly threads: number;
  /** Tokens of the model's sliding window, 0 for none. */
  readonly slidingWindow: number;
};

/**
 * One llama.cpp context with one sequence: a full cache and the means to fill it. Calls must not overlap (the session's
 * queue sees to that), except {@link ModelContext.abort}.
 */
export type ModelContext = {
  readonly contextLength: number;
  /**
   * Decodes tokens at positions `position`, `position + 1`, …
   * @param logits whether the last token's logits are wanted, for {@link ModelContext.sample}
   * @throws LongsightError `cancelled` after an abort, `engine-failed` for anything else
   */
  decode(tokens: Uint32Array, position: number, logits: boolean): Promise<void>;
  /** Forgets the cells from `position` on. @returns the position up to which the cache can be trusted */
  truncate(position: number): number;
  sample(sampler: NativeSampler): Promise<number>;
  /** A copy of the last decoded token's logits, `[vocabulary]`. */
  logits(): Float32Array;
  /** Ends a running decode within a graph node; stays until {@link ModelContext.resume}. */
  abort(): void;
  resume(): void;
  /** Bytes of the allocated buffers. */
  buffers(): { cache: number; compute: number };
  dispose(): Promise<void>;
};

/**
 * @throws LongsightError `model-memory` where the cache cannot be allocated
 */
export async function createContext(bindings: Bindings, model: NativeModel, options: ContextOptions): Promise<ModelContext> {
  const type = bindings.getGgmlType(options.kvType.toUpperCase());
  if (type === undefined) throw new LongsightError("model-unsupported", `This build has no cache type ${options.kvType}.`);
  const native = new bindings.AddonContext(model, {
    contextSize: options.contextLength,
    batchSize: Math.min(batchTokens, options.contextLength),
    sequences: 1,
    flashAttention: true,
    threads: options.threads,
    kvCacheKeyType: type,
    kvCacheValueType: type,
  });
  const created = await native.init().catch(() => false);
  if (!created) {
    throw new LongsightError(
      "model-memory",
      `A cache of ${options.contextLength.toLocaleString("en")} tokens could not be allocated. Choose a shorter context or the cache type q8_0.`,
    );
  }
  bindings.longsightAbortInit(native);
  return wrap(bindings, native, options.slidingWindow);
}

function wrap(bindings: Bindings, native: NativeContext, slidingWindow: number): ModelContext {
  const contextLength = native.getContextSize();
  let disposed = false;
  return {
    contextLength,
    async decode(tokens, position, logits) {
      const status = await bindings.longsightDecode(native, tokens, position, logits);
      if (status === 0) return;
      if (status === 2) throw new LongsightError("cancelled", "The answer was stopped.");
      throw new LongsightError(
        "engine-failed",
        status === 1
          ? "The cache is full although there should be room. Ask again to read the document anew."
          : "The model failed to compute.",
        `llama_decode returned ${status} at position ${position} for ${tokens.length} tokens of ${contextLength}`,
      );
    },
    truncate(position) {
      const removed = native.removeTokenCellsFromSequence(0, position, -1);
      // A sliding-window layer has dropped what lies behind its window; from further back it cannot go on.
      const oldest = native.getSequenceKvCacheMinPosition(0);
      if (removed && (position === 0 || slidingWindow === 0 || oldest <= Math.max(0, position - slidingWindow))) return position;
      native.removeTokenCellsFromSequence(0, -1, -1);
      return 0;
    },
    sample: (sampler) => native.sampleToken(-1, sampler),
    logits: () => bindings.longsightLogits(native),
    abort() {
      if (!disposed) bindings.longsightAbort(native, true);
    },
    resume() {
      if (!disposed) bindings.longsightAbort(native, false);
    },
    buffers() {
      const { cache, compute } = bindings.longsightBuffers(native);
      return { cache, compute };
    },
    async dispose() {
      disposed = true;
      await native.dispose();
    },
  };
}
