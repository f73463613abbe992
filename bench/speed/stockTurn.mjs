// A process of the bench `speed` that runs node-llama-cpp as it comes, by its public functions alone: reads a prompt into a full cache and decodes behind
// it. What it is to do comes as JSON, what it measured goes to standard output as JSON. Without tokens it says what its kernels were built for.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const {
  folder,
  model: modelPath,
  tokensFile,
  contextLength,
  threads,
  kvType,
  answerTokens,
  gpu,
  warmUpTokens,
} = JSON.parse(process.argv[2] ?? "{}");
const { getLlama, LlamaLogLevel } = await import(pathToFileURL(join(folder, "node_modules", "node-llama-cpp", "dist", "index.js")).href);

const timed = async (work) => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
/** The likeliest token, as the app's own side chooses it. */
const choosing = { generateNext: { token: true, options: { temperature: 0 } } };

const llama = await getLlama({
  gpu: gpu ?? false,
  build: "never",
  usePrebuiltBinaries: true,
  skipDownload: true,
  progressLogs: false,
  logLevel: LlamaLogLevel.error,
  maxThreads: threads,
});
/** The CPU generation, by the library that was mapped; null where the system does not tell. */
async function variant() {
  const maps = await readFile("/proc/self/maps", "utf8").catch(() => "");
  return /\/libggml-cpu-([^/]+)\.so$/m.exec(maps)?.[1] ?? null;
}

async function measure() {
  const tokens = JSON.parse(await readFile(tokensFile, "utf8"));
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({
    contextSize: contextLength,
    batchSize: 512,
    sequences: 1,
    threads: { ideal: threads, min: threads },
    flashAttention: true,
    experimentalKvCacheKeyType: kvType.toUpperCase(),
    experimentalKvCacheValueType: kvType.toUpperCase(),
  });
  const sequence = context.getSequence();
  const read = (prompt) => sequence.controlledEvaluate([...prompt.slice(0, -1), [prompt.at(-1), choosing]]);

  // Weights and threads are there before the clock runs.
  await read(tokens.slice(0, warmUpTokens));
  await sequence.clearHistory();
  const prefillMs = await timed(() => read(tokens));
  const decodeMs = [];
  for (const token of tokens.slice(0, answerTokens)) decodeMs.push(await timed(() => sequence.controlledEvaluate([[token, choosing]])));
  if (sequence.nextTokenIndex !== tokens.length + answerTokens) throw new Error(`It holds ${sequence.nextTokenIndex} tokens.`);
  return { prefillMs, decodeMs };
}

const result = tokensFile === null ? { variant: await variant() } : await measure();
await llama.dispose();
console.log(JSON.stringify(result));
