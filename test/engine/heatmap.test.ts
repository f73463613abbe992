import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Heatmap } from "../../electron/contract/heatmap.ts";
import type { Policy } from "../../electron/contract/policies.ts";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { dataFolder, smolPath, startEngine, storyOf, type TestEngine } from "./support/engine.ts";

const question = "What is the code of the harbour light?";
const contextLength = 1024;
const [layers, heads, probeRows] = [30, 3, 32];

let app: TestEngine;
let moduleFolder: string;
beforeAll(async () => {
  moduleFolder = await mkdtemp(join(tmpdir(), "longsight-modules-"));
  const module = await ensureUntrainedModule(smolPath);
  await symlink(module, join(moduleFolder, basename(module)));
  app = await startEngine({ contextLength }, { moduleFolders: [moduleFolder] });
}, 120_000);
afterAll(async () => {
  await app.dispose();
  await rm(moduleFolder, { recursive: true, force: true });
});

type Wanted = { documentId: string; pages?: number[]; policy?: Exclude<Policy, "full">; budget?: number; asked?: string };
const draw = ({ documentId, pages, policy = "lookahead", budget = 64, asked = question }: Wanted, signal?: AbortSignal): Promise<Heatmap> =>
  app.call(
    "heatmap",
    { documents: [{ documentId, pages: pages ?? null }], question: asked, budget, policy, seed: 1 },
    signal === undefined ? {} : { signal },
  );
const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, number) => sum + number, 0);

