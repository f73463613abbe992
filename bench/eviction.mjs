// What an eviction costs and what it gives: time of scoring, selection and keep against that of reading the prompt, and the speed of
// decoding from kept caches against the full one, all in one process and in turns.
//
//   npm run bench -- eviction [--runs N] [--model smollm2|qwen] [--tokens N]
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { modelsFolder } from "../scripts/model.mjs";
import { ensureUntrainedModule } from "../scripts/module.mjs";
import { setup } from "../scripts/setup.mjs";
import { bundle } from "./bundle.mjs";
import { median, writeResults } from "./figures.mjs";

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    model: { type: "string", default: "smollm2" },
    tokens: { type: "string" },
    file: { type: "string" },
  },
});
/** What issue 4 asks for, of each model. */
const models = {
  smollm2: { file: "SmolLM2-135M-Instruct.Q8_0.gguf", tokens: 6000, least: { 64: 3.4, 256: 2.9 } },
  qwen: { file: "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf", tokens: 8000, least: { 64: 2.2, 256: 2.0 } },
};
const chosen = models[options.model];
if (chosen === undefined) throw new Error(`--model takes ${Object.keys(models).join(" or ")}`);
const runs = Number(options.runs);
const promptTokens = Number(options.tokens ?? chosen.tokens);
const path = options.file ?? join(modelsFolder(), chosen.file);
const budgets = [64, 256, 1024];
const answerTokens = 32;
/** Times that each cache is decoded from in a run. */
const turns = 3;

const report = [
  "The pump house was inspected on the third of the month and its valves were found in good order.",
  "Rainfall at the upper station came to eleven millimetres, less than half of what the year before had brought.",
  "Two members asked for the minutes to be corrected, and the chair agreed to have them read out again.",
  "Freight by rail fell for the second quarter running, while the canal carried more grain than in any year since 1931.",
];

await setup({ need: ["packages", "native", "model"] });
const engine = await bundle([
  "contract/fit",
  ...["llama/gguf", "llama/model", "llama/fit", "llama/threads", "llama/runtime", "machine", "lookahead/module", "lookahead/select"].map(
    (name) => `engine/${name}`,
  ),
]);
const modulePath = await ensureUntrainedModule(path, { randomLora: 0.01 });
const model = await engine.loadModel(await engine.readHeader(path), { signal: new AbortController().signal, onProgress: () => {} });
const module = await engine.readLookaheadModule(modulePath);
const adapter = await model.loadAdapter(modulePath);
const machineFacts = await engine.describeMachine();
const { physicalCores } = await engine.loadRuntime();
const threads = engine.defaultThreads(machineFacts.cores, physicalCores);
const text = Array.from({ length: promptTokens / 15 }, (_, line) => `${line + 1}. ${report[line % report.length]}`).join("\n");
const prompt = (await model.tokenise(text, false)).tokens.subarray(0, promptTokens);
if (prompt.length < promptTokens) throw new Error(`The text has ${prompt.length} tokens only.`);

const contextLength = engine.roundContext(promptTokens + 1024);
const common = {
  contextLength,
  kvType: "f16",
  threads,
  slidingWindow: model.header.slidingWindow,
};
const contextOf = (cells) => model.createContext({ ...common, cells });

async function timed(work) {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

async function prefill(context) {
  for (let at = 0; at < prompt.length; at += 512) {
    const end = Math.min(at + 512, prompt.length);
    await context.decode(prompt.subarray(at, end), at, end === prompt.length);
  }
}

/** Tokens a second, without choosing them: the same tokens for every cache. */
async function decode(context) {
  const { ms } = await timed(async () => {
    for (let index = 0; index < answerTokens; index++) await context.decode(Uint32Array.of(100 + index), promptTokens + index, true);
  });
  context.truncate(promptTokens);
  return (answerTokens / ms) * 1000;
}

async function oneRun() {
  const full = await contextOf(engine.roundContext(promptTokens + 32));
  const prefillMs = (await timed(() => prefill(full))).ms;
  // As the engine does it after the first token: LoRA and scoring on, one pass, read out. Switching back is not needed, the cache goes.
  const scoring = await timed(async () => {
    full.setAdapter(adapter);
    full.startScoring("probe", promptTokens);
    await full.decodeRows(module.embeddings, promptTokens);
    return full.scores(promptTokens);
  });
  const selection = await timed(async () => engine.selectTop(scoring.result, 256, new Uint32Array(0), module.poolKernel));
  const keep = await timed(async () => {
    const kept = await contextOf(engine.keptCells(Uint32Array.of(256), 256, { contextLength, gpu: false }));
    await kept.keepFrom(full, selection.result);
    return kept;
  });
  await keep.result.dispose();
  full.setAdapter(null);
  full.stopScoring();
  full.truncate(promptTokens);

  const caches = [{ name: "full", context: full }];
  for (const budget of budgets) {
    const context = await contextOf(engine.keptCells(Uint32Array.of(budget), 64, { contextLength, gpu: false }));
    await context.keepFrom(full, engine.selectTop(scoring.result, budget, new Uint32Array(0), module.poolKernel));
    caches.push({ name: String(budget), context });
  }
  const speeds = Object.fromEntries(caches.map(({ name }) => [name, []]));
  for (const { context } of caches) await decode(context);
  for (let turn = 0; turn < turns; turn++) for (const { name, context } of caches) speeds[name].push(await decode(context));
  const bytes = Object.fromEntries(caches.map(({ name, context }) => [name, context.buffers().cache]));
  for (const { context } of caches) await context.dispose();
  return {
    prefillMs,
    scoringMs: scoring.ms,
    selectionMs: selection.ms,
    keepMs: keep.ms,
    eviction: (scoring.ms + selection.ms + keep.ms) / prefillMs,
    tokensPerSecond: Object.fromEntries(Object.entries(speeds).map(([name, list]) => [name, median(list)])),
    bytes,
  };
}

const load = loadavg()[0];
const measured = [];
for (let run = 0; run < runs; run++) {
  measured.push(await oneRun());
  console.error(`run ${run + 1} of ${runs}: ${JSON.stringify(measured.at(-1))}`);
}
await model.dispose();

const middle = (read) => median(measured.map(read));
const share = middle((run) => run.eviction);
const faster = Object.fromEntries(
  budgets.map((budget) => [budget, middle((run) => run.tokensPerSecond[budget] / run.tokensPerSecond.full)]),
);
console.log(`${options.model}, ${promptTokens} tokens, ${threads} threads, medians of ${runs} runs (load before: ${load.toFixed(1)})`);
console.log(
  `prefill ${(middle((run) => run.prefillMs) / 1000).toFixed(1)} s · scoring ${middle((run) => run.scoringMs).toFixed(0)} ms, selection ${middle((run) => run.selectionMs).toFixed(1)} ms, keep ${middle((run) => run.keepMs).toFixed(1)} ms: ${(share * 100).toFixed(2)} % of prefill (wanted: at most 1.5 %)`,
);
for (const budget of budgets) {
  const wanted = chosen.least[budget];
  console.log(
    `budget ${budget}: ${middle((run) => run.tokensPerSecond[budget]).toFixed(1)} tokens/s, ${faster[budget].toFixed(2)} × the full cache's ${middle((run) => run.tokensPerSecond.full).toFixed(1)}${wanted === undefined ? "" : ` (wanted: ${wanted})`}`,
  );
}
const results = await writeResults(`eviction-${options.model}`, {
  promptTokens,
  threads,
  runs,
  turns,
  answerTokens,
  load,
  share,
  faster,
  measured,
});
console.log(`raw figures: ${results}`);
