import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { batchTokens } from "../../../../electron/engine/llama/context.ts";
import { decisiveContext, readHeader } from "../../../../electron/engine/llama/gguf.ts";
import { type GgufValue, ggufBytes, tinyModel, tinyTensors } from "./ggufFile.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight it's “models” "));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(bytes: Uint8Array | string, name = "a model.gguf"): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

async function headerOf(over: Readonly<Record<string, GgufValue | undefined>>) {
  return readHeader(await write(ggufBytes(tinyModel(over), tinyTensors)));
}

/** The problem must have this code and a sentence that names the file. */
async function expectProblem(path: string, code: string, message: RegExp): Promise<void> {
  await expect(readHeader(path)).rejects.toMatchObject({ name: "LongsightError", code, message: expect.stringMatching(message) });
  await expect(readHeader(path)).rejects.toMatchObject({ message: expect.stringContaining(path.slice(path.lastIndexOf("/") + 1)) });
}

describe("a model's header", () => {
  it("is read as it stands in the file", async () => {
    const bytes = ggufBytes(tinyModel(), tinyTensors);
    const path = await write(bytes);
    expect(await readHeader(path)).toEqual({
      path,
      fileBytes: bytes.length,
      name: "Tiny Model",
      architecture: "llama",
      trainedContextLength: 2048,
      layers: 4,
      attentionHeads: 6,
      kvHeads: 2,
      embeddingWidth: 96,
      // 4 layers, 2 KV heads, keys and values of 16 each
      kvBytesPerToken: { f16: 4 * 2 * 32 * 2, q8_0: 4 * 2 * 32 * (34 / 32), q4_0: 4 * 2 * 32 * (18 / 32) },
      headBytes: { f16: { keys: 32, values: 32 }, q8_0: { keys: 17, values: 17 }, q4_0: { keys: 9, values: 9 } },
      slidingWindow: 0,
      longRope: false,
      quantisation: "Q8_0",
      chatTemplate: "{{ messages }}",
    });
  });

  it("counts the cache of the models whose sizes are known", async () => {
    const smol = await headerOf({
      "llama.block_count": 30,
      "llama.embedding_length": 576,
      "llama.attention.head_count": 9,
      "llama.attention.head_count_kv": 3,
    });
    expect(smol.kvBytesPerToken.f16).toBe(23_040);
    const qwen = await headerOf({
      "general.architecture": "qwen2",
      "qwen2.context_length": 32_768,
      "qwen2.block_count": 24,
      "qwen2.embedding_length": 896,
      "qwen2.attention.head_count": 14,
      "qwen2.attention.head_count_kv": 2,
    });
    expect(qwen).toMatchObject({ architecture: "qwen2", trainedContextLength: 32_768, kvBytesPerToken: { f16: 12_288 } });
  });

  it("takes key and value sizes, windows and heads that differ by layer where the file gives them", async () => {
    const header = await headerOf({
      "llama.attention.key_length": 64,
      "llama.attention.value_length": 32,
      "llama.attention.sliding_window": 512,
      "llama.attention.head_count": [6, 6, 4, 4],
      "llama.attention.head_count_kv": [1, 2, 0, 4],
    });
    expect(header).toMatchObject({ attentionHeads: 6, kvHeads: 4, slidingWindow: 512 });
    expect(header.kvBytesPerToken.f16).toBe((1 + 2 + 0 + 4) * (64 + 32) * 2);
  });

  it("says what of a context's length its keys and windows depend on", async () => {
    expect(decisiveContext(await headerOf({}), 4096)).toBeNull();
    const windows = await headerOf({ "llama.attention.sliding_window": 512 });
    expect([decisiveContext(windows, 4096), decisiveContext(windows, 256)]).toEqual([512 + batchTokens, 256]);
    const factors = [...tinyTensors, ...tinyTensors.slice(0, 1).map((tensor) => ({ ...tensor, name: "rope_factors_long.weight" }))];
    const longRope = await readHeader(await write(ggufBytes(tinyModel(), factors)));
    expect(longRope.longRope).toBe(true);
    expect(decisiveContext(longRope, 4096)).toBe(4096);
  });

  it("has as many KV heads as heads where the file does not say", async () => {
    expect(await headerOf({ "llama.attention.head_count_kv": undefined })).toMatchObject({ kvHeads: 6 });
  });

  it("is read to its end, however large the vocabulary in it", async () => {
    const metadata: Record<string, GgufValue> = {
      "tokenizer.ggml.token_type": Array.from({ length: 300_000 }, (_, index) => index % 7),
      "tokenizer.ggml.merges": "x".repeat(2_500_000),
      ...tinyModel(),
    };
    const header = await readHeader(await write(ggufBytes(metadata, tinyTensors)));
    expect(header).toMatchObject({ name: "Tiny Model", layers: 4, chatTemplate: "{{ messages }}" });
  });

  it("takes numbers of 64 bits", async () => {
    expect(await headerOf({ "llama.context_length": 131_072n })).toMatchObject({ trainedContextLength: 131_072 });
  });

  it.each([undefined, "", "  "])("is named by its file where the name is %j", async (name) => {
    expect(await headerOf({ "general.name": name })).toMatchObject({ name: "a model" });
  });

  it("says which quantisation it does not know, and knows when there is no template", async () => {
    expect(await headerOf({ "general.file_type": 99, "tokenizer.chat_template": undefined })).toMatchObject({
      quantisation: "type 99",
      chatTemplate: null,
    });
    expect(await headerOf({ "general.file_type": undefined, "general.type": undefined })).toMatchObject({ quantisation: "unknown" });
  });
});

