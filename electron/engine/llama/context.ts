import { LongsightError } from "../../contract/errors.ts";
import type { KvType } from "../../contract/model.ts";
import { say } from "../../contract/said.ts";
import type { ExpectedAttention } from "../lookahead/expectedAttention.ts";
import type { KeptTokens, Scores } from "../lookahead/scores.ts";
import type { Bindings, NativeContext, NativeLora, NativeModel, NativeSampler } from "./bindings.ts";

/** Most tokens in one decode; llama.cpp's usual batch. */
export const batchTokens = 512;

export type ContextOptions = {
  /** Positions a prompt and its answer may have together; llama.cpp rounds it up to a multiple of 256. */
  readonly contextLength: number;
  /**
   * Cells for keys and values, where they are fewer than positions. An array gives each layer that holds every position its own: such a
   * context is for keeping into, with room for as many tokens to come as each layer's cells exceed its budget.
   */
  readonly cells?: number | Uint32Array | undefined;
  readonly kvType: KvType;
  readonly threads: number;
  /** Tokens of the model's sliding window, 0 for none. */
  readonly slidingWindow: number;
  /** Tokens computed at once; fewer only to test that nothing depends on it. */
  readonly ubatch?: number | undefined;
  /** False only to test the other layout of the values. */
  readonly flashAttention?: boolean | undefined;
};

/** What could be kept apart from a cache: layers that hold every position, their KV heads, cells there are, tokens in them. */
export type CacheShape = {
  readonly layers: number;
  readonly heads: number;
  readonly cells: number;
  readonly tokens: number;
  /** They were kept from more: the cache holds its tokens by layer and head, and no prefix of it can be reused. */
  readonly kept: boolean;
  /** Cells of each layer; they differ where the context was made so. */
  readonly layerCells: Uint32Array;
  /** How many of the tokens each layer holds: the last ones. All of them unless its budget was smaller than another layer's. */
  readonly layerTokens: Uint32Array;
};

/** How rows are stored: as the cache holds them, or (for a cache of f16) rounded to 8 bits, in about half the bytes. */
export type RowForm = "exact" | "q8_0";

/** A LoRA that is loaded for a model. */
export type Adapter = { readonly native: NativeLora };

