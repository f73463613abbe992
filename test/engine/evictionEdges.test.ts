import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StreamEvent } from "../../electron/contract/engine.ts";
import { smol, startEngine, storyOf } from "./support/engine.ts";

test("an answer without an end takes no more cells than its budget has room for", async () => {
  const app = await startEngine({ contextLength: 1024 });
  const { id } = await app.openText("b.txt", storyOf(640));
  const { figures } = await app.ask(await app.converse([id]), "Why?", { budget: 64, policy: "snapkv", sampling: { maxTokens: 1000 } });
  expect(figures.keptTokens).toBe(64);
  expect(figures.keptCacheBytes / 23_040).toBe(64 + 256);
  await app.dispose();
});

test("a conversation that has filled its context is refused with the numbers, loses nothing, and the engine goes on", async () => {
  const app = await startEngine({ contextLength: 512 });
  const words = `${"Think of the tide, the wind and the ships. ".repeat(9)}Why?`;
  const sampling = { maxTokens: 4 };
  const ways = [
    [{}, /context holds 512\. Choose .*Nothing was cut/],
    [{ budget: 160, policy: "snapkv" }, /context holds 512\. .*a budget does not help.*Nothing was cut/],
    // What scores the documents stands behind the prompt, and takes places too.
    [
      { budget: 160, policy: "snapkv", mode: "once" },
      /scoring it takes \d+ more; the context holds 512\. .* or the mode “question”, .*Nothing was cut/,
    ],
  ] as const;
  for (const [way, message] of ways) {
    const conversationId = await app.converse([]);
    let answered = 0;
    const ask = async () => {
      await app.ask(conversationId, words, { ...way, sampling });
      answered += 1;
    };
    const untilFull = async () => {
      while (answered < 8) await ask();
    };
    for (let turn = 0; turn < 4; turn++) {
      await expect(turn === 0 ? untilFull() : ask()).rejects.toMatchObject({
        code: "does-not-fit",
        message: expect.stringMatching(message),
      });
    }
    expect(answered).toBeGreaterThan(1);
    expect((await app.call("getConversation", { conversationId })).turns).toHaveLength(answered);
  }
  expect((await app.ask(await app.converse([]), "Why?", { sampling })).turn.status).toBe("done");
  await app.dispose();
});

test("what is wrong with a module is still told after another context was chosen", async () => {
  const modules = await mkdtemp(join(tmpdir(), "longsight-bad-"));
  await writeFile(join(modules, "bad.gguf"), "no module");
  const app = await startEngine({ contextLength: 256 }, { moduleFolders: [modules] });
  expect((await app.call("currentModel", {}))?.notices.join()).toContain("bad.gguf");
  await app.call("loadModel", { model: smol, contextLength: 512, kvType: "f16", threads: null });
  expect((await app.call("currentModel", {}))?.notices.join()).toContain("bad.gguf");
  await app.dispose();
  await rm(modules, { recursive: true });
});

test("ending the engine ends a heatmap", async () => {
  const app = await startEngine({ contextLength: 4096 });
  const { id } = await app.openText("b.txt", storyOf(2500));
  const begun = new Promise<void>((resolve) => {
    const onEvent = (event: StreamEvent) => event.event === "progress" && event.stage === "prefill" && resolve();
    const documents = [{ documentId: id, pages: null }];
    const request = { documents, question: "q", budget: 64, policy: "snapkv", seed: 1 } as const;
    app.call("heatmap", request, { onEvent }).catch(() => undefined);
  });
  await begun;
  const before = performance.now();
  await app.engine.dispose();
  expect(performance.now() - before).toBeLessThan(1500);
});

test("an answer stopped while the prompt is read says what was cached, and the cache's bytes", async () => {
  const app = await startEngine({ contextLength: 2048 });
  const { id } = await app.openText("a.txt", storyOf(400));
  const first = await app.ask(await app.converse([id]), "Why?", { sampling: { maxTokens: 1 } });
  const stop = new AbortController();
  const onEvent = (event: StreamEvent) => {
    if (event.event === "progress" && event.stage === "prefill" && event.done > 0 && event.done < event.total) stop.abort();
  };
  const { figures } = await app.ask(await app.converse([id]), `Why? ${storyOf(600, "9")}`, { signal: stop.signal, onEvent });
  expect(figures.stopReason).toBe("cancelled");
  expect(figures.cachedTokens).toBeGreaterThan(first.figures.promptTokens - 128);
  expect(figures.cachedTokens + figures.evaluatedTokens).toBeLessThan(figures.promptTokens);
  expect(figures.evaluatedTokens).toBeLessThan(600);
  expect(figures.fullCacheBytes).toBe(2048 * 23_040);
  await app.dispose();
});

test("a heatmap of a prompt shorter than snapkv's window, with a budget that holds all of it", async () => {
  const app = await startEngine({ contextLength: 256 });
  const heatmap = await app.call("heatmap", { documents: [], question: "Hi", budget: 100_000, policy: "snapkv", seed: 1 });
  expect(heatmap.keptTokens).toBe(heatmap.promptTokens);
  await app.dispose();
});
