import type { GgufType, RawHeader, TensorInfo } from "../llama/ggufHeader.ts";

/** The model that a module was made for, as the module's file says. */
export type ModuleBase = {
  readonly architecture: string;
  readonly name: string;
  readonly layers: number;
  readonly embeddingWidth: number;
  readonly attentionHeads: number;
  readonly kvHeads: number;
  /** SHA-256 in hexadecimal, see llama/ggufHeader.ts. */
  readonly tokenizerHash: string;
};

export type ModuleTraining = {
  readonly data: string;
  readonly steps: number;
  /** Tokens of the longest prompt that it learned from. */
  readonly length: number;
  /** ISO date. */
  readonly date: string;
};

/** A linear layer of the base with a LoRA, by llama.cpp's name of its weights. */
export type LoraLinear = { readonly name: string; readonly inputs: number; readonly outputs: number };

/** A tensor's place in the file. */
export type TensorPlace = { readonly name: string; readonly half: boolean; readonly elements: number; readonly start: number };

/** Everything that a module's header says, checked. */
export type ModuleHeader = {
  readonly name: string;
  /** Lookahead embeddings. */
  readonly tokens: number;
  /** Width of the max-pool over the scores; odd, 1 is none. */
  readonly poolKernel: number;
  /** The LoRA counts alpha ÷ rank times. */
  readonly alpha: number;
  readonly rank: number;
  readonly base: ModuleBase;
  readonly training: ModuleTraining;
  /** The base's linear layers that the LoRA acts on. */
  readonly linears: readonly LoraLinear[];
  /** In the file's order; one of them is {@link embeddingsName}. */
  readonly tensors: readonly TensorPlace[];
};

export const embeddingsName = "lookahead.embeddings";
const formatVersion = 1;

/** Far above anything sensible; they keep sizes that are computed from these numbers small. */
const most = {
  tokens: 512,
  poolKernel: 255,
  rank: 256,
  alpha: 65_536,
  layers: 512,
  width: 1 << 20,
  heads: 4096,
  count: 0xffff_ffff,
  text: 1000,
};
/** llama.cpp's alignment where a file does not ask for another. */
const alignment = 32;

const attentionLinears = ["attn_q", "attn_k", "attn_v"] as const;
const linears = [...attentionLinears, "attn_output", "ffn_gate", "ffn_up", "ffn_down"] as const;
type Linear = (typeof linears)[number];

/** What is wrong with a module's file, in words for a bug report. */
export class ModuleFault extends Error {}

function fault(what: string): never {
  throw new ModuleFault(what);
}

/** Whether a GGUF is meant to be a lookahead module; says nothing about whether it is a sound one. */
export function isModule({ metadata }: RawHeader): boolean {
  return metadata.get("general.type") === "adapter" && metadata.has("lookahead.version");
}

/**
 * Checks a module's header. llama.cpp ends the process where the type of a value is not the one that it expects, so types are
 * checked to the letter, and everything else with them.
 * @param fileBytes length of the file, which the tensors must lie in
 * @throws ModuleFault
 */
export function parseModuleHeader(header: RawHeader, fileBytes: number): ModuleHeader {
  if (header.version !== 3) fault(`GGUF version ${header.version} instead of 3`);
  const read = reader(header);
  checkAdapter(header, read);
  const version = read.count("lookahead.version", 0, most.count);
  if (version !== formatVersion) fault(`lookahead.version is ${version}; this Longsight knows ${formatVersion}`);
  const tokens = read.count("lookahead.n_tokens", 1, most.tokens);
  const poolKernel = read.count("lookahead.pool_kernel", 1, most.poolKernel);
  if (poolKernel % 2 === 0) fault(`lookahead.pool_kernel is ${poolKernel}, not odd`);
  const base = readBase(read);
  if (read.text("general.architecture") !== base.architecture) fault("general.architecture is not lookahead.base.architecture");
  const tensors = placeTensors(header, fileBytes);
  const shapes = new Map(header.tensors.map((tensor) => [tensor.name, tensor.dimensions]));
  const lora = checkShapes(shapes, base, tokens);
  return {
    name: read.text("general.name"),
    tokens,
    poolKernel,
    alpha: readAlpha(read),
    base,
    training: readTraining(read),
    ...lora,
    tensors,
  };
}

