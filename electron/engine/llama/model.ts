import { basename } from "node:path";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { Bindings, NativeModel, NativeSampler } from "./bindings.ts";
import { type Adapter, type ContextOptions, createContext, type ModelContext } from "./context.ts";
import type { GgufHeader } from "./gguf.ts";
import { loadRuntime } from "./runtime.ts";

/** Tokens of a text, with the UTF-8 bytes of it that each stands for. */
export type Tokenised = { readonly tokens: Uint32Array; readonly bytes: Uint32Array };

export type SamplerSettings = { temperature: number; topP: number; topK: number; minP: number; repetitionPenalty: number; seed: number };

/** A chat message as a template knows it. */
export type TemplateMessage = { role: "system" | "user" | "assistant"; content: string };

/** A model's weights in memory, its tokenizer and its template. */
export type Model = {
  readonly header: GgufHeader;
  /** Bytes of its tensors. */
  readonly weightsBytes: number;
  /** @param special whether control tokens such as <|im_end|> in the text are read as such; never for a document's text */
  tokenise(text: string, special: boolean): Promise<Tokenised>;
  /** The bytes of one token; empty for a control token. */
  pieceOf(token: number): Uint8Array;
  isEnd(token: number): boolean;
  /** The token every prompt begins with, or null. */
  readonly firstToken: number | null;
  /**
   * Renders the file's own chat template up to where the answer begins.
   * @throws where the template refuses the messages (some know no system role)
   */
  renderTemplate(template: string, messages: readonly TemplateMessage[]): string;
  createSampler(settings: SamplerSettings): NativeSampler;
  createContext(options: ContextOptions): Promise<ModelContext>;
  /**
   * Loads a LoRA; it goes with the model.
   * @param path of a file that was checked (lookahead/module.ts): llama.cpp ends the process over some faults
   * @throws LongsightError `module-invalid`
   */
  loadAdapter(path: string): Promise<Adapter>;
  dispose(): Promise<void>;
};

/** More than any model has. */
const allLayers = 999;

export type LoadOptions = {
  readonly signal: AbortSignal;
  /** Layers that a GPU computes, where there is one; null or missing for all. */
  readonly gpuLayers?: number | null;
  /** @param fraction 0…1 */
  onProgress(fraction: number): void;
};

/**
 * Loads the weights of a GGUF.
 * @throws LongsightError `cancelled`, `model-unsupported`, `model-invalid`
 */
export async function loadModel(header: GgufHeader, options: LoadOptions): Promise<Model> {
  const { bindings } = await loadRuntime();
  refuseUnsupported(bindings, header);
  const native = new bindings.AddonModel(header.path, {
    gpuLayers: bindings.getSupportsGpuOffloading() ? (options.gpuLayers ?? allLayers) : 0,
    useMmap: true,
    hasLoadAbortSignal: true,
    onLoadProgress: options.onProgress,
  });
  const abort = () => native.abortActiveModelLoad();
  options.signal.addEventListener("abort", abort);
  try {
    if (options.signal.aborted) abort();
    const loaded = await native.init();
    if (options.signal.aborted) {
      await native.dispose();
      throw new LongsightError("cancelled", say("loadingStopped"));
    }
    if (!loaded) throw new Error("llama_model_load returned nothing");
  } catch (error) {
    if (error instanceof LongsightError) throw error;
    if (options.signal.aborted) throw new LongsightError("cancelled", say("loadingStopped"));
    throw new LongsightError(
      "model-invalid",
      say("modelNotLoaded", { model: header.name }),
      error instanceof Error ? error.message : String(error),
    );
  } finally {
    options.signal.removeEventListener("abort", abort);
  }
  return wrap(bindings, native, header);
}

/**
 * Refuses a kind of model that cannot be run here, before anything of it is loaded.
 * @throws LongsightError `model-unsupported`; whatever loading the native part throws
 */
export async function checkKind(header: GgufHeader): Promise<void> {
  refuseUnsupported((await loadRuntime()).bindings, header);
}

function refuseUnsupported(bindings: Bindings, header: GgufHeader): void {
  const { architecture, name } = header;
  if (!bindings.getIsArchSupported(architecture)) {
    throw new LongsightError("model-unsupported", say("kindUnknownToEngine", { model: name, kind: architecture }));
  }
  if (bindings.getIsArchRecurrent(architecture) === true || bindings.getIsArchHybrid(architecture) === true) {
    throw new LongsightError("model-unsupported", say("modelRecurrent", { model: name, kind: architecture }));
  }
}

function wrap(bindings: Bindings, native: NativeModel, header: GgufHeader): Model {
  const begin = native.shouldPrependBosToken() ? native.tokenBos() : -1;
  const text = (token: number) => (token < 0 ? "" : new TextDecoder().decode(bindings.longsightPiece(native, token, true)));
  const beginText = text(native.tokenBos());
  const endText = text(native.tokenEos());
  const renderers = new Map<string, InstanceType<Bindings["AddonJinjaRenderer"]>>();
  return {
    header,
    weightsBytes: native.getTotalSize(),
    firstToken: begin < 0 ? null : begin,
    tokenise: (content, special) => bindings.longsightTokenize(native, content, special),
    pieceOf: (token) => bindings.longsightPiece(native, token, false),
    isEnd: (token) => native.isEogToken(token),
    renderTemplate(template, messages) {
      const renderer = renderers.get(template) ?? new bindings.AddonJinjaRenderer(template);
      renderers.set(template, renderer);
      return renderer.render({
        messages: messages.map((message) => ({ ...message })),
        add_generation_prompt: true,
        bos_token: beginText,
        eos_token: endText,
      });
    },
    createSampler({ repetitionPenalty, temperature, topP, topK, minP, seed }) {
      const sampler = new bindings.AddonSampler(native);
      sampler.applyConfig({
        temperature,
        topP,
        topK,
        minP,
        seed,
        dryRepeatPenaltyStrength: repetitionPenalty,
        dryRepeatPenaltyAllowedLength: 4,
        dryRepeatPenaltyLastTokens: 1024,
      });
      return sampler;
    },
    createContext: (options) => createContext(bindings, native, options),
    async loadAdapter(path) {
      const adapter = new bindings.AddonModelLora(native, path);
      await native.loadLora(adapter).catch((error: unknown) => {
        throw new LongsightError(
          "module-invalid",
          say("moduleNotLoaded", { file: basename(path), model: header.name }),
          error instanceof Error ? error.message : String(error),
        );
      });
      return { native: adapter };
    },
    dispose: () => native.dispose(),
  };
}
