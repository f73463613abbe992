import { z } from "zod";

/**
 * The native functions that Longsight uses, of node-llama-cpp's addon and of our own beside it (native/addon), as one typed
 * contract. They are private parts of node-llama-cpp 3.21.1 (pinned): what is missing at run time is named by the parse.
 */
export type NativeModel = {
  init(): Promise<boolean>;
  dispose(): Promise<void>;
  abortActiveModelLoad(): void;
  /** Reads a LoRA from its file, for this model. Rejects where llama.cpp refuses it. */
  loadLora(lora: NativeLora): Promise<void>;
  tokenBos(): number;
  tokenEos(): number;
  isEogToken(token: number): boolean;
  shouldPrependBosToken(): boolean;
  getTrainContextSize(): number;
  /** Bytes of the weights' tensors. */
  getTotalSize(): number;
};

export type NativeContext = {
  init(): Promise<boolean>;
  dispose(): Promise<void>;
  getContextSize(): number;
  removeTokenCellsFromSequence(sequence: number, start: number, end: number): boolean;
  getSequenceKvCacheMinPosition(sequence: number): number;
  getSequenceKvCacheMaxPosition(sequence: number): number;
  /** The LoRAs that act on everything decoded from now on, with their scales. */
  setLoras(loras: NativeLora[], scales: number[]): void;
  /** @returns the token, or -1 where the sampler left none */
  sampleToken(logitIndex: number, sampler: NativeSampler): Promise<number>;
};

export type NativeLora = { dispose(): Promise<void> };

export type NativeSampler = {
  applyConfig(config: {
    temperature: number;
    minP: number;
    topK: number;
    topP: number;
    seed: number;
    /** DRY: 0 switches it off. */
    dryRepeatPenaltyStrength: number;
    /** Runs up to this many tokens may repeat freely. */
    dryRepeatPenaltyAllowedLength: number;
    /** How far back runs are looked for; must be positive, -1 means off in this llama.cpp. */
    dryRepeatPenaltyLastTokens: number;
  }): void;
  dispose(): void;
};

export type NativeModelParameters = {
  gpuLayers: number;
  useMmap: boolean;
  hasLoadAbortSignal: boolean;
  onLoadProgress(fraction: number): void;
};

export type NativeContextParameters = {
  contextSize: number;
  batchSize: number;
  sequences: number;
  flashAttention: boolean;
  threads: number;
  kvCacheKeyType: number;
  kvCacheValueType: number;
};

const callable = <Type>() => z.custom<Type>((value) => typeof value === "function", "missing");

export const bindingsSchema = z.object({
  AddonModel: callable<new (path: string, parameters: NativeModelParameters) => NativeModel>(),
  AddonContext: callable<new (model: NativeModel, parameters: NativeContextParameters) => NativeContext>(),
  AddonModelLora: callable<new (model: NativeModel, path: string) => NativeLora>(),
  AddonSampler: callable<new (model: NativeModel) => NativeSampler>(),
  AddonJinjaRenderer: callable<new (template: string) => { render(items: Record<string, unknown>): string }>(),
  getGgmlType: callable<(name: string) => number | undefined>(),
  getGpuType: callable<() => "cuda" | "vulkan" | "metal" | false | undefined>(),
  getSupportsGpuOffloading: callable<() => boolean>(),
  getIsArchSupported: callable<(architecture: string) => boolean>(),
  getIsArchRecurrent: callable<(architecture: string) => boolean | undefined>(),
  getIsArchHybrid: callable<(architecture: string) => boolean | undefined>(),
  /** Version of our addon; see LONGSIGHT_ADDON_VERSION in native/addon/longsight.cpp. */
  longsightVersion: z.number(),
  longsightAbortInit: callable<(context: NativeContext) => void>(),
  longsightAbort: callable<(context: NativeContext, requested: boolean) => void>(),
  /** @returns llama_decode's status: 0 done, 1 no room, 2 aborted, negative for an error */
  longsightDecode: callable<(context: NativeContext, tokens: Uint32Array, position: number, logits: boolean) => Promise<number>>(),
  longsightLogits: callable<(context: NativeContext) => Float32Array>(),
  longsightBuffers: callable<(context: NativeContext) => { model: number; cache: number; compute: number }>(),
  longsightTokenize:
    callable<(model: NativeModel, text: string, special: boolean) => Promise<{ tokens: Uint32Array; bytes: Uint32Array }>>(),
  longsightPiece: callable<(model: NativeModel, token: number, special: boolean) => Uint8Array>(),
  longsightSetThreads: callable<(context: NativeContext, decode: number, prefill: number) => void>(),
  longsightBackends: callable<() => string[]>(),
  /** Before the context's init. cells: KV cells (0 for as many as positions), or each layer's; ubatch: tokens computed at once. */
  longsightConfigure: callable<(context: NativeContext, options: { cells: number | Uint32Array; ubatch: number }) => void>(),
  /**
   * mode: 0 off, 1 rows that are thrown away, 2 rows of the prompt, 3 queries of the prompt's rows. @returns 0, or -1 where the model
   * cannot be scored so
   */
  longsightScoring: callable<(context: NativeContext, mode: number, position: number) => number>(),
  longsightScores:
    callable<(context: NativeContext, tokens: number) => { layers: number; heads: number; rows: number; values: Float32Array } | null>(),
  /** @returns the sums, or a status of llama_get_attn_expected (native/patches/0010-queries.patch) */
  longsightExpected:
    callable<
      (
        context: NativeContext,
        tokens: number,
        future: number,
      ) => Promise<{ layers: number; heads: number; kvHeads: number; rows: number; logits: Float32Array; norms: Float32Array } | number>
    >(),
  /** @returns llama_decode's status, as longsightDecode */
  longsightDecodeRows: callable<(context: NativeContext, rows: Float32Array, position: number) => Promise<number>>(),
  longsightCache:
    callable<
      (context: NativeContext) => {
        layers: number;
        heads: number;
        cells: number;
        tokens: number;
        kept: boolean;
        layerCells: Uint32Array;
        layerTokens: Uint32Array;
      } | null
    >(),
  longsightCacheBytes:
    callable<(context: NativeContext, layer: number, values: boolean) => { transposed: boolean; row: number; bytes: Uint8Array }>(),
  /** @returns llama_keep_status: 0, or a negative number (native/patches/0007-keep.patch) */
  longsightKeep: callable<(source: NativeContext, target: NativeContext, indices: Uint32Array, budgets: Uint32Array) => Promise<number>>(),
  /** form: 0 exact, 1 q8_0. @returns 0 where the cache has no such rows */
  longsightRowBytes: callable<(context: NativeContext, form: number) => number>(),
  /** @returns the bytes, or a negative llama_keep_status */
  longsightReadRows: callable<(context: NativeContext, start: number, end: number, form: number) => Promise<Uint8Array | number>>(),
  longsightWriteRows: callable<(context: NativeContext, start: number, end: number, bytes: Uint8Array, form: number) => Promise<number>>(),
  /** part: 0 kept cells, 1 sliding windows. @returns the bytes, or a negative llama_keep_status; null where there is no such part */
  longsightReadImage: callable<(context: NativeContext, part: number) => Promise<Uint8Array | number> | null>(),
  longsightWriteImage: callable<(context: NativeContext, part: number, bytes: Uint8Array) => Promise<number>>(),
});
export type Bindings = z.output<typeof bindingsSchema>;

/** The version of native/addon this code was written for. */
export const expectedAddonVersion = 4;