describe("a text", () => {
  let documentId: string;
  let budgets: Heatmap[];
  beforeAll(async () => {
    documentId = (await app.openText("log.txt", storyOf(300))).id;
    budgets = [await draw({ documentId, budget: 64 }), await draw({ documentId, budget: 65 }), await draw({ documentId, budget: 100_000 })];
  });

  test("has a score and a count for every token, and every token its place in the text", () => {
    const [small] = budgets;
    expect(small).toMatchObject({ policy: "lookahead", budget: 64, keptTokens: 64, layers, heads });
    expect(small?.scores).toHaveLength(small?.promptTokens ?? 0);
    expect(small?.scores.every((score) => score > 0 && score <= 1)).toBe(true);
    // 32 rows' attention sums to one, seen by each layer and head: what does not go to the prompt goes to the rows themselves.
    expect(sumOf(small?.scores ?? [])).toBeLessThanOrEqual(1);
    expect(small?.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(small?.promptTokens);
    const page = small?.parts.find((part) => part.kind === "page");
    expect(page?.text.startsWith(storyOf(300))).toBe(true);
    const starts = small?.starts.subarray(page?.firstToken, (page?.firstToken ?? 0) + (page?.tokens ?? 0)) ?? [];
    expect(starts[0]).toBe(0);
    expect([...starts]).toEqual([...starts].sort((one, other) => one - other));
  });

  test("keeps just the budget in each layer and head, of a larger one more, and all of one that is large enough", () => {
    const [small, next, all] = budgets;
    expect(sumOf(small?.kept ?? [])).toBe(64 * layers * heads);
    expect(sumOf(next?.kept ?? [])).toBe(65 * layers * heads);
    expect(next?.kept.every((count, token) => count >= (small?.kept[token] ?? 0))).toBe(true);
    expect(all?.keptTokens).toBe(all?.promptTokens);
    expect(all?.kept.every((count) => count === layers * heads)).toBe(true);
    expect(all?.scores).toEqual(small?.scores);
    // The first tokens and the template's tail are always kept.
    expect([...(small?.kept.subarray(0, 4) ?? []), ...(small?.kept.subarray(-3) ?? [])]).toEqual(new Array(7).fill(layers * heads));
  });

  test("shows the other policies too; random and streamingllm have no scores", async () => {
    const snapkv = await draw({ documentId, policy: "snapkv" });
    expect(sumOf(snapkv.scores)).toBeGreaterThan(0);
    expect(snapkv.scores).not.toEqual(budgets[0]?.scores);
    // Beside the first four tokens snapkv always keeps its window.
    const last = snapkv.promptTokens - 32;
    expect([...snapkv.protectedTokens]).toEqual([0, 1, 2, 3, ...Array.from({ length: 32 }, (_, index) => last + index)]);
    expect(snapkv.protectedTokens.every((token) => snapkv.kept[token] === layers * heads)).toBe(true);
    for (const policy of ["random", "streamingllm"] as const) {
      const drawn = await draw({ documentId, policy });
      expect([sumOf(drawn.scores), sumOf(drawn.kept)]).toEqual([0, 64 * layers * heads]);
    }
  });

  test("leaves what was read for the question that follows", async () => {
    const { promptTokens } = await draw({ documentId });
    const { figures } = await app.ask(await app.converse([documentId]), question, {
      budget: 64,
      policy: "lookahead",
      sampling: { maxTokens: 4 },
    });
    expect(figures.promptTokens).toBe(promptTokens);
    expect(figures.evaluatedTokens).toBeLessThanOrEqual(64);
  });

  test("refuses a budget that the tokens always kept do not go into", async () => {
    await expect(draw({ documentId, policy: "snapkv", budget: 20 })).rejects.toMatchObject({ code: "usage" });
  });

  test("ends when it is told to", async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(draw({ documentId }, stop.signal)).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("at the context's edge", () => {
  /** A question that makes the prompt just so long. */
  async function questionFor(documentId: string, tokens: number): Promise<string> {
    const lengthOf = async (asked: string) => {
      const documents = [{ documentId, pages: null }];
      return (await app.call("measurePrompt", { conversationId: null, documents, question: asked, replaceTurnId: null, maxTokens: 1 }))
        .promptTokens;
    };
    const asked = `Why${" a".repeat(tokens - (await lengthOf("Why")))}`;
    expect(await lengthOf(asked)).toBe(tokens);
    return asked;
  }

  test("the lookahead rows may fill it to the last position, and one more is refused by name", async () => {
    const { id } = await app.openText("edge.txt", storyOf(500));
    const exact = await questionFor(id, contextLength - probeRows);
    const over = await questionFor(id, contextLength - probeRows + 1);
    const conversation = await app.converse([id]);
    const options = { budget: 64, policy: "lookahead", sampling: { maxTokens: 8 } } as const;

    expect((await draw({ documentId: id, asked: exact })).promptTokens).toBe(contextLength - probeRows);
    const { figures } = await app.ask(conversation, exact, options);
    expect(figures).toMatchObject({ promptTokens: contextLength - probeRows, keptTokens: 64, policy: "lookahead" });

    const refusal = { code: "does-not-fit", message: expect.stringContaining("scoring it takes 32 more") };
    await expect(draw({ documentId: id, asked: over })).rejects.toMatchObject(refusal);
    await expect(app.ask(await app.converse([id]), over, options)).rejects.toMatchObject(refusal);
    // It is the rows that do not fit: without them there is room for a short answer.
    const short = await app.ask(await app.converse([id]), over, { ...options, policy: "snapkv" });
    expect(short.figures).toMatchObject({ policy: "snapkv", keptTokens: 64 });
  });
});

describe.skipIf(!existsSync(dataFolder))("PDFs", () => {
  test.each([
    ["long/debian-policy__fhs-3.0.pdf", [21]],
    ["small/pdfbox__PDFBOX-2984-rotations.pdf", [1, 2]],
    ["small/pdfbox__BidiSample.pdf", [1]],
  ])("%s: the words that are shaded are where they stand on the page", async (file, pages) => {
    await app.call("loadModel", { model: smolPath, contextLength: 4096, kvType: "f16", threads: null });
    const document = await app.call("openDocument", { path: join(dataFolder, "A_pdf", file) });
    const drawn = await draw({ documentId: document.id, pages, policy: "streamingllm" });
    const parts = drawn.parts.filter((part) => part.kind === "page");
    expect(parts.map((part) => part.page)).toEqual(pages);
    for (const part of parts) {
      const { text, boxes } = await app.call("pageText", { documentId: document.id, page: part.page ?? 0 });
      expect(part.text.slice(part.prefixLength)).toBe(`${text}\n\n`);
      expect(boxes).toHaveLength(4 * text.length);
    }
  });
});
