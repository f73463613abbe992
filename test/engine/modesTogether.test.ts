import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnswerFigures, type CacheMode, defaultSampling } from "../../electron/contract/conversation.ts";
import { policyFacts, policySchema } from "../../electron/contract/policies.ts";
import { root, startEngine, storyOf, type TestEngine } from "./support/engine.ts";

// What the modes and pins, comparing, reselecting, shares, policies and snapshots have to do with each other.

const question = "What is the code of the harbour light?";
const later = "When was the light built?";
const budget = 96;
const sampling = { maxTokens: 12 };
const parts = ["once", "streaming"] as const;

let app: TestEngine;
let folder: string;
let snapshotFolder: string;
let documentId: string;
const start = (over: { fullCacheTokens?: number } = {}, snapshots = snapshotFolder) =>
  startEngine({ contextLength: 2048, ...over }, { moduleFolders: [join(root, "assets", "lookahead")], snapshotFolder: snapshots });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-modes-together-"));
  snapshotFolder = join(folder, "snapshots");
  app = await start();
  documentId = (await app.openText("log.txt", storyOf(700))).id;
}, 120_000);
afterAll(async () => {
  await app.dispose();
  await rm(folder, { recursive: true, force: true });
});

const fresh = () => app.converse([documentId]);
const passage = "Oil for the lamp comes by boat every second week, in barrels of sixty litres. (Entry 4.)";

/** A conversation with passages of the document pinned. */
async function pinned(texts: readonly string[], engine = app): Promise<string> {
  const conversationId = await engine.converse([documentId]);
  const documents = [{ documentId, pages: null }];
  const pins = await Promise.all(texts.map((text) => engine.call("findPassages", { documents, text })));
  await engine.call("setPins", { conversationId, pins: pins.flat() });
  return conversationId;
}

describe("a pinned passage", () => {
  test.each(parts)("is kept in mode %s, beside the whole question, or refused with the least budget", async (mode) => {
    const conversationId = await pinned([passage]);
    // Nothing is left to choose at the least budget: the first tokens, the passage, and from the question on all.
    const refused: unknown = await app.ask(conversationId, question, { budget: 40, policy: "streamingllm", mode }).catch((error) => error);
    expect(refused).toMatchObject({ code: "usage", message: expect.stringMatching(/in pinned passages.*at least \d+, or unpin/) });
    const message = refused instanceof Error ? refused.message : "";
    const least = Number(/at least (\d+)/.exec(message)?.[1]);
    const passages = Number(/(\d+) in pinned passages/.exec(message)?.[1]);
    expect(passages).toBeGreaterThan(15);
    for (const policy of ["lookahead", "nacl", "streamingllm"] as const) {
      const { figures } = await app.ask(await pinned([passage]), question, { budget: least, policy, mode, sampling });
      expect(figures).toMatchObject({ mode, policy });
      const [document] = figures.documents;
      if (mode === "streaming") expect(document?.keptTokens).toBe(passages);
      else expect(document?.keptTokens).toBeGreaterThanOrEqual(passages);
      expect(document?.keptTokens).toBeLessThanOrEqual(least);
    }
  });

  test("makes another cache of mode once of the documents, in memory and on disk", async () => {
    const asked = { budget, policy: "lookahead", mode: "once", sampling } as const;
    const plain = await app.ask(await fresh(), question, asked);
    const conversationId = await pinned([passage]);
    const kept = await app.ask(conversationId, question, asked);
    expect(kept.figures).toMatchObject({ evictions: 1, scoredFor: "document" });
    // The documents themselves were on disk: they are scored anew, not read anew.
    expect(kept.figures.restoredTokens).toBeGreaterThan(0);
    const unpinned = await app.ask(await fresh(), question, asked);
    expect(unpinned.figures).toMatchObject({ answer: plain.figures.answer, evictions: 0 });
    const again = await app.ask(await pinned([passage]), question, asked);
    expect(again.figures).toMatchObject({ answer: kept.figures.answer, evictions: 0, documents: kept.figures.documents });
    expect(again.figures.restoredTokens).toBeGreaterThan(again.figures.documentTokens);

    const documents = [{ documentId, pages: null }];
    const more = await app.call("findPassages", {
      documents,
      text: "In winter the stairs are salted twice a day because spray freezes on the iron steps. (Entry 5.)",
    });
    await app.call("setPins", { conversationId, pins: more });
    expect((await app.ask(conversationId, later, asked)).figures.startedOver).toBe("lost");
  });
});

describe("a comparison", () => {
  test("after a turn of another mode is that of mode question, and the turn's cache comes back from disk", async () => {
    const asked = { budget, policy: "lookahead", mode: "once", sampling } as const;
    const conversationId = await fresh();
    await app.ask(conversationId, question, asked);
    const before = await app.ask(conversationId, later, asked);
    const both = { conversationId, replaceTurnId: before.turn.id, question: later, sampling: { ...defaultSampling, ...sampling } };
    const { reading, full, kept } = await app.call("compare", { ...both, budget, policy: "lookahead" });
    expect([full.mode, kept.mode]).toEqual(["question", "question"]);
    expect(full).toMatchObject({ scoredFor: null, evictions: 0, scoredRows: 0 });
    expect(kept).toMatchObject({ scoredFor: "question", evictions: 1, scoredRows: 32, keptTokens: budget });
    expect(reading.cachedTokens + reading.evaluatedTokens).toBe(full.promptTokens);
    const whole = await app.ask(await fresh(), question, { sampling });
    expect(whole.figures.policy).toBe("full");
    const after = await app.ask(conversationId, later, { ...asked, replaceTurnId: before.turn.id });
    expect(after.figures).toMatchObject({ answer: before.figures.answer, evictions: 0, scoredFor: "document" });
    expect(after.figures.restoredTokens).toBeGreaterThan(after.figures.documentTokens);
  });

  test("and reselecting are refused where the full cache may not hold the prompt, with what to do", async () => {
    const small = await start({ fullCacheTokens: 512 });
    try {
      const { id } = await small.openText("log.txt", storyOf(700));
      const conversationId = await small.converse([id]);
      await small.ask(conversationId, question, { budget, policy: "streamingllm", mode: "streaming", sampling });
      const refusal = { code: "does-not-fit", message: expect.stringMatching(/one of 512.*streaming/) };
      const both = { conversationId, replaceTurnId: null, question, sampling: { ...defaultSampling, ...sampling } };
      await expect(small.call("compare", { ...both, budget, policy: "snapkv" })).rejects.toMatchObject(refusal);
      await expect(small.call("reselect", { conversationId, budget: 64, policy: "streamingllm" })).rejects.toMatchObject(refusal);
    } finally {
      await small.dispose();
    }
  });
});

