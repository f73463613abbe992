import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StreamEvent } from "../../electron/contract/engine.ts";
import { startEngine, storyOf, type TestEngine } from "./support/engine.ts";

// What mode `once` keeps serves whoever comes next, in memory and on disk: it must be what a fresh reading would have given.

let folder: string;
let used: TestEngine;
let fresh: TestEngine;
/** A conversation whose answers take the place of what is in memory. */
let other: string;
const away = () => used.ask(other, "away?", { mode: "streaming", budget: 100, policy: "snapkv", sampling: { maxTokens: 1 } });
const stored = async () => {
  await expect.poll(async () => (await used.call("snapshotUsage", {})).totalBytes, { timeout: 60_000 }).toBeGreaterThan(0);
  // What was handed over is written in its turn; nothing tells from outside that it is there.
  await new Promise((resolve) => setTimeout(resolve, 1000));
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-once-"));
  used = await startEngine({}, { snapshotFolder: join(folder, "snapshots") });
  fresh = await startEngine({});
  other = await used.converse([(await used.openText("other.txt", storyOf(250, "1"))).id]);
  // Nothing is stored before the model's file is hashed.
  for (let round = 0; round < 60 && (await used.call("snapshotUsage", {})).totalBytes === 0; round++) {
    await used.ask(other, `Once more ${round}?`, { sampling: { maxTokens: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}, 300_000);
afterAll(async () => {
  await used.dispose();
  await fresh.dispose();
  await rm(folder, { recursive: true, force: true });
});

const askIn = async (app: TestEngine, text: string, question: string, options: Parameters<TestEngine["ask"]>[2]) => {
  const { id } = await app.openText("volume.txt", text);
  return (await app.ask(await app.converse([id]), question, options)).figures;
};

describe("mode once", () => {
  test("rows that a snapshot rounded never pass for exact ones, from memory or from disk", async () => {
    const question = "What is said about the keeper?";
    for (const volume of [1, 2]) {
      const text = `Volume ${volume}. ${storyOf(260, `${volume}${volume}7${volume}`)}`;
      const once = { mode: "once", budget: 60 + 20 * volume, policy: "snapkv", sampling: { maxTokens: 40 } } as const;
      await used.call("configureSnapshots", { form: "q8_0" });
      await askIn(used, text, "Read it.", { sampling: { maxTokens: 1 } });
      await stored();
      await away();
      expect((await askIn(used, text, question, once)).restoredTokens).toBeGreaterThan(0);
      await stored();
      await used.call("configureSnapshots", { form: "exact" });
      const exact = (await askIn(fresh, text, question, once)).answer;
      expect((await askIn(used, text, question, once)).answer).toBe(exact);
      await away();
      expect((await askIn(used, text, question, once)).answer).toBe(exact);
    }
  });

  test("what is kept does not hang on the question that came first", async () => {
    const text = `Volume 2. ${storyOf(260, "2272")}`;
    const long = `What is said about the keeper? ${"Take your time and answer with care, in whole sentences. ".repeat(14)}`;
    const once = { mode: "once", budget: 270, policy: "nacl", sampling: { maxTokens: 40, seed: 7 } } as const;
    const first = await askIn(used, text, "Hi?", { ...once, sampling: { maxTokens: 1, seed: 7 } });
    const second = await askIn(used, text, long, once);
    expect(second.cachedTokens).toBeGreaterThan(0);
    const alone = await askIn(fresh, text, long, once);
    expect(first.scoredRows).toBe(alone.scoredRows);
    expect(second.answer).toBe(alone.answer);
  });

  test("chance goes on after what came from disk as it would have", async () => {
    const text = `Volume 2. ${storyOf(380, "2272")}`;
    const question = `What is said about the keeper? ${"Answer with care, in whole sentences, and do not stop before all is told. ".repeat(18)}`;
    const once = { mode: "once", budget: 400, policy: "random", sampling: { maxTokens: 330, seed: 7, temperature: 1 } } as const;
    await askIn(used, text, question, { ...once, sampling: { ...once.sampling, maxTokens: 1 } });
    await stored();
    await away();
    const restored = await askIn(used, text, question, once);
    expect(restored.restoredTokens).toBeGreaterThan(0);
    const alone = await askIn(fresh, text, question, once);
    // The first choice was made before what was stored, and another one after it.
    expect([alone.evictions, restored.evictions]).toEqual([2, 1]);
    expect(restored.answer).toBe(alone.answer);
  });
});

describe("a document that is forgotten while it is read", () => {
  test.each(["question", "once"] as const)("leaves nothing on disk (%s), and is stored again once it is opened anew", async (mode) => {
    const text = `Secret of ${mode}. ${storyOf(450, "777")}`;
    const ask = async (isForgotten: boolean) => {
      const { id } = await used.openText(`secret-${mode}.txt`, text);
      let forgetting: Promise<unknown> | null = null;
      const onEvent = (event: StreamEvent) => {
        if (isForgotten && event.event === "progress" && event.stage === "prefill")
          forgetting ??= used.call("forgetDocument", { documentId: id });
      };
      const options = { mode, budget: 120, policy: "snapkv", sampling: { maxTokens: 8 }, onEvent } as const;
      await used.ask(await used.converse([id]), "What is the code?", options).catch(() => undefined);
      await forgetting;
      await stored();
      return (await used.call("snapshotUsage", {})).documents.some(({ documentId }) => documentId === id);
    };
    expect(await ask(true)).toBe(false);
    await away();
    expect(await ask(false)).toBe(true);
  });
});
