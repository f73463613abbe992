import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSampling } from "../../electron/contract/conversation.ts";
import type { StreamEvent } from "../../electron/contract/engine.ts";
import { passageOf } from "../../electron/contract/passages.ts";
import { topPassages } from "../../electron/contract/topPassages.ts";
import { unitsOf } from "../../electron/contract/units.ts";
import { ensureUntrainedModule } from "../../scripts/module.mjs";
import { smolPath, startEngine, storyOf, type TestEngine } from "./support/engine.ts";

const question = "What is the code of the harbour light?";
const [layers, heads] = [30, 3];

let app: TestEngine;
let folder: string;
let documentId: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-together-"));
  const module = await ensureUntrainedModule(smolPath, { randomLora: 0.01 });
  await symlink(module, join(folder, basename(module)));
  app = await startEngine({ contextLength: 2048 }, { moduleFolders: [folder], snapshotFolder: join(folder, "snapshots") });
  documentId = (await app.openText("log.txt", storyOf(500))).id;
}, 120_000);
afterAll(async () => {
  await app.dispose();
  await rm(folder, { recursive: true, force: true });
});

const fresh = () => app.converse([documentId]);
const pinOf = async (text: string) => {
  const found = await app.call("findPassages", { documents: [{ documentId, pages: null }], text });
  expect(found).toHaveLength(1);
  return found;
};

describe("a pinned passage", () => {
  const passage = "The keeper writes the wind, the tide and the names of passing ships into a bound book each evening. (Entry 13.)";

  test.each(["lookahead", "snapkv", "pyramidkv", "laq", "h2o", "tova", "nacl", "expected-attention", "streamingllm", "random"] as const)(
    "is kept by %s in every layer and head, and not without the pin",
    async (policy) => {
      const pins = await pinOf(passage);
      const wanted = { documents: [{ documentId, pages: null }], question, budget: 90, policy, seed: 1 };
      const drawn = await app.call("heatmap", { ...wanted, pins });
      const page = drawn.parts.find((part) => part.kind === "page");
      const [start, end] = [pins[0]?.start ?? 0, pins[0]?.end ?? 0];
      const first = page?.firstToken ?? 0;
      const touched = Array.from({ length: page?.tokens ?? 0 }, (_, index) => first + index).filter((token) => {
        const next = token + 1 < first + (page?.tokens ?? 0) ? (drawn.starts[token + 1] ?? 0) : (page?.text.length ?? 0);
        return (drawn.starts[token] ?? 0) < end && next > start;
      });
      expect(touched.length).toBeGreaterThan(15);
      for (const token of touched) expect(drawn.kept[token], `token ${token}`).toBe(layers * heads);
      const without = await app.call("heatmap", wanted);
      expect(touched.some((token) => (without.kept[token] ?? 0) < layers * heads)).toBe(true);
    },
  );

  test("is remembered with its conversation, and one too many is refused with the least budget", async () => {
    const conversationId = await fresh();
    const pins = await pinOf(passage);
    expect((await app.call("setPins", { conversationId, pins })).pins).toEqual(pins);
    expect(await app.call("listPins", { conversationId })).toEqual([{ pin: pins[0], text: passage, problem: null }]);
    await expect(app.ask(conversationId, question, { budget: 40, policy: "snapkv" })).rejects.toThrow(
      /in pinned passages.*at least \d+, or unpin/,
    );
    const { figures } = await app.ask(conversationId, question, { budget: 90, policy: "snapkv", sampling: { maxTokens: 4 } });
    expect(figures.keptTokens).toBe(90);
    // What cannot be pinned is refused and changes nothing.
    await expect(app.call("setPins", { conversationId, pins: [{ documentId, page: 2, start: 0, end: 1 }] })).rejects.toThrow(/page 2/);
    expect((await app.call("getConversation", { conversationId })).pins).toEqual(pins);
  });
});

