import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { z } from "zod";
import { LongsightError } from "../../contract/errors.ts";
import type { KvType } from "../../contract/model.ts";
import { say } from "../../contract/said.ts";
import { batchTokens } from "./context.ts";
import { tensorBytes } from "./ggmlTypes.ts";
import { NoGguf, OtherVersion, type RawHeader, readRawHeader, type TensorInfo } from "./ggufHeader.ts";
import type { HeadBytes } from "./keptImage.ts";

/** What a GGUF's header says, as far as Longsight needs it. */
export type GgufHeader = {
  readonly path: string;
  readonly fileBytes: number;
  readonly name: string;
  readonly architecture: string;
  readonly trainedContextLength: number;
  readonly layers: number;
  readonly attentionHeads: number;
  readonly kvHeads: number;
  readonly embeddingWidth: number;
  readonly kvBytesPerToken: Record<KvType, number>;
  /** Bytes of one token's keys, and of its values, in one KV head; null where layers have different numbers of heads. */
  readonly headBytes: Record<KvType, HeadBytes> | null;
  /** Tokens of the sliding window; 0 where every layer sees everything. */
  readonly slidingWindow: number;
  /** Whether there are tensors of rope factors for long contexts (LongRoPE). */
  readonly longRope: boolean;
  readonly quantisation: string;
  readonly chatTemplate: string | null;
};

/** What a GGUF's header says about its tokenizer and its tensors, as far as a lookahead module has to fit them. */
export type BaseFacts = {
  /** SHA-256 in hexadecimal by which the tokenizer is known (see ggufHeader.ts). */
  readonly tokenizerHash: string;
  /** The tensors' dimensions in ggml's order, by their names. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
};

const count = z.union([z.number(), z.bigint()]).transform(Number).pipe(z.number().int().nonnegative());
const positive = count.pipe(z.number().positive());
const perLayer = z.union([count.transform((value) => [value]), z.array(count).nonempty()]);

const generalSchema = z.object({
  architecture: z.string().min(1),
  type: z.string().optional(),
  name: z.string().trim().optional().catch(undefined),
  file_type: count.optional().catch(undefined),
});

const architectureSchema = z.object({
  context_length: positive,
  /** llama.cpp takes 512 layers at most. */
  block_count: positive.pipe(z.number().max(512)),
  embedding_length: positive,
  "attention.head_count": perLayer.refine((heads) => Math.max(...heads) > 0, "no attention heads"),
  "attention.head_count_kv": perLayer.optional(),
  "attention.key_length": count.optional(),
  "attention.value_length": count.optional(),
  "attention.sliding_window": count.optional(),
});

/** Bytes of one element in each cache type: ggml's blocks of 32 take 34 bytes in q8_0 and 18 in q4_0. */
const elementBytes: Record<KvType, number> = { f16: 2, q8_0: 34 / 32, q4_0: 18 / 32 };

/** llama.cpp's llama_ftype numbers. */
const fileTypes: Record<number, string> = {
  0: "F32",
  1: "F16",
  2: "Q4_0",
  3: "Q4_1",
  7: "Q8_0",
  8: "Q5_0",
  9: "Q5_1",
  10: "Q2_K",
  11: "Q3_K_S",
  12: "Q3_K_M",
  13: "Q3_K_L",
  14: "Q4_K_S",
  15: "Q4_K_M",
  16: "Q5_K_S",
  17: "Q5_K_M",
  18: "Q6_K",
  32: "BF16",
};

/**
 * Reads a GGUF's header. Nothing is loaded.
 * @throws LongsightError `model-missing`, `model-invalid` or `model-unsupported`, naming the file
 */
export async function readHeader(path: string): Promise<GgufHeader> {
  const name = basename(path);
  const file = await stat(path).catch(() => null);
  if (file === null) throw new LongsightError("model-missing", say("modelFileMissing", { file: name }), path);
  if (!file.isFile()) throw new LongsightError("model-invalid", say("modelNoFile", { file: name }), path);
  if (file.size === 0) throw new LongsightError("model-invalid", say("modelFileEmpty", { file: name }), path);

  const { metadata, tensors, dataStart } = await readRawHeader(path).catch(incomplete(name));
  refuseSplit(name, metadata);
  const general = generalSchema.safeParse(section(metadata, "general"));
  if (!general.success) throw new LongsightError("model-invalid", say("modelUnnamed", { file: name }), general.error.message);
  const { architecture, type } = general.data;
  if (type !== undefined && type !== "model") {
    throw new LongsightError("model-unsupported", say("modelIsPart", { file: name, kind: type }));
  }
  const parsed = architectureSchema.safeParse(section(metadata, architecture));
  if (!parsed.success) {
    throw new LongsightError("model-unsupported", say("modelKindUnread", { file: name, kind: architecture }), parsed.error.message);
  }
  const needed = tensors.reduce((end, tensor) => Math.max(end, dataStart + endOf(tensor)), dataStart);
  if (tensors.length === 0 || needed > file.size) {
    throw new LongsightError(
      "model-invalid",
      say("modelCutOff", { file: name }),
      `${path}: ${file.size} bytes, at least ${needed} are needed for ${tensors.length} tensors`,
    );
  }
  const template = metadata.get("tokenizer.chat_template");
  return {
    path,
    fileBytes: file.size,
    ...describe(name, general.data, parsed.data),
    longRope: tensors.some((tensor) => tensor.name.startsWith("rope_factors_long")),
    chatTemplate: typeof template === "string" && template !== "" ? template : null,
  };
}

