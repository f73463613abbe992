import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stage, StreamEvent } from "../../electron/contract/engine.ts";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { smolPath, startEngine, storyOf, type TestEngine } from "./support/engine.ts";

const question = "What is the code of the harbour light?";

let app: TestEngine;
let moduleFolder: string;
let documentId: string;
beforeAll(async () => {
  moduleFolder = await mkdtemp(join(tmpdir(), "longsight-modules-"));
  const module = await ensureUntrainedModule(smolPath, { randomLora: 0.01 });
  await symlink(module, join(moduleFolder, basename(module)));
  app = await startEngine({ contextLength: 2048 }, { moduleFolders: [moduleFolder] });
  documentId = (await app.openText("log.txt", storyOf(500))).id;
}, 120_000);
afterAll(async () => {
  await app.dispose();
  await rm(moduleFolder, { recursive: true, force: true });
});

const fresh = () => app.converse([documentId]);

describe.each(["lookahead", "snapkv", "streamingllm", "random"] as const)("%s", (policy) => {
  test("answers from a budget, and says what it kept, in measured bytes", async () => {
    const stages = new Set<Stage>();
    const onEvent = (event: StreamEvent) => event.event === "progress" && stages.add(event.stage);
    const { figures, turn } = await app.ask(await fresh(), question, { budget: 128, policy, onEvent });
    expect(figures).toMatchObject({ policy, budget: 128, keptTokens: 128, cachedTokens: 0 });
    expect(turn).toMatchObject({ status: "done", figures: { keptTokens: 128 } });
    expect(figures.answer).not.toBe("");
    // 23,040 bytes a token in f16: cells for the prompt and the lookahead rows, then for the budget and the answer.
    const rows = policy === "lookahead" ? 32 : 0;
    expect(figures.fullCacheBytes).toBe(Math.ceil((figures.promptTokens + rows) / 256) * 256 * 23_040);
    expect(figures.keptCacheBytes).toBe((128 + 32) * 23_040);
    expect([...stages]).toEqual(expect.arrayContaining(["prefill", "scoring", "eviction", "decode"]));
    const { prefillMs, evictionMs, firstTokenMs, decodeMs } = figures.timings;
    for (const time of [prefillMs, evictionMs, decodeMs]) expect(time).toBeGreaterThan(0);
    // Nothing of the eviction comes before the first token.
    expect(firstTokenMs).toBeLessThan(prefillMs + 200);
  });

  test("answers the same twice, and with a larger budget keeps more", async () => {
    const first = await app.ask(await fresh(), question, { budget: 96, policy, sampling: { seed: 3 } });
    const second = await app.ask(await fresh(), question, { budget: 96, policy, sampling: { seed: 3 } });
    expect(second.figures.answer).toBe(first.figures.answer);
    const larger = await app.ask(await fresh(), question, { budget: 512, policy, sampling: { seed: 3 } });
    expect(larger.figures.keptCacheBytes).toBeGreaterThan(first.figures.keptCacheBytes);
  });

  test("with a budget of the whole prompt is the full cache, and one token less is not", async () => {
    const full = await app.ask(await fresh(), question);
    const tokens = full.figures.promptTokens;
    for (const budget of [tokens, tokens + 1]) {
      const { figures } = await app.ask(await fresh(), question, { budget, policy });
      expect(figures).toMatchObject({ policy: "full", keptTokens: null, answer: full.figures.answer });
    }
    const { figures } = await app.ask(await fresh(), question, { budget: tokens - 1, policy });
    expect(figures).toMatchObject({ policy, keptTokens: tokens - 1 });
    // One token of 700 less in each head: the answer begins the same.
    expect(figures.answer.slice(0, 10)).toBe(full.figures.answer.slice(0, 10));
  });
});

