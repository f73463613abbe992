import { defaultSampling } from "../../electron/contract/conversation.ts";
import { roundContext } from "../../electron/contract/fit.ts";
import { writeAnswer } from "../../electron/engine/conversation/answer.ts";
import { leastAnswerRoom } from "../../electron/engine/conversation/assemble.ts";
import { windowTokens } from "../../electron/engine/conversation/windows.ts";
import { planKept } from "../../electron/engine/lookahead/plan.ts";
import { createLayout } from "../needles/layout.ts";
import { isFound, makeItems, type NeedleItem, type Words } from "../needles/needle.ts";
import { readStories, readWords } from "../needles/sources.ts";
import { measureItems } from "../quality/measureItems.ts";
import { type BenchModel, type NamedModule, withModel } from "../quality/model.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import type { Prompt } from "../quality/rules.ts";
import type { Tools } from "../quality/tools.ts";
import { type CacheWatch, watchCaches } from "../quality/watchCaches.ts";
import { parseStreamingOptions, type StreamingOptions } from "./options.ts";
import { outcomeSchema, type StreamingOutcome } from "./outcome.ts";
import { summarise, summaryTable } from "./summary.ts";

/** Longest answer in tokens: the value, and a few more. */
const maxTokens = 24;
/** Tokens that may come behind a prompt. */
const roomBehind = 256;
const seed = 1;
/** Kept caches are made of blocks of so many cells on a CPU. */
const blockCells = 32;
const depths = [0.1, 0.5, 0.9];

/** The bench `streaming`. @returns the exit code. @throws UsageError, LongsightError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parseStreamingOptions(args);
  const stories = await readStories(tools.dataFolder);
  const words = await readWords(tools.dataFolder);
  const contextLength = roundContext(options.cap * options.times + roomBehind);
  return withModel(options, tools, { contextLength, fullCacheTokens: options.cap }, (bench) =>
    measure(options, tools, bench, stories, words),
  );
}

async function measure(options: StreamingOptions, tools: Tools, bench: BenchModel, stories: string[], words: Words): Promise<number> {
  const { cap, times, items: each, budgets } = options;
  const { loaded, modules, described } = bench;
  const [shorter, longer] = [cap - leastAnswerRoom, cap * times];
  const ways = [...modules, null].flatMap((module) => budgets.map((budget): Way => ({ module, budget })));
  const layOut = {
    shorter: createLayout(loaded, "single", shorter, stories),
    longer: createLayout(loaded, "single", longer, stories),
  };
  const watch = watchCaches(loaded);
  const run = { cap, times, each, depths, budgets, maxTokens, ...described };
  const items = itemsOf(each, words);
  const { outcomes, journal } = await measureItems({
    bench: "streaming",
    run: { ...run, code: tools.code },
    items,
    schema: outcomeSchema,
    isOf: (outcome, item) => outcome.index === item.index,
    step: `Streaming ${longer.toLocaleString("en")} tokens`,
    lineOf: (outcome) => lineOf(outcome, items.length),
    async measure(item): Promise<StreamingOutcome> {
      const [{ depth, value }] = item.needles;
      const full = await answerFrom(watch, await layOut.shorter(item), value, null);
      const prompt = await layOut.longer(item);
      const streamed: StreamingOutcome["streamed"] = [];
      for (const way of ways) {
        const { evictions, ...answer } = await answerFrom(watch, prompt, value, way);
        streamed.push({ ...answer, evictions, policy: way.module?.name ?? "snapkv", budget: way.budget });
      }
      const { evictions: _, ...whole } = full;
      return { index: item.index, depth, value, full: whole, streamed };
    },
  });
  // What a token takes, as measured; caches have whole blocks of cells.
  const tokenBytes = loaded.description.cacheBytes / cap;
  const summary = summarise(outcomes, (budget) => tokenBytes * Math.ceil((windowTokens + budget) / blockCells) * blockCells);
  console.log(
    `${described.model.id}: ${items.length} needles in ${longer.toLocaleString("en")} tokens, read in windows; the full cache may hold ${cap.toLocaleString("en")} and has texts of ${shorter.toLocaleString("en")}`,
  );
  console.log(summaryTable(summary));
  const command = commandOf("streaming", options, { cap, times, items: each });
  const file = await saveResults(tools, options, `streaming-${described.model.id}-${longer}`, { command, ...run, summary, outcomes });
  console.log(`Raw figures: ${file}`);
  await journal.remove();
  return 0;
}

/** How a streamed text is scored, and what is kept of it; null is snapkv. */
type Way = { readonly module: NamedModule | null; readonly budget: number };

/** The items of the bench `needles`, as many at each depth. */
function itemsOf(each: number, words: Words): NeedleItem[] {
  return makeItems("single", each * depths.length, words).map((item, index) => {
    const [needle] = item.needles;
    return { ...item, needles: [{ ...needle, depth: depths[index % depths.length] ?? needle.depth }] };
  });
}

/** @param way null for the full cache */
async function answerFrom(watch: CacheWatch, prompt: Prompt, value: string, way: Way | null) {
  const promptTokens = prompt.tokens.length;
  const { questionStart } = prompt;
  // In this mode the question belongs to the tail.
  const places = { promptTokens, questionStart, tailStart: questionStart };
  const policy = way?.module == null ? "snapkv" : "lookahead";
  const eviction = way === null ? null : planKept({ policy, budget: way.budget }, places, way.module, seed);
  if (way !== null) await watch.loaded.cache.free();
  watch.forget();
  const started = performance.now();
  const { answer, evictions } = await writeAnswer(watch.loaded, prompt.tokens, {
    sampling: { ...defaultSampling, maxTokens, seed },
    seed,
    eviction,
    reading: { mode: way === null ? "question" : "streaming" },
    questionStart,
    snapshots: null,
    writeDraft: async () => null,
    signal: new AbortController().signal,
    emit: () => undefined,
    onText: () => undefined,
  });
  const seconds = Math.round(performance.now() - started) / 1000;
  return { promptTokens, text: answer, isFound: isFound(value, answer), cacheBytes: watch.most(), seconds, evictions };
}

function lineOf({ index, depth, full, streamed }: StreamingOutcome, count: number): string {
  const found = streamed.map(
    ({ policy, budget, isFound, seconds }) => `${policy} ${budget} ${isFound ? "found" : "not found"} (${seconds} s)`,
  );
  const short = `full cache, ${full.promptTokens} tokens: ${full.isFound ? "found" : "not found"} (${full.seconds} s)`;
  return `${index + 1} of ${count} · ${Math.round(depth * 100)} % · ${short} · ${streamed[0]?.promptTokens ?? 0} tokens: ${found.join(", ")}`;
}