describe("stored scores", () => {
  test.each(parts)("are neither made nor taken in mode %s, and reselecting says why there are none", async (mode) => {
    const asked = { budget, policy: "snapkv", sampling } as const;
    const own = `Say it in words: ${mode}. ${question}`;
    const conversationId = await fresh();
    const first = await app.ask(conversationId, own, { ...asked, mode });
    expect(first.figures.scoresStored).toBe(false);
    await expect(app.call("preview", { conversationId, budget: 64, policy: "snapkv" })).rejects.toMatchObject({
      code: "scores-missing",
      message: expect.stringMatching(/scores by parts.*mode “question”/),
    });
    // Of mode question there are some afterwards, and this mode still scores for itself.
    await app.ask(await fresh(), own, asked);
    const again = await app.ask(await fresh(), own, { ...asked, mode });
    expect(again.figures).toMatchObject({ answer: first.figures.answer, scoresStored: false });
  });
});

describe("several documents", () => {
  test.each(parts)("in mode %s: what is kept of each is told, and a share that cannot be is refused", async (mode) => {
    const ids: string[] = [];
    for (const name of ["A", "B"]) ids.push((await app.openText(`${name}.txt`, `Volume ${name}. ${storyOf(250, name)}`)).id);
    const conversationId = await app.converse(ids);
    const asked = { budget, policy: "snapkv", mode, sampling } as const;
    await expect(app.ask(conversationId, question, { ...asked, share: "even" })).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/share “even”.*share “score”/),
    });
    expect((await app.call("getConversation", { conversationId })).turns).toEqual([]);
    const { figures } = await app.ask(conversationId, question, asked);
    expect(figures.documents.map((document) => document.documentId)).toEqual(ids);
    const held = figures.documents.reduce((sum, { keptTokens }) => sum + keptTokens, 0);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(budget);
    for (const { tokens, keptTokens } of figures.documents) expect(keptTokens).toBeLessThan(tokens);
  });
});

describe("every policy", () => {
  const policies = policySchema.options.filter((policy) => policy !== "full");
  test.each(parts)("answers in mode %s the same each time, or is refused by name before anything is written", async (mode) => {
    for (const policy of policies) {
      // Of a budget that no other test has, so that nothing is there yet.
      const asked = { budget: 104, policy, mode, sampling: { ...sampling, seed: 3 } } as const;
      const conversationId = await fresh();
      if (!policyFacts[policy].inWindows) {
        await expect(app.ask(conversationId, question, asked)).rejects.toMatchObject({
          code: "usage",
          message: expect.stringContaining(policy),
        });
        expect((await app.call("getConversation", { conversationId })).turns).toEqual([]);
        continue;
      }
      const { figures } = await app.ask(conversationId, question, asked);
      expect(figures, policy).toMatchObject({ policy, mode, scoredFor: mode === "once" ? "document" : "question" });
      expect(figures.scoredRows > 0, policy).toBe(policyFacts[policy].scored !== "never");
      const again = await app.ask(await fresh(), question, asked);
      expect(again.figures, policy).toMatchObject({ answer: figures.answer, documents: figures.documents });
    }
  });
});

describe("snapshots", () => {
  test("are made of what mode once reads, serve mode question, and streaming neither makes nor takes any", async () => {
    const own = join(folder, "own snapshots");
    const inEngine = async <Result>(work: (ask: (mode: CacheMode) => Promise<AnswerFigures>, engine: TestEngine) => Promise<Result>) => {
      const engine = await start({}, own);
      try {
        const { id } = await engine.openText("log.txt", storyOf(620, "2718"));
        const ask = async (mode: CacheMode) =>
          (await engine.ask(await engine.converse([id]), question, { budget, policy: "snapkv", mode, sampling })).figures;
        return await work(ask, engine);
      } finally {
        // What waits to be written is written then.
        await engine.dispose();
      }
    };
    const usage = () => inEngine(async (_ask, engine) => (await engine.call("snapshotUsage", {})).totalBytes);

    const streamed = await inEngine((ask) => ask("streaming"));
    expect(streamed).toMatchObject({ cachedTokens: 0, restoredTokens: 0 });
    expect(await usage()).toBe(0);
    await inEngine((ask) => ask("once"));
    expect(await usage()).toBeGreaterThan(0);
    await inEngine(async (ask) => {
      expect((await ask("question")).restoredTokens).toBeGreaterThan(500);
      expect(await ask("streaming")).toMatchObject({ answer: streamed.answer, cachedTokens: 0, restoredTokens: 0 });
    });
  });
});
