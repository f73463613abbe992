import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { readBaseFacts, readHeader } from "../../electron/engine/llama/gguf.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import { checkBase, readLookaheadModule } from "../../electron/engine/lookahead/module.ts";
import { createModuleShelf } from "../../electron/engine/lookahead/moduleShelf.ts";
import { ensureUntrainedModule, learningPython } from "../../scripts/module.mjs";
import { root, smolPath, startEngine, storyOf } from "./support/engine.ts";
import { agreement, bothModels, createContext, ensureConverted, lookaheadScores, meanOf, open, prefill } from "./support/models.ts";
import { runTraining, torchScores } from "./support/training.ts";

// The first time, PyTorch is fetched.
beforeAll(() => learningPython(), 1_800_000);

const logLineSchema = z.object({ step: z.number(), loss: z.number().optional(), validation: z.record(z.string(), z.number()).optional() });

describe("a module that is learned from a few texts", () => {
  const steps = 8;
  let folder: string;
  let module: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "longsight “training” "));
    module = join(folder, "modules", "harbour.gguf");
    const samples = Array.from({ length: 10 }, (_, index) => ({
      id: `log-${index}`,
      kind: "log",
      subset: "logs",
      context: `Volume ${index + 1}. ${storyOf(220, String(481_516 + 7919 * index))}`,
      instruction: "What is the code of the harbour light?",
      instruction_place: "after",
      response: `The code is ${481_516 + 7919 * index}.`,
      split: index < 8 ? "train" : "val",
    }));
    await mkdir(join(folder, "data"));
    await writeFile(join(folder, "data", "logs.jsonl"), samples.map((sample) => `${JSON.stringify(sample)}\n`).join(""));
    const settings = {
      base: smolPath,
      data: "data",
      run: "run",
      validation: ["validation.jsonl"],
      facts_share: 0.5,
      data_share: 0.5,
      lengths: [{ share: 1, least: 100, most: 160 }],
      branches: 3,
      steps,
      groups_per_step: 1,
      warm_up: 2,
      decay: 2,
      validate_every: steps,
      dtype: "float32",
      // Two that wait for each other beside other work are slower than one.
      threads: 1,
    };
    // JSON is YAML too.
    await writeFile(join(folder, "run.yaml"), JSON.stringify(settings));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("is responded for, trained and exported, and foretells better than before", async ({ signal }) => {
    const run = join(folder, "run.yaml");
    const groups = join(folder, "validation.jsonl");
    const respond = [
      "respond",
      "--base",
      smolPath,
      "--data",
      join(folder, "data"),
      "--out",
      groups,
      "--split",
      "val",
      "--dtype",
      "float32",
    ];
    await runTraining([...respond, "--most", "16", "--threads", "1", "--branches", "3", "--lengths", "1:100-160"], signal);
    expect(await runTraining(["train", run], signal)).toContain(`All ${steps} steps are done`);
    const lines = (await readFile(join(folder, "run", "log.jsonl"), "utf8")).trim().split("\n");
    const validations = lines.map((line) => logLineSchema.parse(JSON.parse(line))).filter((line) => line.validation !== undefined);
    const [before, after] = validations.map((line) => line.validation?.["validation"] ?? Number.NaN);
    console.info(`KL of ${steps} steps: ${before} → ${after}`);
    expect(validations.map((line) => line.step)).toEqual([0, steps]);
    expect(after).toBeLessThan(0.97 * (before ?? Number.NaN));
    await runTraining(["export", run, "--out", module, "--data-name", "Harbour logs"], signal);
  }, 600_000);

  test("is read by the engine, and fits the model", async () => {
    const read = await readLookaheadModule(module);
    expect(read).toMatchObject({ tokens: 32, rank: 8, alpha: 32, trained: true, training: { data: "Harbour logs", steps } });
    expect(read.training.length).toBeGreaterThan(100);
    checkBase(read, await readHeader(smolPath), await readBaseFacts(smolPath));
  });

  test("answers in the engine", async () => {
    const app = await startEngine({ contextLength: 1024 }, { moduleFolders: [join(folder, "modules")] });
    try {
      const { id } = await app.openText("log.txt", storyOf(300));
      const asked = { budget: 64, policy: "lookahead" } as const;
      const { figures } = await app.ask(await app.converse([id]), "What is the code of the harbour light?", asked);
      // Without a module it would say snapkv.
      expect(figures).toMatchObject({ policy: "lookahead", budget: 64, keptTokens: 64 });
      expect(figures.answer).not.toBe("");
    } finally {
      await app.dispose();
    }
  });
});

describe.each(bothModels)("PyTorch and the engine agree on $name in f16", ({ path, randomLora }) => {
  let model: Model;
  let file: string;
  beforeAll(async () => {
    file = await ensureConverted(path, "f16");
    model = await open(file);
  });
  afterAll(() => model.dispose());

  test("which tokens the module finds important", async ({ signal }) => {
    const shipped = await createModuleShelf([join(root, "assets", "lookahead")]).findFor(await readHeader(file));
    expect(shipped.refused).toEqual([]);
    const module = shipped.module ?? (await readLookaheadModule(await ensureUntrainedModule(file, { randomLora })));
    const prompt = (await model.tokenise(storyOf(700), false)).tokens.subarray(0, 600);
    const context = await createContext(model);
    await prefill(context, prompt);
    const scores = await lookaheadScores(context, prompt, { module, adapter: await model.loadAdapter(module.path) });
    await context.dispose();
    const { overlaps, difference } = agreement(await torchScores(file, module.path, prompt, signal), scores, 64);
    console.info(`${module.path.split("/").at(-1)}: overlap ${meanOf(overlaps)}, least ${Math.min(...overlaps)}, difference ${difference}`);
    expect(scores).toMatchObject({ tokens: 600, layers: model.header.layers, heads: model.header.kvHeads });
    expect(meanOf(overlaps)).toBeGreaterThanOrEqual(0.99);
  }, 600_000);
});
