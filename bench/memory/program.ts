// A process of the bench `memory`: the engine and nothing else. What it is to do comes as JSON, what came of it goes to standard output as JSON.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultSampling } from "../../electron/contract/conversation.ts";
import type { EngineRequestOf, StreamEvent } from "../../electron/contract/engine.ts";
import { roundContext } from "../../electron/contract/fit.ts";
import { createEngine, type Engine } from "../../electron/engine/engine.ts";
import { type Job, jobSchema, type Prepared } from "./job.ts";
import type { Answered } from "./outcome.ts";
import { forgetMost, residentOf, sharedNow } from "./resident.ts";
import { createStageMeter, type Stage, stageAfter } from "./stages.ts";

const question = "Continue this log for as long as you can.";
const seed = 1;
/** Counting tokens takes no cache to speak of. */
const smallContext = 512;
/** No line has fewer tokens. */
const leastLineTokens = 8;
/** Tokens that may stand behind prompt and answer: a module's rows, and the grid's rest. */
const roomBehind = 256;
/** Freed memory is given back within this. */
const settleMs = 1000;

async function main(job: Job): Promise<Answered | Prepared> {
  const folder = await mkdtemp(join(tmpdir(), "longsight-memory-"));
  const engine = createEngine({
    dataFolder: folder,
    modelFolders: [job.modelsFolder],
    moduleFolders: [job.modulesFolder],
    version: "bench",
    documentWorker: job.documentWorker,
    forgetful: true,
  });
  try {
    return job.job === "prepare" ? await prepare(engine, folder, job) : await answer(engine, folder, job);
  } finally {
    await engine.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

const silent = { signal: new AbortController().signal, emit: () => undefined };
const loud = (emit: (event: StreamEvent) => void) => ({ ...silent, emit });

async function openLog(engine: Engine, folder: string, lines: number) {
  const path = join(folder, `log-${lines}.txt`);
  const text = Array.from({ length: lines }, (_, line) => `Line ${line + 1}: the tide stood at ${(line * 37) % 90} inches.`);
  await writeFile(path, text.join("\n"));
  const { id } = await engine.call("openDocument", { path }, silent);
  return [{ documentId: id, pages: null }];
}

async function prepare(engine: Engine, folder: string, job: Extract<Job, { job: "prepare" }>): Promise<Prepared> {
  const { model, threads, tokens, answer: maxTokens } = job;
  const loaded = await engine.call("loadModel", { model, contextLength: smallContext, kvType: "f16", threads }, silent);
  const { build } = await engine.call("about", {}, silent);
  const tokensOf = async (lines: number) => {
    const documents = await openLog(engine, folder, lines);
    const measured = { conversationId: null, documents, question, replaceTurnId: null, maxTokens };
    return (await engine.call("measurePrompt", measured, silent)).promptTokens;
  };
  let [lines, tooMany] = [1, Math.ceil(tokens / leastLineTokens)];
  let promptTokens = await tokensOf(lines);
  while (tooMany - lines > 1) {
    const tried = Math.floor((lines + tooMany) / 2);
    const counted = await tokensOf(tried);
    if (counted > tokens) tooMany = tried;
    else [lines, promptTokens] = [tried, counted];
  }
  return {
    lines,
    promptTokens,
    contextLength: roundContext(promptTokens + maxTokens + roomBehind),
    threads: loaded.threads,
    build,
    modelId: loaded.report.id,
    lookahead: loaded.lookahead,
  };
}

type Choice = Pick<EngineRequestOf<"ask">, "budget" | "policy" | "mode">;

async function answer(engine: Engine, folder: string, job: Extract<Job, { job: "answer" }>): Promise<Answered> {
  const { model, threads, contextLength, kvType, way, answer: maxTokens } = job;
  let stage: Stage = "start";
  const meter = createStageMeter(stage, { now: sharedNow, read: () => residentOf("self"), forgetMost });
  const begin = (next: Stage) => {
    stage = next;
    meter.begin(next);
  };
  const documents = await openLog(engine, folder, job.lines);
  const conversation = await engine.call("createConversation", { documents }, silent);
  meter.look();

  begin("load");
  // As the command line loads it: in windows the full cache never has to be as long as the text.
  const fullCacheTokens = way === "streaming" ? Math.max(256, job.budget + maxTokens) : null;
  const request = { model, contextLength, fullCacheTokens, kvType, threads };
  await engine.call("loadModel", request, loud(meter.look));
  meter.look();

  const sampling = { ...defaultSampling, maxTokens, seed };
  const ask = { conversationId: conversation.id, question, replaceTurnId: null, sampling };
  const choice: Choice =
    way === "full" ? { budget: "full", policy: "full", mode: "question" } : { budget: job.budget, policy: "lookahead", mode: way };
  const onEvent = (event: StreamEvent) => {
    // What is told when the answer is there comes after its cache was freed.
    if (event.event === "progress" || event.event === "token") meter.look();
    const next = stageAfter(stage, event, way);
    if (next !== stage) begin(next);
  };
  const { figures } = await engine.call("ask", { ...ask, ...choice }, loud(onEvent));
  begin("after");
  await sleep(settleMs);
  const { model: memory } = await engine.call("memory", {}, silent);
  const { promptTokens, answerTokens, policy, evictions, fullCacheBytes, keptCacheBytes } = figures;
  return {
    promptTokens,
    answerTokens,
    policy,
    evictions,
    weightsBytes: memory?.weightsBytes ?? 0,
    fullCacheBytes,
    keptCacheBytes,
    cacheBytesAfter: (memory?.fullCacheBytes ?? 0) + (memory?.keptCacheBytes ?? 0),
    stages: meter.end(),
  };
}

main(jobSchema.parse(JSON.parse(process.argv[2] ?? ""))).then(
  (result) => console.log(JSON.stringify(result)),
  (error: unknown) => {
    console.error(error instanceof Error ? `Error: ${error.message}` : error);
    process.exitCode = 1;
  },
);