/**
 * One llama.cpp context with one sequence: a cache and the means to fill it. Calls must not overlap (the session's
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
  /**
   * Decodes rows of embeddings in place of tokens, for their attention alone: no logits.
   * @param rows f32 `[rows][embedding width]`, at most {@link batchTokens} rows
   * @throws as {@link ModelContext.decode}
   */
  decodeRows(rows: Float32Array, position: number): Promise<void>;
  /** Forgets the cells from `position` on. @returns the position up to which the cache can be trusted */
  truncate(position: number): number;
  sample(sampler: NativeSampler): Promise<number>;
  /** A copy of the last decoded token's logits, `[vocabulary]`. */
  logits(): Float32Array;
  /**
   * From now on the attention of decoded rows is summed up; what was summed up before is forgotten.
   * @param rows "probe": rows that will be truncated away, whose output need not be the same to the last bit; "prompt": rows that stay
   *   and do not change; "queries": such rows, not their attention but mean and covariance of their queries
   * @param position of the first row that counts
   * @throws LongsightError `model-unsupported` for a model whose attention, or queries, cannot be scored
   */
  startScoring(rows: "probe" | "prompt" | "queries", position: number): void;
  stopScoring(): void;
  /**
   * Mean attention that the scored rows paid to the first `tokens` tokens, f32 `[layer][KV head][token]`, for the layers that hold
   * every position. A kept cache's tokens count in the same order as for {@link ModelContext.keepFrom}: the kept ones, then what was decoded
   * after them. A token that the layer does not hold (see {@link CacheShape}) scores -1.
   * @throws LongsightError `engine-failed` where nothing was scored
   */
  scores(tokens: number): Scores;
  /**
   * What the first `tokens` tokens of a cache that was not kept from more can expect of queries at the `future` positions behind them, if
   * those are distributed as the ones that were scored as "queries"; these are forgotten afterwards.
   * @throws LongsightError `model-unsupported` for a model that changes its queries after their rotation; `cancelled`, `model-memory`
   */
  expectedAttention(tokens: number, future: number): Promise<ExpectedAttention>;
  /** Sets the LoRA that acts on everything decoded from now on, or none. */
  setAdapter(adapter: Adapter | null): void;
  /** @throws LongsightError `model-unsupported` where nothing of this model's cache can be kept apart */
  shape(): CacheShape;
  /**
   * Fills this empty context with the kept tokens of another one of the same model, which may be kept itself; or, where the source is this
   * context, keeps some of its own. The next position stays the same. Budgets that differ by layer need a context made with such cells.
   * @throws LongsightError `engine-failed` with what does not fit
   */
  keepFrom(source: ModelContext, kept: KeptTokens): Promise<void>;
  /**
   * Bytes that one token's keys and values take in the layers that hold every position, stored as `form`.
   * @throws LongsightError `model-unsupported` where there are no such rows
   */
  rowBytes(form: RowForm): number;
  /**
   * A copy of the keys and values of positions `start` … `end`-1 of a cache that was not kept from more. The bytes do not say what they
   * are of: whoever stores them has to know the model, the cache type and the tokens.
   * @throws LongsightError `engine-failed` for other positions than are there
   */
  readRows(start: number, end: number, form: RowForm): Promise<Uint8Array>;
  /**
   * Appends rows read from a context of the same model and types; `start` must be the next position. A model with sliding windows needs
   * {@link ModelContext.writeWindow} as well before it can go on.
   * @throws LongsightError `engine-failed` for anything of the wrong size or place; nothing has changed then
   */
  writeRows(start: number, end: number, bytes: Uint8Array, form: RowForm): Promise<void>;
  /** The sliding windows' state after the last token; null for a model without, or an empty cache. */
  readWindow(): Promise<Uint8Array | null>;
  /**
   * Restores it, after the rows of the very same prefix, in a context with windows of the same size.
   * @throws LongsightError `engine-failed` where that is not so; nothing has changed then
   */
  writeWindow(bytes: Uint8Array): Promise<void>;
  /** The cells of a kept cache as they lie, and what was decoded after them (without sliding windows); null for any other cache. */
  readKept(): Promise<Uint8Array | null>;
  /**
   * Fills this empty context, made with the same cells, and makes it a kept one. Sliding windows as for {@link ModelContext.writeRows}.
   * @throws LongsightError `engine-failed` where that is not so; nothing has changed then
   */
  writeKept(bytes: Uint8Array): Promise<void>;
  /** A copy of one layer's keys or values as they lie in the cache; for tests. */
  bytesOf(layer: number, kind: "keys" | "values"): { transposed: boolean; row: number; bytes: Uint8Array };
  /** Ends a running decode within a graph node; stays until {@link ModelContext.resume}. */
  abort(): void;
  resume(): void;
  /** Bytes of the allocated buffers. */
  buffers(): { cache: number; compute: number };
  readonly isDisposed: boolean;
  dispose(): Promise<void>;
};

/** llama_keep_status in native/patches/0007-keep.patch and 0008-rows.patch. */
const keepFaults: Readonly<Record<number, string>> = {
  [-1]: "nothing of this cache can be kept apart",
  [-2]: "the two caches are of different models, types or layouts",
  [-3]: "the full cache is empty",
  [-4]: "the kept cache holds something already",
  [-5]: "there are fewer cells, or fewer tokens, than are to be kept",
  [-6]: "the kept tokens are not in order, or beyond the last one",
  [-7]: "there is not enough memory",
  [-8]: "other positions than those that are in the cache, or have to come next",
  [-9]: "other bytes than such rows take",
};

/** llama_attn_scores_type in native/patches/0005-scoring.patch and 0010-queries.patch. */
const scoredRows = { probe: 1, prompt: 2, queries: 3 } as const;

