import { rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ggufBytes, tinyModel, tinyTensors } from "../unit/engine/llama/ggufFile.ts";
import { root, smol, smolPath, startEngine, type TestEngine } from "./support/engine.ts";
import { ensureStranger } from "./support/stranger.ts";

let app: TestEngine;
beforeAll(async () => {
  app = await startEngine(undefined, { moduleFolders: [join(root, "assets", "lookahead")] });
});
afterAll(() => app.dispose());

it("lists the module of each model before it is loaded, as the load then finds it", async () => {
  const stranger = await app.call("addModel", { path: await ensureStranger() });
  // The same model under another tokenizer: its module is not for this one.
  expect(stranger).toMatchObject({ origin: "added", lookahead: null });
  const embedded = (await app.call("listModels", {})).find(({ id }) => id === smol);
  expect(embedded).toMatchObject({ origin: "installed", lookahead: { steps: expect.any(Number) } });
  const loaded = await app.call("loadModel", { model: smol, contextLength: 512, kvType: "f16", threads: null });
  expect(loaded.lookahead).toEqual(embedded?.lookahead);
  expect(loaded.report.lookahead).toEqual(embedded?.lookahead);
});

it("keeps an added model through a restart, refuses to forget the one that is loaded, and leaves files alone", async () => {
  const path = join(app.folder, "Mine.gguf");
  await writeFile(path, ggufBytes(tinyModel(), tinyTensors));
  expect(await app.call("addModel", { path })).toMatchObject({ id: "mine", path });
  const again = await startEngine(undefined, { folder: app.folder });
  try {
    expect((await again.call("listModels", {})).map((model) => model.path)).toContain(path);
    await rename(path, `${path}.away`);
    expect(await again.call("listUnusableModels", {})).toMatchObject([{ path, problem: { code: "model-missing" } }]);
  } finally {
    await again.engine.dispose();
  }
  await app.call("addModel", { path: smolPath });
  await app.call("loadModel", { model: smol, contextLength: 512, kvType: "f16", threads: null });
  await expect(app.call("removeModel", { path: smolPath })).rejects.toMatchObject({
    code: "not-supported",
    message: expect.stringContaining("is loaded"),
  });
  expect((await stat(smolPath)).isFile()).toBe(true);
});

it("does not add a recurrent model, and asks no server what it offers", async () => {
  const path = join(app.folder, "mamba.gguf");
  const fields = Object.entries(tinyModel()).map(([key, value]) => [key.replace(/^llama\./, "mamba."), value] as const);
  await writeFile(path, ggufBytes({ ...Object.fromEntries(fields), "general.architecture": "mamba" }, tinyTensors));
  await expect(app.call("addModel", { path })).rejects.toMatchObject({ code: "model-unsupported" });
  const offers = await app.call("listCatalogue", {});
  expect(offers.length).toBeGreaterThan(0);
  for (const offer of offers) expect(offer).toMatchObject({ partBytes: 0, path: null });
});
