import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Stage, StreamEvent } from "../../electron/contract/engine.ts";
import type { Heatmap } from "../../electron/contract/heatmap.ts";
import { type ChoosingPolicy, policyFacts } from "../../electron/contract/policies.ts";
import { modelFolder, smolPath, startEngine, storyOf, type TestEngine } from "./support/engine.ts";
import { ensureStranger } from "./support/stranger.ts";

const question = "What is the code of the harbour light?";
const [layers, heads, budget] = [30, 3, 64];
const sampling = { maxTokens: 12, seed: 3 };
/** The embedded model is made from it: smaller, and another file. */
const draftModel = join(modelFolder, "SmolLM2-135M-Instruct.Q4_1.gguf");

let app: TestEngine;
let documentId: string;
beforeAll(async () => {
  app = await startEngine({ contextLength: 1024 });
  documentId = (await app.openText("log.txt", storyOf(160))).id;
});
afterAll(() => app.dispose());

const fresh = () => app.converse([documentId]);
const draftOf = (policy: ChoosingPolicy) => (policyFacts[policy].needsDraftModel ? { draftModel } : {});
const draw = (policy: ChoosingPolicy, more: { budget?: number; seed?: number } = {}): Promise<Heatmap> =>
  app.call("heatmap", { documents: [{ documentId, pages: null }], question, budget, policy, seed: 1, ...draftOf(policy), ...more });
const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, number) => sum + number, 0);

describe.each(["snapkv", "laq", "speckv", "h2o", "tova", "nacl", "expected-attention"] as const)("%s", (policy) => {
  test("answers from a budget, in stages that are shown, and says what it kept, in measured bytes", async () => {
    const stages = new Set<Stage>();
    const onEvent = (event: StreamEvent) => event.event === "progress" && stages.add(event.stage);
    const { figures, turn } = await app.ask(await fresh(), question, { budget, policy, ...draftOf(policy), sampling, onEvent });
    expect(figures).toMatchObject({ policy, budget, keptTokens: budget });
    expect(turn.status).toBe("done");
    expect(figures.answer).not.toBe("");
    const isDrafted = policy === "laq" || policy === "speckv";
    expect(figures.fullCacheBytes).toBeGreaterThanOrEqual((figures.promptTokens + (isDrafted ? 32 : 0)) * 23_040);
    // Cells come in blocks of 32.
    expect(figures.keptCacheBytes).toBe((budget + 32) * 23_040);
    expect(stages.has("draft")).toBe(isDrafted);
    expect(stages.has("load")).toBe(policy === "speckv");
    expect([...stages]).toEqual(expect.arrayContaining(["prefill", "scoring", "eviction", "decode"]));
    // Nothing of drafting, scoring and eviction comes before the first token.
    expect(figures.timings.firstTokenMs).toBeLessThan(figures.timings.prefillMs + 300);
  });

  test("answers the same twice, and with a budget of the whole prompt as the full cache does", async () => {
    const options = { budget, policy, ...draftOf(policy), sampling };
    const [first, second] = [await app.ask(await fresh(), question, options), await app.ask(await fresh(), question, options)];
    expect(second.figures.answer).toBe(first.figures.answer);
    const full = await app.ask(await fresh(), question, { sampling });
    const whole = { ...options, budget: full.figures.promptTokens };
    const { figures } = await app.ask(await fresh(), question, whole);
    expect(figures).toMatchObject({ policy: "full", keptTokens: null, answer: full.figures.answer });
  });

  test("keeps just the budget in each layer and head, and what is always kept in all of them", async () => {
    const drawn = await draw(policy);
    expect(drawn).toMatchObject({ policy, keptTokens: budget, layers, heads });
    expect(sumOf(drawn.kept)).toBe(budget * layers * heads);
    expect([...drawn.protectedTokens].every((token) => drawn.kept[token] === layers * heads)).toBe(true);
    expect(sumOf(drawn.scores)).toBeGreaterThan(0);
    expect(sumOf(drawn.scores)).toBeLessThanOrEqual(1.001);
    expect((await draw(policy)).kept).toEqual(drawn.kept);
  });
});

describe("scores", () => {
  test("of h2o come to one over all tokens, and favour the first ones that all rows see", async () => {
    const { scores } = await draw("h2o");
    expect(sumOf(scores)).toBeCloseTo(1, 3);
    expect(scores[0]).toBeGreaterThan(scores[scores.length - 1] ?? 1);
  });

  test("of tova are one row's, and its heads keep the same tokens", async () => {
    const { scores, kept } = await draw("tova");
    expect(sumOf(scores)).toBeCloseTo(1, 3);
    expect(kept.every((count) => count % heads === 0)).toBe(true);
  });

  test("of expected attention come to one, are greatest for the first tokens, and do not depend on chance", async () => {
    const { scores, kept } = await draw("expected-attention");
    expect(sumOf(scores)).toBeCloseTo(1, 3);
    expect(scores.subarray(0, 4).every((score) => score >= Math.max(...scores))).toBe(true);
    expect(kept).not.toEqual((await draw("h2o")).kept);
    expect((await draw("expected-attention", { seed: 2 })).kept).toEqual(kept);
  });

  test("of a draft are others than those of the window alone, and of another draft others again", async () => {
    const [snapkv, laq, speckv] = [await draw("snapkv"), await draw("laq"), await draw("speckv")];
    expect(laq.scores).not.toEqual(snapkv.scores);
    expect(speckv.scores).not.toEqual(snapkv.scores);
    expect(laq.protectedTokens).toEqual(snapkv.protectedTokens);
    // The window's rows are half or more of all: what it looks at most, a draft cannot bring to nothing.
    const best = snapkv.scores.indexOf(Math.max(...snapkv.scores));
    expect(laq.scores[best]).toBeGreaterThan((snapkv.scores[best] ?? 0) / 3);
  });

  test("of nacl are its seed's for a part only", async () => {
    const [one, other] = [await draw("nacl", { seed: 1 }), await draw("nacl", { seed: 2 })];
    expect(one.scores).toEqual(other.scores);
    expect(one.kept).not.toEqual(other.kept);
    const shared = one.kept.reduce((sum, count, token) => sum + Math.min(count, other.kept[token] ?? 0), 0);
    expect(shared).toBeGreaterThan(budget * layers * heads * 0.6);
  });
});