/** llama_rows_form and llama_image_part in native/patches/0008-rows.patch. */
const rowForms = { exact: 0, q8_0: 1 } as const;
const imageParts = { kept: 0, window: 1 } as const;

/** The native part behind each context; it is nobody else's business. */
const natives = new WeakMap<ModelContext, NativeContext>();

/**
 * @throws LongsightError `model-memory` where the cache cannot be allocated
 */
export async function createContext(bindings: Bindings, model: NativeModel, options: ContextOptions): Promise<ModelContext> {
  const type = bindings.getGgmlType(options.kvType.toUpperCase());
  if (type === undefined) throw new LongsightError("model-unsupported", say("cacheTypeMissing", { type: options.kvType }));
  const batchSize = Math.min(batchTokens, options.contextLength);
  const native = new bindings.AddonContext(model, {
    contextSize: options.contextLength,
    batchSize,
    sequences: 1,
    flashAttention: options.flashAttention ?? true,
    threads: options.threads,
    kvCacheKeyType: type,
    kvCacheValueType: type,
  });
  bindings.longsightConfigure(native, { cells: options.cells ?? 0, ubatch: Math.min(options.ubatch ?? batchSize, batchSize) });
  const created = await native.init().catch(() => false);
  if (!created) {
    const cells = typeof options.cells === "object" ? Math.max(...options.cells) : (options.cells ?? options.contextLength);
    throw new LongsightError("model-memory", say("cacheNotAllocated", { tokens: cells }));
  }
  bindings.longsightAbortInit(native);
  const context = wrap(bindings, native, options.slidingWindow);
  natives.set(context, native);
  return context;
}