describe("importance", () => {
  const asked = { budget: 96, policy: "snapkv" } as const;

  test("tells how the last answer saw its prompt, from stored scores; for all heads and for one", async () => {
    const conversationId = await fresh();
    await expect(app.call("importance", { conversationId, ...asked })).rejects.toThrow("Nothing was asked");
    const { turn } = await app.ask(conversationId, question, { ...asked, sampling: { maxTokens: 4 } });
    const seen = await app.call("importance", { conversationId, ...asked });
    const drawn = await app.call("heatmap", { documents: [{ documentId, pages: null }], question, ...asked, seed: 1 });
    const { timings: _timings, ...same } = drawn;
    expect(seen).toMatchObject({ ...same, turnId: turn.id, layerHead: null });
    expect(seen.grid?.keptShare).toHaveLength(layers * heads);
    for (const share of seen.grid?.keptShare ?? []) expect(share).toBeCloseTo(96 / seen.promptTokens, 5);
    for (const share of seen.grid?.keptAttention ?? []) expect(share).toBeGreaterThan(0.1);

    const sum = new Float64Array(seen.promptTokens);
    const count = new Uint16Array(seen.promptTokens);
    for (let layer = 0; layer < layers; layer++) {
      for (let head = 0; head < heads; head++) {
        const one = await app.call("importance", { conversationId, ...asked, layerHead: { layer, head } });
        one.scores.forEach((score, token) => {
          sum[token] = (sum[token] ?? 0) + score / (layers * heads);
          count[token] = (count[token] ?? 0) + (one.kept[token] ?? 0);
        });
      }
    }
    expect(count).toEqual(seen.kept);
    for (const [token, mean] of sum.entries()) expect(mean).toBeCloseTo(seen.scores[token] ?? -1, 5);
    await expect(app.call("importance", { conversationId, ...asked, layerHead: { layer: 0, head: heads } })).rejects.toThrow(/no head 3/);
  });

  test("names the sentences that an answer was chosen by, and the history keeps them with it", async () => {
    const conversationId = await fresh();
    const { turn, figures } = await app.ask(conversationId, question, { ...asked, sampling: { maxTokens: 4 } });
    const seen = await app.call("importance", { conversationId, ...asked });
    const pages = seen.parts.flatMap((part) => {
      const passage = passageOf(seen, part);
      if (passage === null || part.documentId === null || part.page === null) return [];
      return [{ documentId: part.documentId, page: part.page, text: passage.text, units: unitsOf(passage, "sentence") }];
    });
    const best = topPassages(pages, 4).map(({ score: _score, ...sentence }) => sentence);
    expect(best.length).toBeGreaterThan(1);
    expect(figures.evidence).toEqual(best);
    const text = (await app.call("pageText", { documentId, page: 1 })).text;
    for (const { start, end, text: words } of figures.evidence) expect(text.slice(start, end).replace(/\s+/g, " ").trim()).toBe(words);
    expect((await app.call("getConversation", { conversationId })).turns.find(({ id }) => id === turn.id)?.figures?.evidence).toEqual(best);

    const again = await app.ask(conversationId, "Who keeps the light?", { budget: 96, policy: "random", sampling: { maxTokens: 4 } });
    expect(again.figures.evidence).toEqual([]);
  });

  test("is asked for where nothing was evicted: missing first, then scored, then there", async () => {
    const conversationId = await fresh();
    await app.ask(conversationId, "Who keeps the light?", { sampling: { maxTokens: 4 } });
    const wanted = { conversationId, budget: 1_000_000, policy: "lookahead" } as const;
    await expect(app.call("importance", wanted)).rejects.toMatchObject({ code: "scores-missing" });
    const stages = new Set<string>();
    const onEvent = (event: StreamEvent) => {
      if (event.event === "progress") stages.add(event.stage);
    };
    const scored = await app.call("importance", { ...wanted, read: true }, { onEvent });
    expect(stages).toContain("scoring");
    expect(scored.kept.every((kept) => kept === layers * heads)).toBe(true);
    expect(Math.max(...scored.scores)).toBeGreaterThan(0);
    expect(await app.call("importance", wanted)).toEqual(scored);
  });
});

/** Changes a byte at the end of each stored chunk. */
async function damageSnapshots() {
  const snapshots = join(folder, "snapshots");
  const chunks = (await readdir(snapshots)).filter((name) => name.endsWith(".chunk"));
  expect(chunks.length).toBeGreaterThan(0);
  for (const name of chunks) {
    const bytes = await readFile(join(snapshots, name));
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(join(snapshots, name), bytes);
  }
}