/** Reads metadata by key, each of exactly the type it must have. */
function reader({ metadata, types }: RawHeader) {
  const value = (key: string, type: GgufType) => {
    const found = types.get(key);
    if (found === undefined) return fault(`${key} is missing`);
    if (found !== type) return fault(`${key} is of the type ${found} instead of ${type}`);
    return metadata.get(key);
  };
  return {
    text(key: string): string {
      const text = value(key, "text");
      if (typeof text !== "string" || text === "" || text.length > most.text) return fault(`${key} is empty or too long`);
      // Names reach terminals and windows.
      return /[\p{Cc}\u2028\u2029\ufffd]/u.test(text) ? fault(`${key} holds characters that are no text`) : text;
    },
    count(key: string, least: number, largest: number): number {
      const count = value(key, "uint32");
      return typeof count === "number" && count >= least && count <= largest ? count : fault(`${key} is ${count}`);
    },
    number(key: string): number {
      const number = value(key, "float32");
      return typeof number === "number" ? number : fault(`${key} is no number`);
    },
  };
}
type Reader = ReturnType<typeof reader>;

/** The keys that llama.cpp reads. */
function checkAdapter({ types }: RawHeader, read: Reader): void {
  for (const [key, type] of types) {
    if (key.startsWith("general.") && type !== "text") fault(`${key} is of the type ${type} instead of text`);
    // adapter.alora.*, for one, would switch the LoRA on by tokens of the prompt.
    if (key.startsWith("adapter.") && key !== "adapter.type" && key !== "adapter.lora.alpha") fault(`${key} has no place in a module`);
  }
  if (read.text("general.type") !== "adapter") fault("general.type is not adapter");
  if (read.text("adapter.type") !== "lora") fault("adapter.type is not lora");
}

function readAlpha(read: Reader): number {
  const alpha = read.number("adapter.lora.alpha");
  // llama.cpp takes 0 for "no scale", which is not nothing.
  return alpha > 0 && alpha <= most.alpha ? alpha : fault(`adapter.lora.alpha is ${alpha}`);
}

function readBase(read: Reader): ModuleBase {
  const tokenizerHash = read.text("lookahead.base.tokenizer_hash");
  if (!/^[0-9a-f]{64}$/.test(tokenizerHash)) fault("lookahead.base.tokenizer_hash is no SHA-256 in hexadecimal");
  const attentionHeads = read.count("lookahead.base.attention.head_count", 1, most.heads);
  return {
    architecture: read.text("lookahead.base.architecture"),
    name: read.text("lookahead.base.name"),
    layers: read.count("lookahead.base.block_count", 1, most.layers),
    embeddingWidth: read.count("lookahead.base.embedding_length", 1, most.width),
    attentionHeads,
    kvHeads: read.count("lookahead.base.attention.head_count_kv", 1, attentionHeads),
    tokenizerHash,
  };
}

function readTraining(read: Reader): ModuleTraining {
  const date = read.text("lookahead.training.date");
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || Number.isNaN(Date.parse(date))) fault(`lookahead.training.date is ${date}`);
  return {
    data: read.text("lookahead.training.data"),
    steps: read.count("lookahead.training.steps", 0, most.count),
    length: read.count("lookahead.training.length", 0, most.count),
    date,
  };
}

/** Where the tensors lie: one behind the other, as llama.cpp demands, and all of them inside the file. */
function placeTensors({ tensors, dataStart }: RawHeader, fileBytes: number): TensorPlace[] {
  let expected = 0;
  const names = new Set<string>();
  return tensors.map((tensor) => {
    const { elements, half } = elementsOf(tensor);
    if (names.has(tensor.name)) fault(`the tensor ${tensor.name} is there twice`);
    names.add(tensor.name);
    if (tensor.offset !== expected) fault(`the tensor ${tensor.name} lies at ${tensor.offset} instead of ${expected}`);
    const bytes = elements * (half ? 2 : 4);
    const start = dataStart + tensor.offset;
    if (start + bytes > fileBytes) fault(`the tensor ${tensor.name} ends at byte ${start + bytes} of ${fileBytes}: the file is incomplete`);
    expected += Math.ceil(bytes / alignment) * alignment;
    return { name: tensor.name, half, elements, start };
  });
}

