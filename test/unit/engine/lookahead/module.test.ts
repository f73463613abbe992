import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LongsightError } from "../../../../electron/contract/errors.ts";
import { readLookaheadModule } from "../../../../electron/engine/lookahead/module.ts";
import {
  floats,
  halves,
  numbers,
  type Parts,
  partsBytes,
  setKey,
  setTensor,
  type Typed,
  tinyBase,
  tinyModule,
  tinyTokenizerHash,
} from "./moduleFile.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight it's “modules” "));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(bytes: Uint8Array | string, name = "a module.gguf"): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

const read = async (parts: Parts) => readLookaheadModule(await write(partsBytes(parts)));

describe("a sound module", () => {
  it("is read as it stands in the file", async () => {
    const module = await read(tinyModule({ steps: 1200 }));
    expect(module).toMatchObject({
      path: join(folder, "a module.gguf"),
      name: "A tiny module",
      tokens: 3,
      poolKernel: 7,
      alpha: 32,
      rank: 2,
      trained: true,
      base: {
        architecture: "llama",
        name: "Tiny Base",
        layers: 3,
        embeddingWidth: 16,
        attentionHeads: 4,
        kvHeads: 2,
        tokenizerHash: tinyTokenizerHash,
      },
      training: { data: "passages", steps: 1200, length: 4096, date: "2026-11-29" },
    });
    expect(module.embeddings).toEqual(Float32Array.from(numbers(3 * 16)));
  });

  it("is untrained where it took no step", async () => {
    expect(await read(tinyModule())).toMatchObject({ trained: false, training: { data: "none", steps: 0, length: 0 } });
  });

  it("may hold its embeddings in half precision", async () => {
    expect((await read(tinyModule({ half: true }))).embeddings).toEqual(Float32Array.from(numbers(3 * 16)));
  });

  it("may hold its tensors in any order, and keys that Longsight does not know", async () => {
    const parts = tinyModule();
    parts.tensors.reverse();
    setKey(parts, "general.license", ["text", "mit"]);
    setKey(parts, "lookahead.training.loss", ["float64", 0.2]);
    setKey(parts, "someone.else", ["list", ["a", "b"]]);
    expect((await read(parts)).embeddings).toEqual(Float32Array.from(numbers(3 * 16)));
  });
});

/** Every key with a value of another type, of which llama.cpp would make an assertion or a wrong number. */
const otherTypes: Record<string, Typed> = {
  "general.architecture": ["uint32", 1],
  "general.type": ["list", ["adapter"]],
  "general.name": ["uint32", 1],
  "adapter.type": ["boolean", true],
  "adapter.lora.alpha": ["float64", 32],
  "lookahead.version": ["uint64", 1n],
  "lookahead.n_tokens": ["int32", 3],
  "lookahead.pool_kernel": ["uint8", 7],
  "lookahead.base.architecture": ["list", ["llama"]],
  "lookahead.base.name": ["uint32", 1],
  "lookahead.base.block_count": ["float32", 3],
  "lookahead.base.embedding_length": ["uint64", 16n],
  "lookahead.base.attention.head_count": ["text", "4"],
  "lookahead.base.attention.head_count_kv": ["int32", 2],
  "lookahead.base.tokenizer_hash": ["list", [tinyTokenizerHash]],
  "lookahead.training.data": ["boolean", false],
  "lookahead.training.steps": ["float32", 0],
  "lookahead.training.length": ["uint64", 0n],
  "lookahead.training.date": ["uint32", 20_261_129],
};

async function expectInvalid(parts: Parts, detail?: RegExp): Promise<void> {
  const error: unknown = await read(parts).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(LongsightError);
  expect(error).toMatchObject({
    code: "module-invalid",
    message: expect.stringMatching(/“a module\.gguf” cannot be used as a lookahead module.*Get or make it again/),
    ...(detail === undefined ? {} : { detail: expect.stringMatching(detail) }),
  });
}