describe("reselect", () => {
  const question = "Which code does the light have?";
  const choice = { policy: "lookahead", draftModel: null } as const;
  const sampling = { maxTokens: 12 };

  test("chooses anew from stored scores and gathers without reading the document: growing, shrinking, another policy", async () => {
    const conversationId = await fresh();
    const first = await app.ask(conversationId, question, { budget: 96, policy: "lookahead", sampling });
    expect(first.figures.scoresStored).toBe(false);
    const turnId = first.turn.id;
    const all = await app.call("heatmap", {
      documents: [{ documentId, pages: null }],
      question,
      budget: 160,
      policy: "lookahead",
      seed: 1,
    });
    for (const budget of [160, 64, 100_000]) {
      const preview = await app.call("preview", { conversationId, budget, ...choice });
      const chosen = await app.call("reselect", { conversationId, budget, ...choice });
      const used = Math.min(budget, chosen.promptTokens);
      expect(chosen).toMatchObject({ policy: "lookahead", budget, keptTokens: used, layers, heads });
      expect(chosen.kept.reduce((sum, count) => sum + count, 0)).toBe(used * layers * heads);
      expect(preview.kept).toEqual(chosen.kept);
      if (budget === 160) expect(chosen.kept).toEqual(all.kept);
      // The heatmap left the full cache, which holds the whole prompt.
      expect(chosen).toMatchObject({ evaluatedTokens: 0, restoredTokens: 0, cachedTokens: chosen.promptTokens });
      expect(chosen.keptCacheBytes).toBe(Math.ceil((used + 256) / 32) * 32 * 23_040);
      expect((await app.call("preview", { conversationId, budget, ...choice })).keptCacheBytes).toBe(chosen.keptCacheBytes);
    }
    expect((await app.call("preview", { conversationId, budget: 77, ...choice })).keptCacheBytes).toBeNull();
    await expect(app.call("reselect", { conversationId, budget: 64, policy: "snapkv" })).rejects.toMatchObject({ code: "scores-missing" });
    const byPlace = await app.call("reselect", { conversationId, budget: 64, policy: "streamingllm" });
    expect(byPlace).toMatchObject({ policy: "streamingllm", keptTokens: 64 });

    // Nothing was written down, and the same question with another budget is answered from the stored scores, as a fresh run would.
    expect((await app.call("getConversation", { conversationId })).turns).toHaveLength(1);
    const again = await app.ask(conversationId, question, { budget: 160, policy: "lookahead", replaceTurnId: turnId, sampling });
    expect(again.figures).toMatchObject({ scoresStored: true, keptTokens: 160 });
    expect(again.figures.timings.scoringMs).toBeLessThan(first.figures.timings.scoringMs);
    expect(again.figures.evaluatedTokens).toBeLessThan(64);
    const other = await startEngine({ contextLength: 2048 }, { moduleFolders: [folder] });
    try {
      const { id } = await other.openText("log.txt", storyOf(500));
      const alone = await other.ask(await other.converse([id]), question, { budget: 160, policy: "lookahead", sampling });
      expect(alone.figures).toMatchObject({ answer: again.figures.answer, scoresStored: false });
    } finally {
      await other.dispose();
    }
  });

  test("takes the rows from disk where the full cache was freed, and says where it had to read again", async () => {
    const conversationId = await fresh();
    await app.ask(conversationId, question, { budget: 96, policy: "snapkv", sampling });
    const stored = await app.call("reselect", { conversationId, budget: 128, policy: "pyramidkv" });
    expect(stored.policy).toBe("pyramidkv");
    expect(stored.restoredTokens).toBeGreaterThan(400);
    // Nothing is read, and no full cache made: what no snapshot has stayed in memory.
    expect(stored).toMatchObject({ evaluatedTokens: 0, cachedTokens: stored.promptTokens });
    expect(stored.timings.prefillMs).toBe(0);
    expect(stored.fullCacheBytes).toBeGreaterThan(stored.promptTokens * 23_000);
    const again = await app.call("reselect", { conversationId, budget: 128, policy: "pyramidkv" });
    expect(again).toMatchObject({ evaluatedTokens: 0, restoredTokens: stored.restoredTokens, kept: stored.kept });
    expect(again.keptCacheBytes).toBe(stored.keptCacheBytes);
    // The same from a full cache that is in memory.
    await app.call("heatmap", { documents: [{ documentId, pages: null }], question, budget: 128, policy: "snapkv", seed: 1 });
    const held = await app.call("reselect", { conversationId, budget: 128, policy: "pyramidkv" });
    expect(held).toMatchObject({ restoredTokens: 0, kept: stored.kept, keptCacheBytes: stored.keptCacheBytes });

    await app.ask(conversationId, "Where does the keeper write?", { budget: 96, policy: "snapkv", sampling });
    await damageSnapshots();
    const mended = await app.call("reselect", { conversationId, budget: 128, policy: "pyramidkv" });
    expect(mended.evaluatedTokens).toBeGreaterThan(0);
    expect(mended.cachedTokens + mended.evaluatedTokens).toBe(mended.promptTokens);

    await app.ask(conversationId, "And when was it built?", { budget: 96, policy: "snapkv", sampling });
    await app.call("clearSnapshots", { documentId: null });
    const events: StreamEvent[] = [];
    const read = await app.call("reselect", { conversationId, budget: 128, policy: "snapkv" }, { onEvent: (event) => events.push(event) });
    expect(read).toMatchObject({ cachedTokens: 0, evaluatedTokens: read.promptTokens });
    expect(events.some((event) => event.event === "notice" && /read again/.test(event.message))).toBe(true);
  });

  test("takes the whole prompt from disk, and what Stop broke off frees its cache and is done again", async () => {
    const conversationId = await fresh();
    const asked = { budget: 96, policy: "snapkv", sampling } as const;
    const { figures } = await app.ask(conversationId, question, asked);
    const caches = async () => (await app.call("memory", {})).model;
    const before = await caches();
    const controller = new AbortController();
    const onEvent = (event: StreamEvent) => {
      if (event.event === "progress" && event.stage === "restore") controller.abort();
    };
    const wanted = { conversationId, budget: 100_000, policy: "snapkv" } as const;
    await expect(app.call("reselect", wanted, { signal: controller.signal, onEvent })).rejects.toMatchObject({ code: "cancelled" });
    expect(await caches()).toEqual(before);
    expect(before).toMatchObject({ keptCacheBytes: 0, fullCacheBytes: 0 });
    const whole = await app.call("reselect", wanted);
    expect(whole).toMatchObject({ evaluatedTokens: 0, keptTokens: whole.promptTokens });
    expect(new Set(whole.kept)).toEqual(new Set([layers * heads]));
    const [turn] = (await app.call("getConversation", { conversationId })).turns;
    const again = await app.ask(conversationId, question, { ...asked, replaceTurnId: turn?.id ?? "" });
    expect(again.figures.answer).toBe(figures.answer);
  });

  test("is refused where nothing was asked, and can be stopped", async () => {
    const conversationId = await fresh();
    await expect(app.call("reselect", { conversationId, budget: 64, ...choice })).rejects.toThrow(/Nothing was asked/);
    const { figures } = await app.ask(conversationId, question, { budget: 96, policy: "lookahead", sampling });
    await app.call("clearSnapshots", { documentId: null });
    const controller = new AbortController();
    const onEvent = (event: StreamEvent) => {
      if (event.event === "progress" && event.stage === "prefill" && event.done > 0) controller.abort();
    };
    await expect(
      app.call("reselect", { conversationId, budget: 64, ...choice }, { signal: controller.signal, onEvent }),
    ).rejects.toMatchObject({ code: "cancelled" });
    const after = await app.ask(conversationId, question, {
      budget: 96,
      policy: "lookahead",
      replaceTurnId: (await app.call("getConversation", { conversationId })).turns[0]?.id ?? "",
      sampling,
    });
    expect(after.figures.answer).toBe(figures.answer);
  });
});

