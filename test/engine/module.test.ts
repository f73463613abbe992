import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type GgufHeader, readBaseFacts, readHeader } from "../../electron/engine/llama/gguf.ts";
import { checkBase, type LookaheadModule, readLookaheadModule } from "../../electron/engine/lookahead/module.ts";
import { createModuleShelf } from "../../electron/engine/lookahead/moduleShelf.ts";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { smolPath } from "./support/engine.ts";

let module: LookaheadModule;
let model: GgufHeader;
beforeAll(async () => {
  if (!existsSync(smolPath)) throw new Error(`${smolPath} is missing: run node scripts/setup.mjs`);
  module = await readLookaheadModule(await ensureUntrainedModule(smolPath));
  model = await readHeader(smolPath);
});

describe("a module that the training package wrote", () => {
  it("is read, and fits the model that it was written for", async () => {
    expect(module).toMatchObject({
      tokens: 32,
      poolKernel: 7,
      alpha: 32,
      rank: 8,
      trained: false,
      base: { architecture: "llama", layers: 30, embeddingWidth: 576, attentionHeads: 9, kvHeads: 3 },
      training: { data: "none", steps: 0, length: 0 },
    });
    expect(module.linears).toHaveLength(29 * 7 + 3);
    expect(module.embeddings).toHaveLength(32 * 576);
    // Rows of a table that was learned: each alive, none like another.
    const rows = Array.from({ length: 32 }, (_, row) => module.embeddings.subarray(row * 576, (row + 1) * 576));
    for (const row of rows) expect(Math.max(...row)).toBeGreaterThan(0.01);
    expect(new Set(rows.map((row) => row.join())).size).toBe(32);
    checkBase(module, model, await readBaseFacts(smolPath));
  });

  it("is found for it on the shelf", async () => {
    // A folder of its own: in the cache lie modules of other models too, some with this one's name.
    const folder = await mkdtemp(join(tmpdir(), "longsight-shelf-"));
    try {
      await copyFile(module.path, join(folder, basename(module.path)));
      const { module: found, refused } = await createModuleShelf([folder]).findFor(model);
      expect(refused).toEqual([]);
      expect(found?.base).toEqual(module.base);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("is refused for another model, with both names", async () => {
    const qwen = { ...model, name: "Qwen2.5 Coder 0.5B Instruct", architecture: "qwen2", layers: 24, embeddingWidth: 896 };
    const facts = await readBaseFacts(smolPath);
    expect(() => checkBase(module, qwen, facts)).toThrow(
      expect.objectContaining({
        code: "module-mismatch",
        message: expect.stringMatching(/made for “Smollm2 135M.*”; the loaded model is “Qwen2\.5 Coder 0\.5B Instruct”.*the kind of model/),
      }),
    );
  });

  it("may have a LoRA that changes something, by the same seed with the same embeddings", async () => {
    const path = await ensureUntrainedModule(smolPath, { randomLora: 0.01 });
    expect(path).not.toBe(module.path);
    expect((await readLookaheadModule(path)).embeddings).toEqual(module.embeddings);
    expect(await ensureUntrainedModule(smolPath, { randomLora: 0.01 })).toBe(path);
  });
});
