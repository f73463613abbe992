import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type GgufHeader, readHeader } from "../../../../electron/engine/llama/gguf.ts";
import { createModuleShelf } from "../../../../electron/engine/lookahead/moduleShelf.ts";
import { floats, numbers, type Parts, partsBytes, setKey, setTensor, tinyBase, tinyModule } from "./moduleFile.ts";

let folder = "";
let model: GgufHeader;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight “shelf” "));
  await mkdir(join(folder, "own"));
  await mkdir(join(folder, "brought along"));
  model = await readHeader(await put("base.gguf", tinyBase(), ""));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function put(name: string, parts: Parts | string, inside = "own"): Promise<string> {
  const path = join(folder, inside, name);
  await writeFile(path, typeof parts === "string" ? parts : partsBytes(parts));
  return path;
}

const shelf = () => createModuleShelf([join(folder, "own"), join(folder, "brought along"), join(folder, "missing")]);

/** A module of a model with other heads. */
function otherModule(baseName: string): Parts {
  const parts = tinyModule({ baseName, steps: 9000 });
  setKey(parts, "lookahead.base.tokenizer_hash", ["text", "0".repeat(64)]);
  return parts;
}

function damaged(steps: number): Parts {
  const parts = tinyModule({ steps });
  setTensor(parts, "lookahead.embeddings", { data: floats([Number.NaN, ...numbers(47)]) });
  return parts;
}

describe("the shelf of modules", () => {
  it("has none where its folders are missing or empty", async () => {
    expect(await createModuleShelf([]).findFor(model)).toEqual({ module: null, refused: [] });
    expect(await shelf().findFor(model)).toEqual({ module: null, refused: [] });
  });

  it("finds the one that was made for the model, among others and other files", async () => {
    await put("a.gguf", otherModule("Other Model"));
    const fitting = await put("b.gguf", tinyModule(), "brought along");
    const lora = tinyModule();
    lora.metadata = lora.metadata.filter(([key]) => !key.startsWith("lookahead."));
    await put("lora.gguf", lora);
    await put("model.gguf", tinyBase());
    await put("notes.txt", "not a model");
    expect(await shelf().findFor(model)).toMatchObject({ module: { path: fitting, tokens: 3 }, refused: [] });
  });

  it("prefers a trained one, and of those the one that learned longest", async () => {
    await put("a.gguf", tinyModule());
    expect((await shelf().findFor(model)).module).toMatchObject({ trained: false });
    await put("b.gguf", tinyModule({ steps: 100 }), "brought along");
    expect((await shelf().findFor(model)).module).toMatchObject({ trained: true, training: { steps: 100 } });
    await put("c.gguf", tinyModule({ steps: 2000 }), "brought along");
    await put("d.gguf", tinyModule({ steps: 1999 }));
    expect((await shelf().findFor(model)).module).toMatchObject({ training: { steps: 2000 } });
  });

  it("takes the first folder's where two are alike", async () => {
    await put("a.gguf", tinyModule({ steps: 100 }), "brought along");
    const own = await put("z.gguf", tinyModule({ steps: 100 }));
    expect((await shelf().findFor(model)).module).toMatchObject({ path: own });
  });

  it("skips damaged ones and says so", async () => {
    await put("broken.gguf", "GGUF and no more");
    await put("best.gguf", damaged(5000));
    const sound = await put("sound.gguf", tinyModule({ steps: 10 }));
    const { module, refused } = await shelf().findFor(model);
    expect(module).toMatchObject({ path: sound });
    expect(refused.map(({ code, message }) => `${code} ${message.slice(0, 13)}`).sort()).toEqual([
      "module-invalid “best.gguf” c",
      "module-invalid “broken.gguf”",
    ]);
  });

  it("says why one that bears the model's name is not taken", async () => {
    await put("renamed.gguf", otherModule("tiny base"));
    expect(await shelf().findFor(model)).toMatchObject({
      module: null,
      refused: [{ code: "module-mismatch", message: expect.stringMatching(/“renamed\.gguf”.*the tokenizer/) }],
    });
  });

  it("remembers what it read until the file changes", async () => {
    const found = shelf();
    const path = await put("a.gguf", tinyModule({ steps: 10 }));
    await utimes(path, 1_000_000, 1_000_000);
    const { module } = await found.findFor(model);
    expect((await found.findFor(model)).module).toBe(module);
    await put("a.gguf", damaged(10));
    await utimes(path, 1_000_000, 1_000_000);
    expect((await found.findFor(model)).module).toBe(module);
    await utimes(path, 1_000_001, 1_000_001);
    expect(await found.findFor(model)).toMatchObject({ module: null, refused: [{ code: "module-invalid" }] });
    await put("a.gguf", tinyModule({ steps: 20 }));
    expect((await found.findFor(model)).module).toMatchObject({ training: { steps: 20 } });
    await rm(path);
    expect(await found.findFor(model)).toEqual({ module: null, refused: [] });
  });

  it("says so where the model's own file can no longer be read", async () => {
    await put("a.gguf", tinyModule());
    await put("base.gguf", "cut short", "");
    await expect(shelf().findFor(model)).rejects.toMatchObject({ code: "model-invalid", message: expect.stringContaining("base.gguf") });
  });
});