describe("the budget", () => {
  test("below what is always kept is refused by name, before anything is written down", async () => {
    const conversationId = await fresh();
    const refused = app.ask(conversationId, question, { budget: 3, policy: "streamingllm" });
    await expect(refused).rejects.toMatchObject({ code: "usage", message: expect.stringMatching(/budget of 3 .* at least \d+/) });
    await expect(app.ask(conversationId, question, { budget: 30, policy: "snapkv" })).rejects.toThrow("at least 36");
    expect((await app.call("getConversation", { conversationId })).turns).toEqual([]);
  });

  test("and a policy must not contradict each other", async () => {
    const conversationId = await fresh();
    await expect(app.ask(conversationId, question, { budget: 64 })).rejects.toMatchObject({ code: "usage" });
    await expect(app.ask(conversationId, question, { policy: "snapkv" })).rejects.toMatchObject({ code: "usage" });
  });

  test("serves a short prompt too: without a document, and shorter than snapkv's window", async () => {
    const conversationId = await app.converse([]);
    const { promptTokens } = await app.call("measurePrompt", {
      conversationId,
      documents: [],
      question: "Hi",
      replaceTurnId: null,
      maxTokens: 32,
    });
    expect(promptTokens).toBeLessThan(32);
    const whole = await app.ask(conversationId, "Hi", { budget: 64, policy: "snapkv" });
    expect(whole.figures).toMatchObject({ policy: "full", keptTokens: null });
    await expect(app.ask(await app.converse([]), "Hi", { budget: promptTokens - 1, policy: "snapkv" })).rejects.toMatchObject({
      code: "usage",
    });
    const { figures } = await app.ask(await app.converse([]), "Hi", { budget: promptTokens - 1, policy: "lookahead" });
    expect(figures).toMatchObject({ policy: "lookahead", keptTokens: promptTokens - 1 });
  });

  test("of an empty document is refused by the document's name", async () => {
    await expect(app.openText("empty.txt", "")).rejects.toMatchObject({
      code: "document-empty",
      message: expect.stringContaining("empty.txt"),
    });
  });

  test("of a one-token document works", async () => {
    const { id } = await app.openText("one.txt", "a");
    const { figures } = await app.ask(await app.converse([id]), "What is written?", { budget: 24, policy: "lookahead" });
    expect(figures).toMatchObject({ policy: "lookahead", keptTokens: 24 });
  });
});

describe("the full cache", () => {
  test("is freed by an eviction and read again for the next question", async () => {
    const conversationId = await fresh();
    const first = await app.ask(conversationId, question);
    const again = await app.ask(conversationId, question);
    expect(again.figures.cachedTokens).toBeGreaterThan(0);
    // What was read serves the scoring too.
    const evicted = await app.ask(conversationId, question, { budget: 64, policy: "lookahead" });
    expect(evicted.figures.cachedTokens).toBeGreaterThan(first.figures.promptTokens - 64);
    const after = await app.ask(conversationId, question);
    expect(after.figures.cachedTokens).toBe(0);
  });

  test("answers exactly as before, after evictions", async () => {
    const before = await app.ask(await fresh(), question);
    await app.ask(await fresh(), question, { budget: 64, policy: "snapkv" });
    await app.ask(await fresh(), question, { budget: 64, policy: "lookahead" });
    const after = await app.ask(await fresh(), question);
    expect(after.figures.answer).toBe(before.figures.answer);
  });

  test("has no trace of the lookahead module, on, off and on again: what its answers reuse is what an engine without one reads", async () => {
    const plain = await startEngine({ contextLength: 2048 });
    const { id } = await plain.openText("log.txt", storyOf(500));
    const expected = await plain.ask(await plain.converse([id]), question);
    await plain.dispose();
    const choice = { budget: 72, policy: "lookahead" } as const;
    // A heatmap has the module's rows behind the prompt, and leaves the cache for the answer.
    await app.call("heatmap", { documents: [{ documentId, pages: null }], question, ...choice, seed: 1 });
    const reusing = await app.ask(await fresh(), question);
    expect(reusing.figures.cachedTokens).toBeGreaterThan(0.9 * reusing.figures.documentTokens);
    expect(reusing.figures.answer).toBe(expected.figures.answer);
    const kept = await app.ask(await fresh(), question, choice);
    const off = await app.ask(await fresh(), question);
    expect(off.figures.answer).toBe(expected.figures.answer);
    expect((await app.ask(await fresh(), question, choice)).figures.answer).toBe(kept.figures.answer);
  });

  test("snapkv reads its window again where the prompt is there already, and chooses the same", async () => {
    const options = { budget: 80, policy: "snapkv" } as const;
    // Neither engine has scores of this question yet: stored ones would need no window.
    const asked = "What are the steps salted for?";
    const other = await startEngine({ contextLength: 2048 });
    const { id } = await other.openText("log.txt", storyOf(500));
    const first = await other.ask(await other.converse([id]), asked, options);
    await other.dispose();
    const conversationId = await fresh();
    await app.ask(conversationId, asked);
    const turnId = (await app.call("getConversation", { conversationId })).turns[0]?.id ?? "";
    const reused = await app.ask(conversationId, asked, { ...options, replaceTurnId: turnId });
    expect(reused.figures.evaluatedTokens).toBeGreaterThanOrEqual(32);
    expect(reused.figures.cachedTokens).toBeGreaterThan(0);
    expect(reused.figures.answer).toBe(first.figures.answer);
  });
});

