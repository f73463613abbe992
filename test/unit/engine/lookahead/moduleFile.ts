// Small GGUF files with every type under the test's control: a lookahead module, and the base that it fits.
import { createHash } from "node:crypto";

const typeNumbers = {
  uint8: 0,
  int32: 5,
  uint32: 4,
  float32: 6,
  boolean: 7,
  text: 8,
  list: 9,
  uint64: 10,
  float64: 12,
} as const;

/** A value with its GGUF type; a list is one of texts. */
export type Typed =
  | readonly ["uint8" | "int32" | "uint32" | "float32" | "float64", number]
  | readonly ["boolean", boolean]
  | readonly ["text", string]
  | readonly ["uint64", bigint]
  | readonly ["list", readonly (string | Uint8Array)[]];

export type Tensor = {
  readonly name: string;
  /** ggml's number: 0 is F32, 1 is F16. */
  readonly type: number;
  readonly dimensions: readonly number[];
  readonly data: Buffer;
  /** Where it is said to lie, where that is not behind the one before. */
  readonly offset?: number;
};

/** A file in parts, to be changed by a test before it is written. */
export type Parts = { version: number; metadata: [string, Typed][]; tensors: Tensor[] };

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: bigint | number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(typeof value === "string" ? Buffer.from(value, "utf8") : value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function payload([type, value]: Typed): Buffer {
  switch (type) {
    case "text":
      return text(value);
    case "uint64":
      return uint64(value);
    case "boolean":
      return Buffer.of(value ? 1 : 0);
    case "list":
      return Buffer.concat([uint32(typeNumbers.text), uint64(value.length), ...value.map(text)]);
    case "uint8":
      return Buffer.of(value);
    case "uint32":
      return uint32(value);
    case "int32":
      return Buffer.from(Int32Array.of(value).buffer);
    case "float32":
      return Buffer.from(Float32Array.of(value).buffer);
    case "float64":
      return Buffer.from(Float64Array.of(value).buffer);
  }
}

const align = (length: number) => Math.ceil(length / 32) * 32;

/** The bytes of a GGUF. */
export function partsBytes({ version, metadata, tensors }: Parts): Buffer {
  let end = 0;
  const infos = tensors.map(({ name, type, dimensions, data, offset }) => {
    const info = [text(name), uint32(dimensions.length), ...dimensions.map(uint64), uint32(type), uint64(offset ?? end)];
    end += align(data.length);
    return Buffer.concat(info);
  });
  const pairs = metadata.map(([key, value]) => Buffer.concat([text(key), uint32(typeNumbers[value[0]]), payload(value)]));
  const header = Buffer.concat([Buffer.from("GGUF"), uint32(version), uint64(tensors.length), uint64(metadata.length), ...pairs, ...infos]);
  const data = tensors.map((tensor) => Buffer.concat([tensor.data, Buffer.alloc(align(tensor.data.length) - tensor.data.length)]));
  return Buffer.concat([header, Buffer.alloc(align(header.length) - header.length), ...data]);
}

/** Bytes of numbers that halves hold exactly: multiples of 1/8 below 4 in size. */
export function halves(values: readonly number[]): Buffer {
  return Buffer.from(Uint16Array.from(values, halfBits).buffer);
}

function halfBits(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | Math.round((Math.abs(value) / 2 ** exponent - 1) * 1024);
}

export const floats = (values: readonly number[]) => Buffer.from(Float32Array.from(values).buffer);

/** Numbers that differ from place to place and that halves hold exactly. */
export const numbers = (count: number) => Array.from({ length: count }, (_, index) => (((index * 7) % 31) - 15) / 8);

export const tiny = {
  layers: 3,
  width: 16,
  heads: 4,
  kvHeads: 2,
  headWidth: 8,
  feedForward: 24,
  rank: 2,
  tokens: 3,
  vocabulary: ["<s>", "the", "lamp", new Uint8Array([0xff, 0xfe]), "č"],
};

/** Inputs and outputs of the linear layers. */
const linears = {
  attn_q: [tiny.width, tiny.heads * tiny.headWidth],
  attn_k: [tiny.width, tiny.kvHeads * tiny.headWidth],
  attn_v: [tiny.width, tiny.kvHeads * tiny.headWidth],
  attn_output: [tiny.heads * tiny.headWidth, tiny.width],
  ffn_gate: [tiny.width, tiny.feedForward],
  ffn_up: [tiny.width, tiny.feedForward],
  ffn_down: [tiny.feedForward, tiny.width],
} as const;

/** The tokenizer hash of {@link tinyBase}, from its definition. */
export const tinyTokenizerHash = (() => {
  const hash = createHash("sha256");
  for (const word of ["gpt2", "smollm"]) hash.update(uint32(word.length)).update(word);
  hash.update(uint32(tiny.vocabulary.length));
  for (const token of tiny.vocabulary) {
    const bytes = Buffer.from(token);
    hash.update(uint32(bytes.length)).update(bytes);
  }
  return hash.update(uint32(1)).update(uint32(5)).update("t h e").digest("hex");
})();

/** A module for {@link tinyBase}. */
export function tinyModule({ steps = 0, half = false, baseName = "Tiny Base" } = {}): Parts {
  const embeddings = numbers(tiny.width * tiny.tokens);
  const tensors: Tensor[] = [
    {
      name: "lookahead.embeddings",
      type: half ? 1 : 0,
      dimensions: [tiny.width, tiny.tokens],
      data: half ? halves(embeddings) : floats(embeddings),
    },
  ];
  for (let layer = 0; layer < tiny.layers; layer++) {
    for (const [linear, [inputs, outputs]] of Object.entries(linears)) {
      if (layer === tiny.layers - 1 && !/^attn_[qkv]$/.test(linear)) continue;
      const name = `blk.${layer}.${linear}.weight`;
      tensors.push({ name: `${name}.lora_a`, type: 1, dimensions: [inputs, tiny.rank], data: halves(numbers(inputs * tiny.rank)) });
      tensors.push({ name: `${name}.lora_b`, type: 0, dimensions: [tiny.rank, outputs], data: floats(numbers(outputs * tiny.rank)) });
    }
  }
  return {
    version: 3,
    metadata: [
      ["general.architecture", ["text", "llama"]],
      ["general.type", ["text", "adapter"]],
      ["general.name", ["text", "A tiny module"]],
      ["adapter.type", ["text", "lora"]],
      ["adapter.lora.alpha", ["float32", 32]],
      ["lookahead.version", ["uint32", 1]],
      ["lookahead.n_tokens", ["uint32", tiny.tokens]],
      ["lookahead.pool_kernel", ["uint32", 7]],
      ["lookahead.base.architecture", ["text", "llama"]],
      ["lookahead.base.name", ["text", baseName]],
      ["lookahead.base.block_count", ["uint32", tiny.layers]],
      ["lookahead.base.embedding_length", ["uint32", tiny.width]],
      ["lookahead.base.attention.head_count", ["uint32", tiny.heads]],
      ["lookahead.base.attention.head_count_kv", ["uint32", tiny.kvHeads]],
      ["lookahead.base.tokenizer_hash", ["text", tinyTokenizerHash]],
      ["lookahead.training.data", ["text", steps === 0 ? "none" : "passages"]],
      ["lookahead.training.steps", ["uint32", steps]],
      ["lookahead.training.length", ["uint32", steps === 0 ? 0 : 4096]],
      ["lookahead.training.date", ["text", "2026-11-29"]],
    ],
    tensors,
  };
}

/** A model that {@link tinyModule} fits. */
export function tinyBase(name = "Tiny Base"): Parts {
  const tensors: Tensor[] = [];
  for (let layer = 0; layer < tiny.layers; layer++) {
    for (const [linear, [inputs, outputs]] of Object.entries(linears)) {
      tensors.push({
        name: `blk.${layer}.${linear}.weight`,
        type: 1,
        dimensions: [inputs, outputs],
        data: Buffer.alloc(2 * inputs * outputs),
      });
    }
  }
  return {
    version: 3,
    metadata: [
      ["general.architecture", ["text", "llama"]],
      ["general.type", ["text", "model"]],
      ["general.name", ["text", name]],
      ["llama.context_length", ["uint32", 2048]],
      ["llama.block_count", ["uint32", tiny.layers]],
      ["llama.embedding_length", ["uint32", tiny.width]],
      ["llama.attention.head_count", ["uint32", tiny.heads]],
      ["llama.attention.head_count_kv", ["uint32", tiny.kvHeads]],
      ["llama.attention.key_length", ["uint32", tiny.headWidth]],
      ["tokenizer.ggml.model", ["text", "gpt2"]],
      ["tokenizer.ggml.pre", ["text", "smollm"]],
      ["tokenizer.ggml.tokens", ["list", tiny.vocabulary]],
      ["tokenizer.ggml.merges", ["list", ["t h e"]]],
    ],
    tensors,
  };
}

/** Gives a key another value, or takes it away. */
export function setKey(parts: Parts, key: string, value: Typed | undefined): void {
  const rest = parts.metadata.filter(([name]) => name !== key);
  parts.metadata = value === undefined ? rest : [...rest, [key, value]];
}

/** Changes one tensor; the sizes of the others stay. */
export function setTensor(parts: Parts, name: string, over: Partial<Tensor>): void {
  parts.tensors = parts.tensors.map((tensor) => (tensor.name === name ? { ...tensor, ...over } : tensor));
}