describe("compare", () => {
  const question = "What is written each evening?";
  const sampling = { ...defaultSampling, maxTokens: 16 };
  const asked = { replaceTurnId: null, question, sampling, budget: 80, draftModel: null } as const;

  test.each(["lookahead", "h2o"] as const)(
    "by %s answers as each cache alone would, reads once, and writes nothing down",
    async (policy) => {
      const conversationId = await fresh();
      await app.call("clearSnapshots", { documentId: null });
      // Whatever was in memory is freed, so that the comparison has to read.
      await app.ask(await app.converse([]), "Hello, who are you?", { budget: 24, policy: "streamingllm", sampling: { maxTokens: 2 } });
      const compared = await app.call("compare", { ...asked, conversationId, policy });
      const { reading, full, kept } = compared;
      expect(reading.cachedTokens + reading.evaluatedTokens).toBe(full.promptTokens);
      expect(full.evaluatedTokens).toBeLessThan(65);
      expect(kept.evaluatedTokens).toBeLessThan(65);
      expect(full).toMatchObject({ policy: "full", budget: "full", keptTokens: null, scoresStored: false });
      expect(kept).toMatchObject({ policy, budget: 80, keptTokens: 80, seed: full.seed });
      expect(kept.keptCacheBytes).toBeLessThan(full.keptCacheBytes);
      expect((await app.call("getConversation", { conversationId })).turns).toEqual([]);

      const whole = await app.ask(await fresh(), question, { sampling });
      const evicted = await app.ask(await fresh(), question, { budget: 80, policy, sampling });
      expect(full.answer).toBe(whole.figures.answer);
      expect(kept.answer).toBe(evicted.figures.answer);
    },
  );

  test("is refused where both would be the same, and can be stopped in either half", async () => {
    const conversationId = await fresh();
    await expect(app.call("compare", { ...asked, conversationId, budget: 100_000, policy: "snapkv" })).rejects.toThrow(
      /nothing to compare/,
    );
    const before = await app.call("compare", { ...asked, conversationId, policy: "snapkv" });
    for (const half of [1, 2]) {
      const controller = new AbortController();
      let decodes = 0;
      const onEvent = (event: StreamEvent) => {
        if (event.event !== "progress" || event.stage !== "decode") return;
        if (event.done === 0) decodes += 1;
        if (decodes === half) controller.abort();
      };
      const stopping = app.call("compare", { ...asked, conversationId, policy: "snapkv" }, { signal: controller.signal, onEvent });
      await expect(stopping, `half ${half}`).rejects.toMatchObject({ code: "cancelled" });
      expect(decodes).toBe(half);
    }
    const after = await app.call("compare", { ...asked, conversationId, policy: "snapkv" });
    expect([after.full.answer, after.kept.answer]).toEqual([before.full.answer, before.kept.answer]);
  });
});