function elementsOf({ name, type, dimensions }: TensorInfo): { elements: number; half: boolean } {
  if (type !== 0 && type !== 1) return fault(`the tensor ${name} is of ggml's type ${type}, not F32 or F16`);
  const [first = 0, second = 0] = dimensions;
  const elements = first * second;
  if (dimensions.length !== 2 || elements < 1 || !Number.isSafeInteger(elements)) fault(`the tensor ${name} is ${dimensions.join(" × ")}`);
  return { elements, half: type === 1 };
}

/** All tensors of a module and no other, of shapes that fit each other and what the file says about the base. */
function checkShapes(
  shapes: ReadonlyMap<string, readonly number[]>,
  base: ModuleBase,
  tokens: number,
): { rank: number; linears: LoraLinear[] } {
  const rest = new Map(shapes);
  const take = (name: string) => {
    const [first, second] = rest.get(name) ?? [];
    if (first === undefined || second === undefined) return fault(`the tensor ${name} is missing`);
    rest.delete(name);
    return [first, second] as const;
  };
  const [width, rows] = take(embeddingsName);
  if (width !== base.embeddingWidth || rows !== tokens) fault(`${embeddingsName} is ${width} × ${rows}`);
  const pairs: LoraLinear[] = [];
  let rank = 0;
  for (let layer = 0; layer < base.layers; layer++) {
    const names = layer === base.layers - 1 ? attentionLinears : linears;
    const sizes = new Map<Linear, LoraLinear>();
    for (const linear of names) {
      const name = `blk.${layer}.${linear}.weight`;
      const [inputs, rankOfA] = take(`${name}.lora_a`);
      const [rankOfB, outputs] = take(`${name}.lora_b`);
      rank ||= rankOfA;
      if (rankOfA !== rank || rankOfB !== rank) fault(`${name} has a LoRA of rank ${rankOfA} and ${rankOfB} where others have ${rank}`);
      const pair = { name, inputs, outputs };
      pairs.push(pair);
      sizes.set(linear, pair);
    }
    checkLayer(layer, sizes, base);
  }
  if (rank > most.rank) fault(`the LoRA's rank is ${rank}`);
  const [other] = rest.keys();
  if (other !== undefined) fault(`the tensor ${other} has no place in a module`);
  return { rank, linears: pairs };
}

/** What goes out of one linear layer must fit what goes into the next. */
function checkLayer(layer: number, sizes: ReadonlyMap<Linear, LoraLinear>, base: ModuleBase): void {
  const width = base.embeddingWidth;
  const headWidth = (sizes.get("attn_q")?.outputs ?? 0) / base.attentionHeads;
  const valueWidth = (sizes.get("attn_v")?.outputs ?? 0) / base.kvHeads;
  const feedForward = sizes.get("ffn_gate")?.outputs;
  const fits: Record<Linear, (linear: LoraLinear) => boolean> = {
    attn_q: ({ inputs }) => inputs === width && Number.isInteger(headWidth),
    attn_k: ({ inputs, outputs }) => inputs === width && outputs === headWidth * base.kvHeads,
    attn_v: ({ inputs }) => inputs === width && Number.isInteger(valueWidth),
    attn_output: ({ inputs, outputs }) => inputs === valueWidth * base.attentionHeads && outputs === width,
    ffn_gate: ({ inputs }) => inputs === width,
    ffn_up: ({ inputs, outputs }) => inputs === width && outputs === feedForward,
    ffn_down: ({ inputs, outputs }) => inputs === feedForward && outputs === width,
  };
  for (const [linear, size] of sizes) {
    if (!fits[linear](size)) fault(`the LoRA of ${linear} in layer ${layer} is for ${size.inputs} → ${size.outputs}`);
  }
}