function wrap(bindings: Bindings, native: NativeContext, slidingWindow: number): ModelContext {
  const contextLength = native.getContextSize();
  let disposed = false;
  // Layers without a window were written, and those with one were not: nothing can be decoded until they are.
  let windowMissing = false;
  const check = (status: number, what: string) => {
    if (status === 0) return;
    if (status === 2) throw new LongsightError("cancelled", say("answerStopped"));
    throw new LongsightError(
      "engine-failed",
      say(status === 1 ? "cacheFull" : "modelFailed"),
      `llama_decode returned ${status} ${what} of ${contextLength}`,
    );
  };
  const needWindow = () => {
    if (windowMissing) throw new LongsightError("engine-failed", say("cacheNotWhole"), "no windows");
  };
  const readImage = async (part: keyof typeof imageParts) => {
    const bytes = await bindings.longsightReadImage(native, imageParts[part]);
    return typeof bytes === "number" ? notRead(bytes, part) : bytes;
  };
  const writeImage = async (part: keyof typeof imageParts, bytes: Uint8Array) => {
    const status = await bindings.longsightWriteImage(native, imageParts[part], bytes);
    if (status !== 0) throw notWritten(status, `${part}, ${bytes.length} bytes`);
    windowMissing = part === "kept" && slidingWindow > 0;
  };
  return {
    contextLength,
    async decode(tokens, position, logits) {
      needWindow();
      const status = await bindings.longsightDecode(native, tokens, position, logits);
      check(status, `at position ${position} for ${tokens.length} tokens`);
    },
    async decodeRows(rows, position) {
      needWindow();
      check(await bindings.longsightDecodeRows(native, rows, position), `at position ${position} for rows of embeddings`);
    },
    truncate(position) {
      const removed = native.removeTokenCellsFromSequence(0, position, -1);
      // A sliding-window layer has dropped what lies behind its window; from further back it cannot go on.
      const oldest = native.getSequenceKvCacheMinPosition(0);
      if (removed && !windowMissing && (position === 0 || slidingWindow === 0 || oldest <= Math.max(0, position - slidingWindow)))
        return position;
      native.removeTokenCellsFromSequence(0, -1, -1);
      windowMissing = false;
      return 0;
    },
    sample: (sampler) => native.sampleToken(-1, sampler),
    logits: () => bindings.longsightLogits(native),
    startScoring(rows, position) {
      if (bindings.longsightScoring(native, scoredRows[rows], position) !== 0) throw rows === "queries" ? unexpected() : unsupported();
    },
    stopScoring() {
      if (!disposed) bindings.longsightScoring(native, 0, 0);
    },
    scores(tokens) {
      const scores = bindings.longsightScores(native, tokens);
      if (scores === null) throw new LongsightError("engine-failed", say("notScored"), `${tokens} tokens`);
      return { layers: scores.layers, heads: scores.heads, tokens, values: scores.values };
    },
    async expectedAttention(tokens, future) {
      const expected = await bindings.longsightExpected(native, tokens, future);
      if (typeof expected === "number") throw notExpected(expected, tokens);
      bindings.longsightScoring(native, 0, 0);
      const { layers, kvHeads, heads, logits, norms } = expected;
      return { layers, heads: kvHeads, groups: heads / kvHeads, tokens, logits, norms };
    },
    setAdapter(adapter) {
      if (disposed) return;
      native.setLoras(adapter === null ? [] : [adapter.native], adapter === null ? [] : [1]);
    },
    shape() {
      const shape = bindings.longsightCache(native);
      if (shape === null) throw unsupported();
      return shape;
    },
    async keepFrom(source, kept) {
      const from = natives.get(source);
      if (from === undefined) throw new TypeError("not a context of this engine");
      const status = await bindings.longsightKeep(from, native, kept.indices, kept.budgets);
      if (status === 0) return;
      throw new LongsightError(
        status === -7 ? "model-memory" : "engine-failed",
        say("notKept"),
        `${keepFaults[status] ?? `llama_keep returned ${status}`} (${[...new Set(kept.budgets)].join(", ")} of ${kept.tokens} tokens)`,
      );
    },
    rowBytes(form) {
      const bytes = bindings.longsightRowBytes(native, rowForms[form]);
      if (bytes === 0) throw unsupported();
      return bytes;
    },
    async readRows(start, end, form) {
      const bytes = await bindings.longsightReadRows(native, start, end, rowForms[form]);
      return typeof bytes === "number" ? notRead(bytes, `positions ${start} to ${end}, ${form}`) : bytes;
    },
    async writeRows(start, end, bytes, form) {
      const status = await bindings.longsightWriteRows(native, start, end, bytes, rowForms[form]);
      if (status !== 0) throw notWritten(status, `positions ${start} to ${end}, ${form}, ${bytes.length} bytes`);
      windowMissing = slidingWindow > 0;
    },
    readWindow: () => readImage("window"),
    writeWindow: (bytes) => writeImage("window", bytes),
    readKept: () => readImage("kept"),
    writeKept: (bytes) => writeImage("kept", bytes),
    bytesOf: (layer, kind) => bindings.longsightCacheBytes(native, layer, kind === "values"),
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
    get isDisposed() {
      return disposed;
    },
    async dispose() {
      disposed = true;
      await native.dispose();
    },
  };
}

function notRead(status: number, what: string): never {
  throw new LongsightError(
    status === -7 ? "model-memory" : "engine-failed",
    say("notCopied"),
    `${keepFaults[status] ?? `status ${status}`} (${what})`,
  );
}

function notWritten(status: number, what: string): LongsightError {
  return new LongsightError(
    status === -7 ? "model-memory" : "engine-failed",
    say("storedCacheUnfit"),
    `${keepFaults[status] ?? `status ${status}`} (${what})`,
  );
}

function unsupported(): LongsightError {
  return new LongsightError("model-unsupported", say("nothingEvictable"));
}

/** @param status of llama_get_attn_expected, not 0 */
function notExpected(status: number, tokens: number): LongsightError {
  if (status === 2) return new LongsightError("cancelled", say("answerStopped"));
  if (status === -1) return unexpected();
  if (status === -3) return new LongsightError("model-memory", say("noMemoryToScore"));
  return new LongsightError("engine-failed", say("notScored"), `status ${status}, ${tokens} tokens`);
}

function unexpected(): LongsightError {
  return new LongsightError("model-unsupported", say("rotationUnknown"));
}