test("a long answer gets room until it has as many cells again as the budget, and then makes room for itself", async () => {
  const sampling = { maxTokens: 700, repetitionPenalty: 0 };
  const { figures } = await app.ask(await fresh(), "Copy the whole document, word by word.", { budget: 256, policy: "snapkv", sampling });
  expect(figures.answerTokens).toBeGreaterThan(300);
  expect(figures.keptCacheBytes).toBe((256 + 256) * 23_040);
  // The last token of an answer is not decoded. The first eviction is the question's.
  const evictions = Math.ceil((figures.answerTokens - 1) / 256) - 1;
  expect(figures).toMatchObject({
    answerEvictions: evictions,
    evictions: evictions + 1,
    scoredRows: 32 * (evictions + 1),
    scoredFor: "question",
  });
});

describe("Stop", () => {
  test.each(["prefill", "scoring", "eviction", "decode"] as const)("in %s leaves a cache that answers as before", async (stage) => {
    const before = await app.ask(await fresh(), question, { budget: 64, policy: "lookahead" });
    const controller = new AbortController();
    let stopped = 0;
    const onEvent = (event: StreamEvent) => {
      if (event.event !== "progress" || event.stage !== stage || controller.signal.aborted) return;
      stopped = performance.now();
      controller.abort();
    };
    // Another question, whose scores are not there yet.
    const { turn, figures } = await app.ask(await fresh(), `What comes by boat? (${stage})`, {
      budget: 64,
      policy: "lookahead",
      signal: controller.signal,
      onEvent,
    });
    expect(performance.now() - stopped).toBeLessThan(2000);
    expect(turn.status).toBe("stopped");
    expect(figures.stopReason).toBe("cancelled");
    expect(figures.fullCacheBytes).toBeGreaterThan(0);
    const after = await app.ask(await fresh(), question, { budget: 64, policy: "lookahead" });
    expect(after.figures.answer).toBe(before.figures.answer);
  });
});

test("a model without a module uses snapkv and says so; a module is named where there is one", async () => {
  expect((await app.call("currentModel", {}))?.lookahead).toMatchObject({ steps: 0 });
  const without = await startEngine({ contextLength: 1024 });
  expect((await without.call("currentModel", {}))?.lookahead).toBeNull();
  const { id } = await without.openText("log.txt", storyOf(300));
  const { figures } = await without.ask(await without.converse([id]), question, { budget: 64, policy: "lookahead" });
  expect(figures).toMatchObject({ policy: "snapkv", budget: 64, keptTokens: 64 });
  await without.dispose();
});

test.each([
  ["q8_0", 12_240],
  ["q4_0", 6_480],
] as const)("of type %s both caches take %i bytes a token, measured", async (kvType, tokenBytes) => {
  const typed = await startEngine({ contextLength: 512, kvType });
  const { id } = await typed.openText("log.txt", storyOf(120));
  const { figures } = await typed.ask(await typed.converse([id]), question, { budget: 64, policy: "snapkv", sampling: { maxTokens: 4 } });
  expect(figures).toMatchObject({ kvType, keptTokens: 64, policy: "snapkv" });
  expect(figures.fullCacheBytes).toBe(Math.ceil(figures.promptTokens / 256) * 256 * tokenBytes);
  expect(figures.keptCacheBytes).toBe((64 + 32) * tokenBytes);
  await typed.dispose();
});
