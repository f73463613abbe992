import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ggufBytes, tinyModel, tinyTensors } from "../unit/engine/llama/ggufFile.ts";
import { startEngine, type TestEngine } from "./support/engine.ts";

let app: TestEngine;
let folder: string;
beforeAll(async () => {
  app = await startEngine();
  folder = await mkdtemp(join(tmpdir(), "longsight-architectures-"));
});
afterAll(async () => {
  await app.dispose();
  await rm(folder, { recursive: true, force: true });
});

// Names of architectures as llama.cpp has them: whole recurrent ones, and those that mix recurrent layers with attention.
test.each(["mamba", "mamba2", "rwkv6", "jamba", "falcon-h1", "granitehybrid", "lfm2", "qwen3next"])(
  "a header of the recurrent or hybrid kind %s is refused by name, before any weights are read",
  async (architecture) => {
    const model = join(folder, `${architecture}.gguf`);
    const fields = Object.entries(tinyModel()).map(([key, value]) => [key.replace(/^llama\./, `${architecture}.`), value] as const);
    const named = { ...Object.fromEntries(fields), "general.architecture": architecture, "general.name": `A ${architecture} model` };
    await writeFile(model, ggufBytes(named, tinyTensors));
    const refused = app.call("loadModel", { model, contextLength: 256, kvType: "f16", threads: null });
    await expect(refused).rejects.toMatchObject({
      code: "model-unsupported",
      message: expect.stringMatching(new RegExp(`“A ${architecture} model” \\(${architecture}\\) keeps a recurrent state`)),
    });
  },
);
