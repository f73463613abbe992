// How long another budget takes after an answer, through the engine's own door: chosen from the stored scores alone (preview), gathered from
// snapshots without a full cache, and gathered from a full cache that is in memory.
//
//   npm run bench -- reselect [--tokens N] [--rounds N] [--policy NAME]
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.mjs";
import { root } from "../scripts/files.mjs";
import { modelsFolder } from "../scripts/model.mjs";
import { setup } from "../scripts/setup.mjs";
import { bundle } from "./bundle.mjs";
import { medians, writeResults } from "./figures.mjs";

const { values: options } = parseArgs({
  options: {
    tokens: { type: "string", default: "8000" },
    rounds: { type: "string", default: "5" },
    policy: { type: "string", default: "snapkv" },
  },
});
const [tokens, rounds] = [options.tokens, options.rounds].map(Number);
const { policy } = options;
const budgets = [256, 1024, 512, 2048];

await setup({ need: ["packages", "native", "model"] });
await build({ only: ["engine"] });
const { createEngine, defaultSampling } = await bundle(["engine/engine", "contract/conversation"]);

const folder = await mkdtemp(join(tmpdir(), "longsight-reselect-"));
const engine = createEngine({
  dataFolder: folder,
  modelFolders: [modelsFolder()],
  moduleFolders: [join(root, "assets", "lookahead")],
  version: "bench",
  documentWorker: join(root, "out", "engine", "pdfWorker.cjs"),
  forgetful: true,
  snapshotFolder: join(folder, "snapshots"),
});
const quiet = { signal: new AbortController().signal, emit: () => {} };
const call = (method, payload) => engine.call(method, payload, quiet);
const question = "How high did the tide stand?";
const measured = { preview: [], fromDisk: [], fromMemory: [] };
let promptTokens = 0;
try {
  const model = (await call("listModels", {}))[0].id;
  await call("loadModel", { model, contextLength: 8448, kvType: "f16", threads: null });
  const file = join(folder, "report.txt");
  const conversationAbout = async (lines) => {
    const text = Array.from({ length: lines }, (_, line) => `Line ${line + 1}: the tide stood at ${(line * 37) % 90} inches.`).join("\n");
    await writeFile(file, text);
    const { id: documentId } = await call("openDocument", { path: file });
    return (await call("createConversation", { documents: [{ documentId, pages: null }] })).id;
  };
  const measureOf = async (conversationId) => {
    const { documents } = await call("getConversation", { conversationId });
    return call("measurePrompt", { conversationId, documents, question, replaceTurnId: null, maxTokens: 128 });
  };
  const perLine = (await measureOf(await conversationAbout(200))).promptTokens / 200;
  const conversationId = await conversationAbout(Math.floor(tokens / perLine));
  const { documents } = await call("getConversation", { conversationId });
  const asked = { conversationId, question, sampling: { ...defaultSampling, maxTokens: 8, seed: 1 }, mode: "question" };
  let replaceTurnId = null;
  for (let round = 0; round < rounds; round++) {
    const { turn, figures } = await call("ask", { ...asked, replaceTurnId, budget: 256, policy });
    replaceTurnId = turn.id;
    promptTokens = figures.promptTokens;
    // What was read is written behind the answer; it has to be on disk before it can come from there.
    await new Promise((resolve) => setTimeout(resolve, round === 0 ? 5000 : 200));
    // An eviction frees the full cache; a heatmap reads it back, and leaves it.
    for (const place of ["fromDisk", "fromMemory"]) {
      if (place === "fromMemory") await call("heatmap", { documents, question, budget: 256, policy, seed: 1 });
      for (const budget of budgets) {
        const started = performance.now();
        await call("preview", { conversationId, budget, policy });
        measured.preview.push({ totalMs: performance.now() - started });
        const { timings, evaluatedTokens, restoredTokens, keptCacheBytes } = await call("reselect", { conversationId, budget, policy });
        measured[place].push({ ...timings, evaluatedTokens, restoredTokens, keptCacheBytes });
      }
    }
    console.error(`round ${round + 1} of ${rounds}: ${JSON.stringify(measured.fromDisk.at(-1))}`);
  }
} finally {
  await engine.dispose();
  await rm(folder, { recursive: true, force: true });
}
const summary = Object.fromEntries(Object.entries(measured).map(([name, runs]) => [name, medians(runs)]));
console.log(`${promptTokens} tokens, ${policy}, medians of ${rounds} rounds (wanted: reselect within 500 ms for 8,000 tokens)`);
for (const [name, figures] of Object.entries(summary)) console.log(`${name}: ${JSON.stringify(figures)}`);
console.log(`raw figures: ${await writeResults("reselect", { promptTokens, policy, budgets, rounds, summary, measured })}`);
