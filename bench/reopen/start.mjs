// One start of the engine for the bench `reopen`: loads, opens a document, asks about it, and writes what it measured to stdout as JSON.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { root } from "../../scripts/files.mjs";
import { modelsFolder } from "../../scripts/model.mjs";
import { bundle } from "../bundle.mjs";

const { file, question, budget, snapshotFolder, isToBeStored } = JSON.parse(process.argv[2] ?? "{}");
const contextLength = 8192;
/** How often it is waited a second for what was read to be on disk. */
const mostWaits = 60;

const { createEngine, defaultSampling } = await bundle(["engine/engine", "contract/conversation"]);
const folder = await mkdtemp(join(tmpdir(), "longsight-start-"));
const engine = createEngine({
  dataFolder: folder,
  modelFolders: [modelsFolder()],
  moduleFolders: [join(root, "assets", "lookahead")],
  version: "bench",
  documentWorker: join(root, "out", "engine", "pdfWorker.cjs"),
  forgetful: true,
  snapshotFolder,
});
const notices = [];
let firstAt = 0;
const emit = (event) => {
  if (event.event === "notice") notices.push(event.message);
  if (event.event === "token" && firstAt === 0) firstAt = performance.now();
};
const call = (method, payload) => engine.call(method, payload, { signal: new AbortController().signal, emit });
const timed = async (work) => {
  const started = performance.now();
  const result = await work();
  return { started, result, ms: performance.now() - started };
};

/** Waits until there is no more on disk than a moment before. What the model's file had no hash for yet is stored with the next answer. */
async function storedBytes(ask, replaceTurnId) {
  let [before, again] = [-1, replaceTurnId];
  for (let waits = 0; waits < mostWaits; waits++) {
    await setTimeout(1000);
    const { totalBytes } = await call("snapshotUsage", {});
    if (totalBytes > 0 && totalBytes === before) return totalBytes;
    if (totalBytes === 0) again = (await ask(again)).turn.id;
    before = totalBytes;
  }
  throw new Error("What was read did not come to be stored.");
}

try {
  const model = (await call("listModels", {}))[0].id;
  const load = await timed(() => call("loadModel", { model, contextLength, kvType: "f16", threads: null }));
  const open = await timed(() => call("openDocument", { path: file }));
  const documents = [{ documentId: open.result.id, pages: null }];
  const { id: conversationId } = await call("createConversation", { documents });
  const sampling = { ...defaultSampling, maxTokens: 24, seed: 1 };
  const policy = budget === "full" ? "full" : "lookahead";
  const ask = (replaceTurnId) => call("ask", { conversationId, question, replaceTurnId, sampling, budget, policy, mode: "question" });
  const { started, result } = await timed(() => ask(null));
  const { answer, documentTokens, promptTokens, cachedTokens, restoredTokens, evaluatedTokens, timings } = result.figures;
  const stored = isToBeStored ? await storedBytes(ask, result.turn.id) : 0;
  const { restoreMs, prefillMs } = timings;
  const figures = { documentTokens, promptTokens, cachedTokens, restoredTokens, evaluatedTokens, restoreMs, prefillMs };
  const times = { loadMs: load.ms, openMs: open.ms, firstTokenMs: firstAt - started };
  console.log(JSON.stringify({ ...figures, ...times, storedBytes: stored, answer, notices }));
} finally {
  await engine.dispose();
  await rm(folder, { recursive: true, force: true });
}