describe("several documents", () => {
  const question = "What do the documents have in common?";
  const sampling = { maxTokens: 4 };
  let ids: string[];
  beforeAll(async () => {
    // Of about 150, 300 and 450 tokens, and no beginning in common.
    const texts = [1, 2, 3].map((size) => `Volume ${"ABC"[size - 1]}. ${storyOf(130 * size, `${size}`)}`);
    ids = [];
    for (const [index, text] of texts.entries()) ids.push((await app.openText(`volume ${index + 1}.txt`, text)).id);
  });

  test("have their share of the budget, and the figures say what is kept of each", async () => {
    const choice = { budget: 180, policy: "snapkv", share: "even" } as const;
    const documents = ids.map((id) => ({ documentId: id, pages: null }));
    const drawn = await app.call("heatmap", { documents, question, ...choice, seed: 1 });
    expect(drawn.documents.map((document) => document.documentId)).toEqual(ids);
    const conversationId = await app.converse(ids);
    const { figures } = await app.ask(conversationId, question, { ...choice, sampling });
    expect(figures.documents).toEqual(drawn.documents);
    expect((await app.call("preview", { conversationId, ...choice })).documents).toEqual(drawn.documents);
    const whole = await app.ask(await app.converse(ids), question, { sampling });
    expect(whole.figures.documents.every(({ tokens, keptTokens }) => tokens === keptTokens)).toBe(true);
  });

  test("even and by length divide what the documents have together", async () => {
    const draw = async (share: "score" | "even" | "length") => {
      const documents = ids.map((id) => ({ documentId: id, pages: null }));
      return app.call("heatmap", { documents, question, budget: 180, policy: "lookahead", share, seed: 1 });
    };
    const [pooled, even, byLength] = [await draw("score"), await draw("even"), await draw("length")];
    const sumOf = ({ documents }: typeof pooled) => documents.reduce((sum, { keptTokens }) => sum + keptTokens, 0);
    expect(sumOf(even)).toBeCloseTo(sumOf(pooled), 6);
    expect(sumOf(byLength)).toBeCloseTo(sumOf(pooled), 6);
    for (const drawn of [even, byLength]) expect(drawn.kept.reduce((sum, count) => sum + count, 0)).toBe(180 * layers * heads);
    const [least = 0, , most = 0] = even.documents.map(({ keptTokens }) => keptTokens);
    // The first document gets the token that is left over; protected tokens are at the prompt's ends, outside of documents.
    expect(Math.abs(least - most)).toBeLessThanOrEqual(1);
    const tokens = byLength.documents.reduce((sum, document) => sum + document.tokens, 0);
    for (const document of byLength.documents) {
      expect(Math.abs(document.keptTokens - (sumOf(byLength) * document.tokens) / tokens)).toBeLessThanOrEqual(1);
    }
  });

  test("are read only from where the list changed", async () => {
    const reader = await startEngine({ contextLength: 2048 });
    try {
      const own: string[] = [];
      for (const [index, size] of [1, 2, 3].entries()) {
        own.push((await reader.openText(`volume ${index + 1}.txt`, `Volume ${"ABC"[index]}. ${storyOf(130 * size, `${size}`)}`)).id);
      }
      const [first = "", second = "", third = ""] = own;
      const conversationId = await reader.converse([first, second]);
      let replaceTurnId: string | undefined;
      const ask = async (documentIds: string[]) => {
        await reader.call("setConversationDocuments", {
          conversationId,
          documents: documentIds.map((id) => ({ documentId: id, pages: null })),
        });
        const { turn, figures } = await reader.ask(conversationId, question, {
          sampling,
          ...(replaceTurnId === undefined ? {} : { replaceTurnId }),
        });
        replaceTurnId = turn.id;
        return figures;
      };
      const two = await ask([first, second]);
      expect(two.cachedTokens).toBe(0);
      // One more at the end: what comes before it is there.
      const three = await ask([first, second, third]);
      const tokensOf = (figures: typeof two) => figures.documents.reduce((sum, { tokens }) => sum + tokens, 0);
      expect(three.cachedTokens).toBeGreaterThanOrEqual(Math.floor(tokensOf(two) / 64) * 64);
      expect(three.evaluatedTokens).toBeLessThan(three.promptTokens - tokensOf(two) + 64);
      // The last one taken out: only the question is read.
      const back = await ask([first, second]);
      expect(back.evaluatedTokens).toBeLessThan(back.promptTokens - tokensOf(two) + 64);
      expect(back.answer).toBe(two.answer);
      // The first one taken out: from there on all is read.
      const without = await ask([second]);
      expect(without.cachedTokens).toBeLessThan(64);
    } finally {
      await reader.dispose();
    }
  });

  test("that are too long together are refused by name with the tokens of each", async () => {
    const { id } = await app.openText("volume 4.txt", `Volume D. ${storyOf(2000)}`);
    const conversationId = await app.converse([ids[0] ?? "", id]);
    const documents = [ids[0] ?? "", id].map((documentId) => ({ documentId, pages: null }));
    const measured = await app.call("measurePrompt", { conversationId, documents, question, replaceTurnId: null, maxTokens: 4 });
    expect(measured.fits).toBe(false);
    expect(measured.documents.map(({ documentId }) => documentId)).toEqual([ids[0], id]);
    const [first, second] = measured.documents.map(({ tokens }) => tokens.toLocaleString("en"));
    await expect(app.ask(conversationId, question)).rejects.toThrow(
      new RegExp(`“volume 1.txt” ${first}, “volume 4.txt” ${second}.*Nothing was cut`),
    );
    expect((await app.call("getConversation", { conversationId })).turns).toEqual([]);
  });
});