describe("a file that is no complete model", () => {
  it("is missing, or a folder", async () => {
    await expectProblem(join(folder, "gone.gguf"), "model-missing", /not found/);
    await mkdir(join(folder, "folder.gguf"));
    await expectProblem(join(folder, "folder.gguf"), "model-invalid", /not a file/);
  });

  it("is empty", async () => {
    await expectProblem(await write(""), "model-invalid", /empty/);
  });

  it.each([
    ["a renamed text", "Dear reader, this is not a model.\n".repeat(100), /not a GGUF file.*Choose/],
    ["a renamed web page", "<!doctype html><title>404</title>", /not a GGUF file.*a web page/],
    ["a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", /not a GGUF file.*Git LFS/],
    ["an archive", Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(64)]), /not a GGUF file.*archive/],
    ["safetensors", Buffer.concat([Buffer.alloc(8, 1), Buffer.from('{"__metadata__":{}}')]), /not a GGUF file.*safetensors/],
    ["a model from before GGUF", Buffer.concat([Buffer.from("tjgg"), Buffer.alloc(64)]), /not a GGUF file.*before GGUF/],
    ["the wrong four letters and zeros", Buffer.concat([Buffer.from("FUGG"), Buffer.alloc(4096)]), /not a GGUF file/],
    ["zeros", Buffer.alloc(4096), /not a GGUF file/],
    ["the format's name", "GGUF", /not a complete GGUF/],
    ["less than the format's name", "GG", /not a complete GGUF/],
  ])("is %s", async (_what, bytes, message) => {
    await expectProblem(await write(bytes), "model-invalid", message);
  });

  it("is of a version that nobody writes any more", async () => {
    const bytes = Buffer.concat([Buffer.from("GGUF"), Buffer.from([1, 0, 0, 0]), Buffer.alloc(64)]);
    await expectProblem(await write(bytes), "model-unsupported", /version/);
  });

  it("ends too early, wherever it was cut", async () => {
    const bytes = ggufBytes(tinyModel(), tinyTensors);
    // From the middle of the metadata to the last byte of the last tensor.
    for (let length = 24; length < bytes.length; length += length + 97 < bytes.length ? 97 : 1) {
      const path = await write(bytes.subarray(0, length));
      await expect(readHeader(path), `cut at ${length} of ${bytes.length}`).rejects.toMatchObject({
        code: "model-invalid",
        message: expect.stringContaining("a model.gguf"),
      });
    }
    await expect(readHeader(await write(bytes))).resolves.toMatchObject({ name: "Tiny Model" });
  });

  it("is a header without tensors", async () => {
    await expectProblem(await write(ggufBytes(tinyModel(), [])), "model-invalid", /incomplete/);
  });

  it("claims more than it holds", async () => {
    const bytes = ggufBytes(tinyModel(), tinyTensors);
    const claimsPairs = Buffer.from(bytes);
    claimsPairs.writeBigUInt64LE(2n ** 60n, 16);
    await expectProblem(await write(claimsPairs), "model-invalid", /not a complete GGUF/);
    const claimsTensors = Buffer.from(bytes);
    claimsTensors.writeBigUInt64LE(2n ** 60n, 8);
    await expectProblem(await write(claimsTensors), "model-invalid", /not a complete GGUF/);
    const claimsText = Buffer.from(bytes);
    claimsText.writeBigUInt64LE(2n ** 62n, 24);
    await expectProblem(await write(claimsText), "model-invalid", /not a complete GGUF/);
  });

  it("does not say which model it is", async () => {
    await expectProblem(
      await write(ggufBytes(tinyModel({ "general.architecture": undefined }), tinyTensors)),
      "model-invalid",
      /which model/,
    );
  });
});

