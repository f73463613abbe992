import { loadavg } from "node:os";
import { defaultSampling } from "../../electron/contract/conversation.ts";
import { roundContext } from "../../electron/contract/fit.ts";
import { type AnswerOutcome, writeAnswer } from "../../electron/engine/conversation/answer.ts";
import { type AssembledPrompt, assemblePrompt } from "../../electron/engine/conversation/assemble.ts";
import { roomFor } from "../../electron/engine/conversation/windows.ts";
import { planKept } from "../../electron/engine/lookahead/plan.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { progress } from "../../scripts/progress.mjs";
import { type BenchModel, withModel } from "../quality/model.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import { textDocument, tokeniserOf } from "../quality/tokeniser.ts";
import type { Tools } from "../quality/tools.ts";
import { type CacheWatch, watchCaches } from "../quality/watchCaches.ts";
import { type LongAnswerOptions, parseLongAnswerOptions } from "./options.ts";
import { courseTable, type Interval, judge, verdictLines } from "./summary.ts";

/** Tokens that may come behind a prompt while it is in the full cache: a module's rows, and the grid's rest. */
const roomBehind = 256;
const seed = 1;
const question = "Continue this log for as long as you can.";

/** The bench `long-answer`. @returns the exit code. @throws UsageError, LongsightError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parseLongAnswerOptions(args);
  const fullCacheTokens = roundContext(options.prompt + roomBehind);
  const contextLength = roundContext(options.prompt + roomBehind + options.tokens);
  return withModel({ ...options, budgets: [options.budget] }, tools, { contextLength, fullCacheTokens }, (bench) =>
    measure(options, tools, bench),
  );
}

async function measure(options: LongAnswerOptions, tools: Tools, { loaded, modules, described }: BenchModel): Promise<number> {
  const { tokens, prompt: promptTokens, budget, policy } = options;
  const prompt = await layOut(loaded, promptTokens);
  const places = { promptTokens: prompt.tokens.length, questionStart: prompt.questionStart, tailStart: prompt.tailStart };
  const plan = planKept({ policy, budget }, places, modules[0] ?? null, seed);
  const [load = 0] = loadavg();
  const watch = watchCaches(loaded);
  const course = followTokens(watch, tokens, 2 * roomFor(budget));
  const outcome = await writeAnswer(course.loaded, prompt.tokens, {
    sampling: { ...defaultSampling, maxTokens: tokens, seed },
    seed,
    eviction: plan,
    reading: { mode: "question" },
    questionStart: prompt.questionStart,
    snapshots: null,
    writeDraft: async () => null,
    signal: new AbortController().signal,
    emit: () => undefined,
    onText: () => undefined,
  });
  course.end();
  const verdict = judge(course.intervals);
  const { answerTokens, stopReason, evictions, answerEvictions } = outcome;
  console.log(
    `${described.model.id}, ${answerTokens.toLocaleString("en")} tokens (${stopReason}) behind a prompt of ${prompt.tokens.length}, ${plan.policy}, budget ${budget}: ${answerEvictions} evictions while answering (load before: ${load.toFixed(1)})`,
  );
  console.log(courseTable(course.intervals));
  for (const line of verdictLines(verdict)) console.log(line);
  const command = commandOf("long-answer", { ...options, budgets: [] }, { tokens, prompt: promptTokens, budget, policy });
  const figures = { answerTokens, stopReason, evictions, answerEvictions, promptTokens: prompt.tokens.length, bytes: outcome.cacheBytes };
  const results = { command, ...described, load, ...figures, verdict, intervals: course.intervals, ending: endingOf(outcome) };
  console.log(`Raw figures: ${await saveResults(tools, options, `long-answer-${described.model.id}-${tokens}`, results)}`);
  return 0;
}

/** A log of about so many tokens, asked to be continued. */
async function layOut(loaded: Loaded, tokens: number): Promise<AssembledPrompt> {
  const lines = Array.from({ length: tokens }, (_, line) => `Line ${line + 1}: the tide stood at ${(line * 37) % 90} inches.`);
  const laidOut = (count: number) =>
    assemblePrompt(tokeniserOf(loaded), {
      documents: [textDocument("log.txt", lines.slice(0, count).join("\n"))],
      turns: [],
      question,
    });
  const [few, more] = [await laidOut(10), await laidOut(20)];
  const perLine = (more.tokens.length - few.tokens.length) / 10;
  return laidOut(Math.max(1, 10 + Math.floor((tokens - few.tokens.length) / perLine)));
}

/**
 * The model without an end, that says after every `length` tokens what they took. Such intervals begin and end at the same place of an
 * eviction's cycle.
 */
function followTokens(watch: CacheWatch, tokens: number, length: number) {
  const intervals: Interval[] = [];
  const shown = progress();
  let written = 0;
  let from = { at: performance.now(), processor: process.cpuUsage() };
  const onToken = () => {
    // Reading the prompt is no part of it.
    if (written === 0) from = { at: performance.now(), processor: process.cpuUsage() };
    written += 1;
    if (written % 64 === 0) shown.say(`An answer of ${tokens.toLocaleString("en")} tokens`, written / tokens);
    if (written % length !== 0) return;
    const { user, system } = process.cpuUsage(from.processor);
    intervals.push({
      from: written - length,
      tokenMs: (performance.now() - from.at) / length,
      tokenCpuMs: (user + system) / 1000 / length,
      residentBytes: process.memoryUsage.rss(),
      cacheBytes: watch.now(),
    });
    from = { at: performance.now(), processor: process.cpuUsage() };
  };
  const { model } = watch.loaded;
  const pieceOf = (token: number) => {
    onToken();
    return model.pieceOf(token);
  };
  return { loaded: { ...watch.loaded, model: { ...model, isEnd: () => false, pieceOf } }, intervals, end: shown.end };
}

/** The last words, so that one can see whether they still are words. */
function endingOf({ answer }: AnswerOutcome): string {
  return answer.slice(-400);
}
