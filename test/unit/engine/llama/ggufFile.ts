/** A metadata value as a GGUF holds it; numbers are written as u32, bigints as u64. */
export type GgufValue = string | number | bigint | boolean | readonly number[];

/** A tensor of f32 zeros. */
export type GgufTensor = { readonly name: string; readonly dimensions: readonly number[] };

const valueTypes = { uint32: 4, boolean: 7, string: 8, array: 9, uint64: 10 };

/** The bytes of a small GGUF file, version 3. */
export function ggufBytes(metadata: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  const alignment = 32;
  const align = (size: number) => Math.ceil(size / alignment) * alignment;
  const sizes = tensors.map(({ dimensions }) => align(4 * dimensions.reduce((product, dimension) => product * dimension, 1)));
  let offset = 0;
  const infos = tensors.map(({ name, dimensions }, index) => {
    const info = [string(name), uint32(dimensions.length), ...dimensions.map((dimension) => uint64(BigInt(dimension)))];
    info.push(uint32(0), uint64(BigInt(offset)));
    offset += sizes[index] ?? 0;
    return Buffer.concat(info);
  });
  const pairs = Object.entries(metadata).map(([key, value]) => Buffer.concat([string(key), typed(value)]));
  const header = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(BigInt(tensors.length)),
    uint64(BigInt(pairs.length)),
    ...pairs,
    ...infos,
  ]);
  return Buffer.concat([header, Buffer.alloc(align(header.length) - header.length + offset)]);
}

function typed(value: GgufValue): Buffer {
  if (typeof value === "string") return Buffer.concat([uint32(valueTypes.string), string(value)]);
  if (typeof value === "number") return Buffer.concat([uint32(valueTypes.uint32), uint32(value)]);
  if (typeof value === "bigint") return Buffer.concat([uint32(valueTypes.uint64), uint64(value)]);
  if (typeof value === "boolean") return Buffer.concat([uint32(valueTypes.boolean), Buffer.of(value ? 1 : 0)]);
  return Buffer.concat([uint32(valueTypes.array), uint32(valueTypes.uint32), uint64(BigInt(value.length)), ...value.map(uint32)]);
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text, "utf8");
  return Buffer.concat([uint64(BigInt(bytes.length)), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

/** Metadata of a tiny text model that Longsight can run; fields can be replaced, or left out with `undefined`. */
export function tinyModel(over: Readonly<Record<string, GgufValue | undefined>> = {}): Record<string, GgufValue> {
  const metadata: Record<string, GgufValue | undefined> = {
    "general.architecture": "llama",
    "general.type": "model",
    "general.name": "Tiny Model",
    "general.file_type": 7,
    "llama.context_length": 2048,
    "llama.block_count": 4,
    "llama.embedding_length": 96,
    "llama.attention.head_count": 6,
    "llama.attention.head_count_kv": 2,
    "tokenizer.chat_template": "{{ messages }}",
    ...over,
  };
  return Object.fromEntries(Object.entries(metadata).filter((entry): entry is [string, GgufValue] => entry[1] !== undefined));
}

/** Two tensors, so that one lies behind the other. */
export const tinyTensors: readonly GgufTensor[] = [
  { name: "token_embd.weight", dimensions: [96, 10] },
  { name: "output.weight", dimensions: [96, 10] },
];