describe("a GGUF that cannot answer", () => {
  it("is one part of a model that was split", async () => {
    const path = await write(ggufBytes(tinyModel({ "split.count": 3, "split.no": 0 }), tinyTensors), "big-00001-of-00003.gguf");
    await expectProblem(path, "model-unsupported", /one of 3 parts.*--merge/);
    await expect(readHeader(await write(ggufBytes(tinyModel({ "split.count": 1 }), tinyTensors)))).resolves.toMatchObject({ layers: 4 });
    // The others say nothing but that.
    await expectProblem(await write(ggufBytes({ "split.count": 3 }, tinyTensors)), "model-unsupported", /one of 3 parts/);
  });

  it.each(["adapter", "mmproj", "imatrix"])("is a part of a model (%s)", async (type) => {
    const path = await write(ggufBytes(tinyModel({ "general.type": type }), tinyTensors));
    await expectProblem(path, "model-unsupported", new RegExp(`part of a model \\(${type}\\)`));
  });

  it("is of a kind whose header says nothing about a text model, as a picture's projector", async () => {
    const metadata: Record<string, GgufValue> = {
      "general.architecture": "clip",
      "clip.has_vision_encoder": true,
      "clip.vision.block_count": 12,
    };
    await expectProblem(await write(ggufBytes(metadata, tinyTensors)), "model-unsupported", /“clip”/);
  });

  it("is an adapter that gives no type of its own", async () => {
    const metadata: Record<string, GgufValue> = { "general.architecture": "llama", "adapter.type": "lora" };
    await expectProblem(await write(ggufBytes(metadata, tinyTensors)), "model-unsupported", /“llama”/);
  });

  it.each([
    ["no layers", { "llama.block_count": 0 }],
    ["layers without end", { "llama.block_count": 2n ** 62n }],
    ["four thousand million layers", { "llama.block_count": 4_294_967_295 }],
    ["no heads", { "llama.attention.head_count": 0 }],
    ["an empty list of heads", { "llama.attention.head_count": [] }],
    ["no context", { "llama.context_length": 0 }],
    ["no width", { "llama.embedding_length": 0 }],
  ] satisfies [string, Record<string, GgufValue>][])(
    "claims %s",
    async (_what, over) => {
      await expectProblem(await write(ggufBytes(tinyModel(over), tinyTensors)), "model-unsupported", /cannot read/);
    },
    5_000,
  );
});