describe("a module is refused", () => {
  it.each(Object.entries(otherTypes))("with %s of another type", async (key, value) => {
    const parts = tinyModule();
    setKey(parts, key, value);
    // A file whose general.type is no text is no module at all.
    await expectInvalid(parts, key === "general.type" ? undefined : new RegExp(`${key.replaceAll(".", "\\.")} is of the type`));
  });

  it.each(Object.keys(otherTypes))("without %s", async (key) => {
    const parts = tinyModule();
    setKey(parts, key, undefined);
    await expectInvalid(parts);
  });

  it.each<[string, string, Typed, RegExp?]>([
    ["the type of a model", "general.type", ["text", "model"]],
    ["another kind of adapter", "adapter.type", ["text", "control_vector"]],
    ["two architectures", "general.architecture", ["text", "qwen2"]],
    ["no name", "general.name", ["text", ""]],
    ["a name that moves a terminal's cursor", "lookahead.base.name", ["text", "\u001b[2J"]],
    ["a name without end", "lookahead.base.name", ["text", "x".repeat(1001)]],
    ["an alpha of 0", "adapter.lora.alpha", ["float32", 0]],
    ["an alpha below 0", "adapter.lora.alpha", ["float32", -32]],
    ["an infinite alpha", "adapter.lora.alpha", ["float32", Number.POSITIVE_INFINITY]],
    ["an alpha that is no number", "adapter.lora.alpha", ["float32", Number.NaN]],
    ["the version after", "lookahead.version", ["uint32", 2]],
    ["no tokens", "lookahead.n_tokens", ["uint32", 0]],
    ["more tokens than rows", "lookahead.n_tokens", ["uint32", 4], /^lookahead\.embeddings is 16 × 3/],
    ["four thousand million tokens", "lookahead.n_tokens", ["uint32", 0xffff_ffff]],
    ["an even pool kernel", "lookahead.pool_kernel", ["uint32", 8]],
    ["a pool kernel of 0", "lookahead.pool_kernel", ["uint32", 0]],
    ["no layers", "lookahead.base.block_count", ["uint32", 0]],
    ["fewer layers", "lookahead.base.block_count", ["uint32", 2], /blk\.1\.attn_output\.weight\.lora_a has no place/],
    ["more layers", "lookahead.base.block_count", ["uint32", 4], /blk\.2\.attn_output\.weight\.lora_a is missing/],
    ["four thousand million layers", "lookahead.base.block_count", ["uint32", 0xffff_ffff]],
    ["another width", "lookahead.base.embedding_length", ["uint32", 32], /^lookahead\.embeddings is 16 × 3/],
    ["heads that do not divide", "lookahead.base.attention.head_count", ["uint32", 5], /attn_q in layer 0/],
    ["no heads", "lookahead.base.attention.head_count", ["uint32", 0]],
    ["other KV heads", "lookahead.base.attention.head_count_kv", ["uint32", 1], /attn_k in layer 0/],
    ["more KV heads than heads", "lookahead.base.attention.head_count_kv", ["uint32", 8]],
    ["a hash in capitals", "lookahead.base.tokenizer_hash", ["text", tinyTokenizerHash.toUpperCase()]],
    ["half a hash", "lookahead.base.tokenizer_hash", ["text", tinyTokenizerHash.slice(0, 32)]],
    ["a date that is none", "lookahead.training.date", ["text", "2026-13-41"]],
    ["a day in words", "lookahead.training.date", ["text", "yesterday"]],
    ["a sequence that switches the LoRA on", "adapter.alora.invocation_tokens", ["list", ["a"]]],
    ["a task of its own", "adapter.lora.task_name", ["text", "classify"]],
    ["an alignment", "general.alignment", ["uint32", 64]],
    ["a general key that is no text", "general.file_type", ["uint32", 1]],
  ])("with %s", async (_what, key, value, detail = new RegExp(key.replaceAll(".", "\\."))) => {
    const parts = tinyModule();
    setKey(parts, key, value);
    await expectInvalid(parts, detail);
  });

  const q = "blk.1.attn_q.weight";
  it.each<[string, RegExp, (parts: Parts) => void]>([
    ["GGUF version 2", /GGUF version 2/, (parts) => Object.assign(parts, { version: 2 })],
    ["a key twice", /lookahead\.n_tokens is there twice/, (parts) => parts.metadata.push(["lookahead.n_tokens", ["uint32", 3]])],
    ["no embeddings", /lookahead\.embeddings is missing/, (parts) => parts.tensors.shift()],
    [
      "a LoRA without its first half",
      /blk\.1\.attn_q\.weight\.lora_a is missing/,
      (parts) => Object.assign(parts, { tensors: parts.tensors.filter(({ name }) => name !== `${q}.lora_a`) }),
    ],
    [
      "a LoRA without its second half",
      /blk\.1\.attn_q\.weight\.lora_b is missing/,
      (parts) => Object.assign(parts, { tensors: parts.tensors.filter(({ name }) => name !== `${q}.lora_b`) }),
    ],
    [
      "a layer without LoRA",
      /blk\.1\.attn_q\.weight\.lora_a is missing/,
      (parts) => Object.assign(parts, { tensors: parts.tensors.filter(({ name }) => !name.startsWith(q)) }),
    ],
    ["a tensor twice", /blk\.0\.attn_q\.weight\.lora_a is there twice/, (parts) => parts.tensors.push(...parts.tensors.slice(1, 2))],
    [
      "a tensor of another kind",
      /attn_norm\.weight has no place/,
      (parts) => parts.tensors.push({ name: "blk.0.attn_norm.weight", type: 0, dimensions: [16, 1], data: floats(numbers(16)) }),
    ],
    [
      "a LoRA on the last layer's output",
      /blk\.2\.attn_output\.weight\.lora_a has no place/,
      (parts) => parts.tensors.push({ name: "blk.2.attn_output.weight.lora_a", type: 1, dimensions: [32, 2], data: halves(numbers(64)) }),
    ],
    [
      "a LoRA on the vocabulary",
      /token_embd\.weight\.lora_a has no place/,
      (parts) => parts.tensors.push({ name: "token_embd.weight.lora_a", type: 1, dimensions: [2, 5], data: halves(numbers(10)) }),
    ],
    [
      "halves of different rank",
      /a LoRA of rank 1 and 2/,
      (parts) => setTensor(parts, `${q}.lora_a`, { dimensions: [16, 1], data: halves(numbers(16)) }),
    ],
    [
      "a LoRA of another rank",
      /a LoRA of rank 1 and 1/,
      (parts) => {
        setTensor(parts, `${q}.lora_a`, { dimensions: [16, 1], data: halves(numbers(16)) });
        setTensor(parts, `${q}.lora_b`, { dimensions: [1, 32], data: floats(numbers(32)) });
      },
    ],
    ["other inputs", /attn_q in layer 1/, (parts) => setTensor(parts, `${q}.lora_a`, { dimensions: [8, 2], data: halves(numbers(16)) })],
    ["other outputs", /attn_k in layer 1/, (parts) => setTensor(parts, `${q}.lora_b`, { dimensions: [2, 28], data: floats(numbers(56)) })],
    [
      "a feed-forward that does not fit itself",
      /ffn_up in layer 0/,
      (parts) => setTensor(parts, "blk.0.ffn_up.weight.lora_b", { dimensions: [2, 32], data: floats(numbers(64)) }),
    ],
    [
      "embeddings the wrong way round",
      /lookahead\.embeddings is 3 × 16/,
      (parts) => setTensor(parts, "lookahead.embeddings", { dimensions: [3, 16] }),
    ],
    [
      "embeddings in one dimension",
      /lookahead\.embeddings is 48/,
      (parts) => setTensor(parts, "lookahead.embeddings", { dimensions: [48] }),
    ],
    [
      "embeddings in three dimensions",
      /lookahead\.embeddings is 16 × 3 × 1/,
      (parts) => setTensor(parts, "lookahead.embeddings", { dimensions: [16, 3, 1] }),
    ],
    [
      "embeddings without rows",
      /lookahead\.embeddings is 16 × 0/,
      (parts) => setTensor(parts, "lookahead.embeddings", { dimensions: [16, 0] }),
    ],
    [
      "embeddings without end",
      /lookahead\.embeddings is 4503599627370496/,
      (parts) => setTensor(parts, "lookahead.embeddings", { dimensions: [2 ** 52, 2 ** 52] }),
    ],
    ["quantised embeddings", /ggml's type 8/, (parts) => setTensor(parts, "lookahead.embeddings", { type: 8 })],
    ["a tensor of a type that there is not", /ggml's type 4294967295/, (parts) => setTensor(parts, `${q}.lora_b`, { type: 0xffff_ffff })],
    ["a tensor behind the end", /lies at 1099511627776/, (parts) => setTensor(parts, `${q}.lora_b`, { offset: 2 ** 40 })],
    ["a tensor on top of another", /lies at 0 instead/, (parts) => setTensor(parts, `${q}.lora_b`, { offset: 0 })],
    [
      "a gap between tensors",
      /lies at \d+ instead/,
      (parts) => setTensor(parts, `${q}.lora_b`, { offset: (parts.tensors.length + 1) * 32 }),
    ],
    [
      "an embedding that is no number",
      /lookahead\.embeddings holds/,
      (parts) => setTensor(parts, "lookahead.embeddings", { data: floats([...numbers(47), Number.NaN]) }),
    ],
    [
      "an infinite embedding",
      /lookahead\.embeddings holds/,
      (parts) => setTensor(parts, "lookahead.embeddings", { data: floats([Number.NEGATIVE_INFINITY, ...numbers(47)]) }),
    ],
    [
      "an infinite embedding in half precision",
      /lookahead\.embeddings holds/,
      (parts) => {
        const bytes = halves(numbers(48));
        bytes.writeUInt16LE(0x7c00, 20);
        setTensor(parts, "lookahead.embeddings", { type: 1, data: bytes });
      },
    ],
    [
      "a LoRA that is no number",
      /blk\.1\.attn_q\.weight\.lora_a holds/,
      (parts) => setTensor(parts, `${q}.lora_a`, { data: Buffer.alloc(64, 0xff) }),
    ],
  ])("with %s", async (_what, detail, change) => {
    const parts = tinyModule();
    change(parts);
    await expectInvalid(parts, detail);
  });

  it("when it is another kind of file", async () => {
    const plain = tinyModule();
    plain.metadata = plain.metadata.filter(([key]) => !key.startsWith("lookahead."));
    const model = partsBytes(tinyBase());
    for (const bytes of ["", "GGUF", "Dear reader", "<!doctype html>", model, partsBytes(plain), Buffer.alloc(4096)]) {
      await expect(readLookaheadModule(await write(bytes))).rejects.toMatchObject({ code: "module-invalid" });
    }
    await expect(readLookaheadModule(join(folder, "gone.gguf"))).rejects.toMatchObject({
      code: "module-invalid",
      message: expect.stringMatching(/“gone\.gguf”.*not found/),
    });
    await mkdir(join(folder, "folder.gguf"), { recursive: true });
    await expect(readLookaheadModule(join(folder, "folder.gguf"))).rejects.toMatchObject({ message: expect.stringMatching(/not a file/) });
  });

  it("when it was cut, wherever", async () => {
    const bytes = partsBytes(tinyModule());
    for (let length = 0; length < bytes.length; length += 41) {
      await expect(readLookaheadModule(await write(bytes.subarray(0, length))), `cut at ${length}`).rejects.toMatchObject({
        code: "module-invalid",
      });
    }
    // The last tensor fills its 32 bytes: one byte less is too few.
    await expect(readLookaheadModule(await write(bytes.subarray(0, -1)))).rejects.toMatchObject({
      detail: expect.stringMatching(/incomplete/),
    });
    await expect(readLookaheadModule(await write(bytes))).resolves.toMatchObject({ tokens: 3 });
  });

  it("or read, and nothing else, whatever bytes are changed in it", async () => {
    const bytes = partsBytes(tinyModule());
    const dataBytes = tinyModule().tensors.reduce((sum, { data }) => sum + Math.ceil(data.length / 32) * 32, 0);
    const random = lehmer(20_261_129);
    const outcomes = { read: 0, refused: 0 };
    for (let round = 0; round < 500; round++) {
      // Mostly in the header, where lengths, counts and types are.
      const within = round % 4 === 0 ? bytes.length : bytes.length - dataBytes;
      const changed = Buffer.from(round % 10 === 9 ? bytes.subarray(0, random(bytes.length)) : bytes);
      const flips = round % 3 === 0 ? 1 : 1 + random(8);
      for (let flip = 0; flip < flips && changed.length > 0; flip++) changed[random(within) % changed.length] = random(256);
      const path = await write(changed, "changed.gguf");
      const outcome: unknown = await readLookaheadModule(path).catch((thrown: unknown) => thrown);
      if (outcome instanceof Error) {
        expect(outcome, `round ${round}`).toMatchObject({ name: "LongsightError", code: "module-invalid" });
        outcomes.refused += 1;
      } else {
        expect(outcome).toMatchObject({ rank: 2, tokens: 3, embeddings: expect.any(Float32Array) });
        outcomes.read += 1;
      }
    }
    // Neither all nor none: else the changes would not be such as to tell anything.
    expect(outcomes.refused).toBeGreaterThan(300);
    expect(outcomes.read).toBeGreaterThan(20);
  }, 60_000);
});

/** A small generator: the same numbers on every run. */
function lehmer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
}