/**
 * What a lookahead module must fit besides the header's own figures. Reads the whole header: some 0.2 s for a large vocabulary.
 * @throws LongsightError `model-invalid`, naming the file
 */
export async function readBaseFacts(path: string): Promise<BaseFacts> {
  const name = basename(path);
  const { tensors, tokenizerHash } = await readRawHeader(path, { hashTokenizer: true }).catch(incomplete(name));
  return { tokenizerHash: tokenizerHash ?? "", shapes: new Map(tensors.map((tensor) => [tensor.name, tensor.dimensions])) };
}

/**
 * What of a context's length decides what keys, or the state of windows, are: LongRoPE takes other factors in a longer context, and short
 * contexts have smaller windows.
 * @returns null where nothing does
 */
export function decisiveContext({ longRope, slidingWindow }: GgufHeader, contextLength: number): number | null {
  if (longRope) return contextLength;
  return slidingWindow === 0 ? null : Math.min(contextLength, slidingWindow + batchTokens);
}

/** Where a tensor ends, in bytes from the first one's begin; of a type that is not known here, at least one byte. */
function endOf({ type, dimensions, offset }: TensorInfo): number {
  return offset + (tensorBytes(type, dimensions) ?? 1);
}

/** A model may be cut into several files (llama.cpp's gguf-split); what is hashed, measured and kept here is one. */
function refuseSplit(name: string, metadata: RawHeader["metadata"]): void {
  const parts = count.safeParse(metadata.get("split.count"));
  if (!parts.success || parts.data < 2) return;
  throw new LongsightError("model-unsupported", say("modelIsSplit", { file: name, parts: parts.data }));
}

/** Turns what the header's reader says into an error for people. */
const incomplete = (name: string) => (error: unknown) => {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof NoGguf) {
    const { holds } = error;
    const message = holds === null ? say("noGguf", { file: name }) : say("noGgufHolds", { file: name, content: holds });
    throw new LongsightError("model-invalid", message, detail);
  }
  if (error instanceof OtherVersion) {
    throw new LongsightError("model-unsupported", say("ggufOtherVersion", { file: name }), detail);
  }
  throw new LongsightError("model-invalid", say("ggufIncomplete", { file: name }), detail);
};

/** The metadata below `prefix`, without it. */
function section(metadata: RawHeader["metadata"], prefix: string): Record<string, unknown> {
  const inside = [...metadata].filter(([key]) => key.startsWith(`${prefix}.`));
  return Object.fromEntries(inside.map(([key, value]) => [key.slice(prefix.length + 1), value]));
}

function describe(fileName: string, general: z.output<typeof generalSchema>, model: z.output<typeof architectureSchema>) {
  const heads = Math.max(...model["attention.head_count"]);
  const kvHeads = model["attention.head_count_kv"] ?? model["attention.head_count"];
  const width = model.embedding_length / heads;
  const keyWidth = model["attention.key_length"] ?? width;
  const valueWidth = model["attention.value_length"] ?? width;
  const headBytesIn = (kvType: KvType) => ({ keys: keyWidth * elementBytes[kvType], values: valueWidth * elementBytes[kvType] });
  let elements = 0;
  for (let layer = 0; layer < model.block_count; layer++) {
    elements += (kvHeads[kvHeads.length === 1 ? 0 : layer] ?? 0) * (keyWidth + valueWidth);
  }
  return {
    name: general.name || fileName.replace(/\.gguf$/i, ""),
    architecture: general.architecture,
    trainedContextLength: model.context_length,
    layers: model.block_count,
    attentionHeads: heads,
    kvHeads: Math.max(...kvHeads),
    embeddingWidth: model.embedding_length,
    kvBytesPerToken: {
      f16: elements * elementBytes.f16,
      q8_0: elements * elementBytes.q8_0,
      q4_0: elements * elementBytes.q4_0,
    },
    headBytes: kvHeads.some((heads) => heads !== kvHeads[0])
      ? null
      : { f16: headBytesIn("f16"), q8_0: headBytesIn("q8_0"), q4_0: headBytesIn("q4_0") },
    slidingWindow: model["attention.sliding_window"] ?? 0,
    quantisation: general.file_type === undefined ? "unknown" : (fileTypes[general.file_type] ?? `type ${general.file_type}`),
  };
}
