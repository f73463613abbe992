import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examineKept } from "../../bench/quality/examine.ts";
import { clear } from "../../bench/quality/fullCache.ts";
import { readWhole } from "../../bench/quality/readWhole.ts";
import { type Prompt, policyRule, snapRule } from "../../bench/quality/rules.ts";
import { fitPrompt } from "../../bench/quality-sets/layout.ts";
import { measureItem, type TaskItem } from "../../bench/quality-sets/measure.ts";
import type { Item, ScoredTask } from "../../bench/quality-sets/task.ts";
import { writeGreedily } from "../../electron/engine/conversation/greedy.ts";
import { createModuleShelf } from "../../electron/engine/lookahead/moduleShelf.ts";
import { createModelShelf } from "../../electron/engine/models.ts";
import { createSession, type Loaded, type Session } from "../../electron/engine/session.ts";
import { smolPath, storyOf } from "./support/engine.ts";

const text = {
  head: "Read this.\n",
  context: storyOf(300),
  question: "\nWhat is the code of the harbour light?",
  opening: "The code of the harbour light is",
};
const item: Item = { id: "1", gold: ["481516"], source: { kind: "whole", text } };

let session: Session;
beforeAll(async () => {
  session = createSession(createModelShelf([]), createModuleShelf([]));
  const request = { model: smolPath, contextLength: 1024, fullCacheTokens: null, kvType: "f16", threads: null } as const;
  await session.load(request, new AbortController().signal, () => undefined);
});
afterAll(() => session.dispose());

const withPrompt = (work: (loaded: Loaded, prompt: Prompt) => Promise<void>) =>
  session.use(async (loaded) => {
    const fitted = await fitPrompt(loaded, item.source, 900);
    if (fitted === null) throw new Error("The story is too long.");
    await work(loaded, fitted.prompt);
  });

describe("the bench of quality", () => {
  test("reads rows anew for a rule and finds the same scores, and leaves the full cache as it was", () =>
    withPrompt(async (loaded, prompt) => {
      const end = prompt.tokens.length;
      const plan = snapRule.plan(prompt, 64);
      const context = await readWhole(loaded, prompt.tokens, plan);
      const read = { context, prompt, windowScores: context.scores(end), answer: [1] };
      const before = context.bytesOf(7, "keys").bytes;
      clear(context, end);
      const scores = await policyRule(loaded, "snapkv").score(read, plan);
      expect(scores?.values).toEqual(read.windowScores.values);
      for (const policy of ["laq", "h2o", "tova", "streamingllm"] as const) {
        const rule = policyRule(loaded, policy);
        await rule.score(read, rule.plan(prompt, 64));
        clear(context, end);
      }
      // What lies behind the prompt's cells is of no account.
      const { row } = context.bytesOf(7, "keys");
      expect(context.bytesOf(7, "keys").bytes.subarray(0, end * row)).toEqual(before.subarray(0, end * row));
    }));

  test("answers from what is kept, and says which budgets keep all or cannot keep what is always kept", () =>
    withPrompt(async (loaded, prompt) => {
      const end = prompt.tokens.length;
      const budgets = [8, 64, end - 1, end].map((tokens) => ({ name: `b${tokens}`, tokens }));
      const rules = [snapRule, policyRule(loaded, "streamingllm")];
      const settings = { rules, budgets, maxTokens: 12, ofNothing: "" };
      const { full, seen, leftOut } = await examineKept(
        loaded,
        prompt,
        settings,
        async (kept) => (await writeGreedily(loaded, kept.context, kept.start)).text,
      );
      expect(leftOut).toEqual({ whole: [`b${end}`], tooSmall: ["b8"] });
      expect(seen.map(({ policy, budget }) => `${policy} ${budget}`)).toEqual(
        ["snapkv", "streamingllm"].flatMap((policy) => [`${policy} b64`, `${policy} b${end - 1}`]),
      );
      for (const { budget, sight } of seen) if (budget === `b${end - 1}`) expect(sight).toBe(full.text);
    }));

  test("ends an answer where it is right", () =>
    session.use(async (loaded) => {
      const task: ScoredTask = {
        name: "light",
        group: "ruler",
        answerTokens: 24,
        score: (answer) => (answer.trim().length >= 3 ? 1 : 0),
        endsWhenRight: true,
        keptShare: null,
        items: [item],
      };
      const settings = { rules: [snapRule], budgets: [64], tokens: 1000, answerTokens: null };
      const outcome = await measureItem(loaded, { task, item, index: 0 }, settings);
      expect(outcome).toMatchObject({ kind: "scored", full: { score: 1 }, kept: [{ policy: "snapkv", budget: "64", score: 1 }] });
      if (outcome.kind === "scored") expect(outcome.full.text.trim().length).toBeLessThan(24);
    }));

  test("holds answers against the full cache's: a cache that lacks one token gives it nearly the same likelihood", () =>
    withPrompt(async (loaded, prompt) => {
      const asked: TaskItem = { task: { name: "agreement", group: "agreement", answerTokens: 16, items: [item] }, item, index: 0 };
      const settings = { rules: [policyRule(loaded, "streamingllm")], tokens: 1000, answerTokens: null };
      const outcome = await measureItem(loaded, asked, { ...settings, budgets: [64, prompt.tokens.length - 1] });
      if (outcome.kind !== "agreement") throw new Error("It is of another kind.");
      const [few, nearly] = outcome.kept;
      const full = outcome.full.logLikelihood ?? Number.NaN;
      expect(full).toBeLessThan(0);
      expect(Math.abs((nearly?.logLikelihood ?? Number.NaN) - full)).toBeLessThan(0.05);
      expect(few?.logLikelihood ?? 0).toBeLessThan(full);
      expect(nearly).toMatchObject({ f1: 1, rougeL: 1, edit: 1 });
    }));

  test("compares what sampled answers look at", () =>
    session.use(async (loaded) => {
      const asked: TaskItem = { task: { name: "looks", group: "temperature", answerTokens: 8, items: [item] }, item, index: 0 };
      const outcome = await measureItem(loaded, asked, { rules: [snapRule], budgets: [64], tokens: 1000, answerTokens: null });
      if (outcome.kind !== "temperature") throw new Error("It is of another kind.");
      expect(outcome.rows.map(({ name }) => name)).toEqual(["T 0.2", "T 0.4", "T 0.6", "T 0.8", "T 1", "snapkv"]);
      for (const { recall, tau } of outcome.rows) {
        expect(recall.map(({ of }) => of)).toEqual([64, 128, 512].filter((count) => count < outcome.promptTokens));
        // Far from what chance would find: 64 of some hundred tokens, and no order.
        expect(recall[0]?.share).toBeGreaterThan(0.4);
        expect(tau).toBeGreaterThan(0.3);
      }
    }));
});
