import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { smolPath, storyOf } from "./support/engine.ts";
import { createContext, greedy, open, prefill } from "./support/models.ts";

/** Names of this process's threads. */
async function threadNames(): Promise<string[]> {
  const ids = await readdir("/proc/self/task");
  const names = await Promise.all(ids.map((id) => readFile(`/proc/self/task/${id}/comm`, "utf8").catch(() => "")));
  return names.map((name) => name.trim());
}

test.runIf(process.platform === "linux")("all that computes is one team of threads, whatever thread Node.js calls from", async () => {
  const model = await open(smolPath);
  const prompt = (await model.tokenise(storyOf(200), false)).tokens;
  const contexts = [await createContext(model, { threads: 3 }), await createContext(model, { threads: 3 })];
  const read = await Promise.all(contexts.map(async (context) => ({ context, logits: await prefill(context, prompt) })));
  const before = await threadNames();
  // Node.js has four threads for calls, and takes one that is free.
  await Promise.all(read.map(({ context, logits }) => greedy(context, logits, prompt.length, 20)));
  const after = await threadNames();
  expect(after.filter((name) => name === "longsight-ggml")).toHaveLength(3);
  expect(after.length).toBeLessThanOrEqual(before.length);
  await Promise.all(contexts.map((context) => context.dispose()));
  await model.dispose();
});
