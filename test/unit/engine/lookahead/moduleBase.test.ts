import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBaseFacts, readHeader } from "../../../../electron/engine/llama/gguf.ts";
import { checkBase, readLookaheadModule } from "../../../../electron/engine/lookahead/module.ts";
import { type Parts, partsBytes, setKey, setTensor, tiny, tinyBase, tinyModule } from "./moduleFile.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight “base” "));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(parts: Parts, name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, partsBytes(parts));
  return path;
}

describe("the base of a module", () => {
  const check = async (change: (base: Parts) => void) => {
    const base = tinyBase();
    change(base);
    const path = await write(base, "base.gguf");
    checkBase(await readLookaheadModule(await write(tinyModule(), "a module.gguf")), await readHeader(path), await readBaseFacts(path));
  };

  it("fits, by whatever name it goes", async () => {
    await expect(check(() => undefined)).resolves.toBeUndefined();
    await expect(check((base) => setKey(base, "general.name", ["text", "Another Name"]))).resolves.toBeUndefined();
  });

  it.each<[string, RegExp, (base: Parts) => void]>([
    [
      "kind",
      /the kind of model/,
      (base) => {
        base.metadata = base.metadata.map(([key, value]) => [key.replace("llama.", "qwen2."), value]);
        setKey(base, "general.architecture", ["text", "qwen2"]);
      },
    ],
    ["number of layers", /the number of layers/, (base) => setKey(base, "llama.block_count", ["uint32", 4])],
    ["width", /the width of the embeddings/, (base) => setKey(base, "llama.embedding_length", ["uint32", 32])],
    ["number of heads", /the number of attention heads/, (base) => setKey(base, "llama.attention.head_count", ["uint32", 2])],
    ["number of KV heads", /the number of key-value heads/, (base) => setKey(base, "llama.attention.head_count_kv", ["uint32", 4])],
    ["vocabulary", /the tokenizer/, (base) => setKey(base, "tokenizer.ggml.tokens", ["list", [...tiny.vocabulary.slice(0, -1), "c"]])],
    ["list of merges", /the tokenizer/, (base) => setKey(base, "tokenizer.ggml.merges", undefined)],
    ["way of cutting texts", /the tokenizer/, (base) => setKey(base, "tokenizer.ggml.pre", ["text", "qwen2"])],
    [
      "feed-forward width",
      /the size of blk\.1\.ffn_up\.weight/,
      (base) => setTensor(base, "blk.1.ffn_up.weight", { dimensions: [16, 32], data: Buffer.alloc(16 * 32 * 2) }),
    ],
    [
      "set of tensors",
      /the size of blk\.0\.attn_k\.weight/,
      (base) => setTensor(base, "blk.0.attn_k.weight", { name: "blk.0.attn_qkv.weight" }),
    ],
  ])("is refused with another %s, naming both models", async (_what, fact, change) => {
    const error: unknown = await check((base) => {
      setKey(base, "general.name", ["text", "Other Model"]);
      change(base);
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "LongsightError", code: "module-mismatch", message: expect.stringMatching(fact) });
    expect(error).toMatchObject({
      message: expect.stringMatching(/“a module\.gguf” was made for “Tiny Base”; the loaded model is “Other Model”/),
    });
  });
});