describe("pyramidkv", () => {
  test("keeps as many in all as even budgets would, more of them in the first layers", async () => {
    const drawn = await draw("pyramidkv");
    expect(drawn).toMatchObject({ policy: "pyramidkv", keptTokens: budget });
    expect(sumOf(drawn.kept)).toBe(budget * layers * heads);
    expect(drawn.scores).toEqual((await draw("snapkv")).scores);
  });

  test("takes the memory that its budgets claim: that of even ones, and the room to answer", async () => {
    const asked = async (policy: ChoosingPolicy) => (await app.ask(await fresh(), question, { budget, policy, sampling })).figures;
    const [uneven, even] = [await asked("pyramidkv"), await asked("snapkv")];
    expect(uneven).toMatchObject({ policy: "pyramidkv", keptTokens: budget });
    expect(uneven.answer).not.toBe("");
    // Its largest layer's cells are rounded up to 32, and all layers have the same room.
    const block = 32 * layers * heads * 64 * 2 * 2;
    expect(Math.abs(uneven.keptCacheBytes - even.keptCacheBytes)).toBeLessThan(block);
    expect(uneven.keptCacheBytes).toBeLessThan(uneven.fullCacheBytes / 2);
  });

  test("goes on where an answer is longer than the room it was first given", async () => {
    // So hot that nothing but the limit ends it.
    const long = { maxTokens: 300, temperature: 5, topK: 0, topP: 1, minP: 0, seed: 3 };
    const { figures } = await app.ask(await fresh(), question, { budget, policy: "pyramidkv", sampling: long });
    expect(figures).toMatchObject({ answerTokens: 300, stopReason: "max-tokens", keptTokens: budget });
  });
});

describe("a draft model", () => {
  const refusal = async (options: { policy: ChoosingPolicy; draftModel?: string }) => {
    const conversationId = await fresh();
    const problem: unknown = await app.ask(conversationId, question, { budget, ...options }).catch((error: unknown) => error);
    expect((await app.call("getConversation", { conversationId })).turns).toEqual([]);
    return problem;
  };

  test("that is missing, or not wanted, is told by what to do", async () => {
    expect(await refusal({ policy: "speckv" })).toMatchObject({
      code: "usage",
      message: expect.stringMatching(/draft model.*--draft-model.*laq/),
    });
    expect(await refusal({ policy: "snapkv", draftModel })).toMatchObject({ code: "usage", message: expect.stringContaining("speckv") });
    expect(await refusal({ policy: "speckv", draftModel: "nowhere" })).toMatchObject({ code: "model-missing" });
    expect(await refusal({ policy: "speckv", draftModel: "/nowhere/a.gguf" })).toMatchObject({ code: "model-missing" });
    await expect(app.call("heatmap", { documents: [], question, budget, policy: "speckv", seed: 1 })).rejects.toMatchObject({
      code: "usage",
    });
  });

  test("that could save nothing is refused: the model itself, and one that is no smaller", async () => {
    expect(await refusal({ policy: "speckv", draftModel: smolPath })).toMatchObject({
      code: "usage",
      message: expect.stringContaining("laq"),
    });
    const stranger = await ensureStranger();
    expect(await refusal({ policy: "speckv", draftModel: stranger })).toMatchObject({
      code: "usage",
      message: expect.stringContaining("no smaller"),
    });
  });

  test("is freed after its draft", async () => {
    let asked = 0;
    const residentAfter = async () => {
      // Another question each time: stored scores would need no draft.
      asked += 1;
      await app.ask(await fresh(), `${question} (${asked})`, { budget, policy: "speckv", draftModel, sampling: { maxTokens: 2 } });
      return process.memoryUsage().rss;
    };
    await residentAfter();
    const first = await residentAfter();
    for (let round = 0; round < 3; round++) await residentAfter();
    // Its weights alone are 98 MB, and its cache for this prompt 15.
    expect((await residentAfter()) - first).toBeLessThan(60e6);
  });
});

describe("Stop", () => {
  test.each([
    ["laq", "draft"],
    ["speckv", "load"],
    ["speckv", "draft"],
    ["speckv", "scoring"],
  ] as const)("of %s in %s leaves a cache that answers as before", async (policy, stage) => {
    const options = { budget, policy, ...draftOf(policy), sampling };
    const before = await app.ask(await fresh(), question, options);
    const controller = new AbortController();
    let stopped = 0;
    const onEvent = (event: StreamEvent) => {
      if (event.event !== "progress" || event.stage !== stage || controller.signal.aborted) return;
      stopped = performance.now();
      controller.abort();
    };
    // Another question, whose scores are not there yet.
    const { turn, figures } = await app.ask(await fresh(), `Who keeps it? (${policy}, ${stage})`, {
      ...options,
      signal: controller.signal,
      onEvent,
    });
    expect(performance.now() - stopped).toBeLessThan(2000);
    expect(turn.status).toBe("stopped");
    expect(figures).toMatchObject({ stopReason: "cancelled", keptTokens: null });
    const after = await app.ask(await fresh(), question, options);
    expect(after.figures.answer).toBe(before.figures.answer);
  });
});
