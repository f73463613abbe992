import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRawHeader } from "../../../../electron/engine/llama/ggufHeader.ts";
import { type Parts, partsBytes, setKey, setTensor, type Typed, tinyBase, tinyTokenizerHash } from "../lookahead/moduleFile.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight header "));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function headerOf(parts: Parts) {
  const path = join(folder, "model.gguf");
  await writeFile(path, partsBytes(parts));
  return readRawHeader(path, { hashTokenizer: true });
}

function baseWith(over: Record<string, Typed | undefined>): Parts {
  const parts = tinyBase();
  for (const [key, value] of Object.entries(over)) setKey(parts, key, value);
  return parts;
}

describe("the tensors of a header", () => {
  it("are listed as they stand in the file", async () => {
    const { tensors, dataStart, types, version } = await headerOf(tinyBase());
    expect(tensors).toHaveLength(3 * 7);
    expect(tensors.slice(0, 2)).toEqual([
      { name: "blk.0.attn_q.weight", type: 1, dimensions: [16, 32], offset: 0 },
      { name: "blk.0.attn_k.weight", type: 1, dimensions: [16, 16], offset: 1024 },
    ]);
    const last = tensors.at(-1);
    expect(dataStart + (last?.offset ?? 0) + 2 * 24 * 16).toBe(partsBytes(tinyBase()).length);
    expect(version).toBe(3);
    expect(Object.fromEntries(types)).toMatchObject({
      "general.name": "text",
      "llama.block_count": "uint32",
      "tokenizer.ggml.tokens": "list",
    });
  });

  it.each<[string, (parts: Parts) => void, RegExp]>([
    ["five dimensions", (parts) => setTensor(parts, "blk.0.attn_q.weight", { dimensions: [1, 1, 1, 1, 1] }), /5 dimensions/],
    ["a key twice", (parts) => parts.metadata.push(["general.name", ["text", "Other"]]), /general\.name is there twice/],
  ])("or of a file with %s are not read", async (_what, change, message) => {
    const parts = tinyBase();
    change(parts);
    await expect(headerOf(parts)).rejects.toThrow(message);
  });
});

describe("the hash of a tokenizer", () => {
  it("follows its definition", async () => {
    expect((await headerOf(tinyBase())).tokenizerHash).toBe(tinyTokenizerHash);
  });

  it("is computed only when asked for", async () => {
    const path = join(folder, "model.gguf");
    await writeFile(path, partsBytes(tinyBase()));
    expect((await readRawHeader(path)).tokenizerHash).toBeUndefined();
  });

  it("takes what is missing as empty", async () => {
    const none = ["model", "pre", "tokens", "merges"].map((name) => [`tokenizer.ggml.${name}`, undefined] as const);
    const expected = createHash("sha256").update(Buffer.alloc(16)).digest("hex");
    expect((await headerOf(baseWith(Object.fromEntries(none)))).tokenizerHash).toBe(expected);
  });

  it("does not hang on how large its texts are", async () => {
    const tokens = [
      "a",
      "b".repeat(70_000),
      "",
      "c".repeat(65_532),
      "d".repeat(65_530),
      ...Array.from({ length: 30_000 }, (_, index) => `${index}`),
    ];
    const hash = createHash("sha256");
    const length = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
    for (const text of ["gpt2", "smollm"]) hash.update(length(text.length)).update(text);
    hash.update(length(tokens.length));
    for (const text of tokens) hash.update(length(text.length)).update(text);
    hash.update(length(0));
    const header = await headerOf(baseWith({ "tokenizer.ggml.tokens": ["list", tokens], "tokenizer.ggml.merges": undefined }));
    expect(header.tokenizerHash).toBe(hash.digest("hex"));
  });

  it.each<[string, Typed]>([
    ["tokenizer.ggml.model", ["uint32", 1]],
    ["tokenizer.ggml.pre", ["list", ["smollm"]]],
    ["tokenizer.ggml.tokens", ["text", "the"]],
  ])("is refused where %s is of another type", async (key, value) => {
    await expect(headerOf(baseWith({ [key]: value }))).rejects.toThrow(new RegExp(`${key} is no`));
  });
});
