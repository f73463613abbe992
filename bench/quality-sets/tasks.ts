import { UsageError } from "../quality/options.ts";
import { firstTurnsTask } from "./agreement.ts";
import { seed } from "./draw.ts";
import { htmlToTsvTask } from "./longProc.ts";
import { documentTask, documentTaskNames } from "./reading/documentSets.ts";
import { longBenchTask, longBenchTaskNames } from "./reading/longBench.ts";
import { abstractsTask, countTask, openQuestionsTask } from "./reading/passages.ts";
import { linesTask, pairsTask, topicsTask } from "./reading/records.ts";
import { readTemplates } from "./reading/templates.ts";
import { needleTask, needleTaskNames } from "./ruler/needles.ts";
import { variableTask } from "./ruler/variables.ts";
import { commonWordsTask, frequentWordsTask } from "./ruler/words.ts";
import { readEssays, readWordList } from "./sources.ts";
import { type Group, groups, type Task } from "./task.ts";

/** What tasks are made of: the folder of the data sets, the length of a whole prompt with its answer, and how many items are wanted. */
type Wanted = { readonly dataFolder: string; readonly tokens: number; readonly count: number };
type Entry = { readonly name: string; readonly group: Group; readonly read: (wanted: Wanted) => Promise<Task> };

/** All pages of HTML to TSV: only some are short enough. */
const allPages = 1000;
/** All of MT-Bench: many of its prompts are shorter than a budget. */
const allTurns = 1000;
/** An answer long enough to show what its tokens look at, and how far a kept cache goes along with it. */
const lookingTokens = 64;
/** Long texts for what needs no gold answer. */
const longTexts = "squality";

const entries: readonly Entry[] = [
  ...needleTaskNames.map(
    (name): Entry => ({
      name,
      group: "ruler",
      async read({ dataFolder, count }) {
        const [adjectives, nouns] = await Promise.all(["adjectivelist.txt", "nounlist.txt"].map((list) => readWordList(dataFolder, list)));
        return needleTask(name, { adjectives: adjectives ?? [], nouns: nouns ?? [], essays: await readEssays(dataFolder) }, count, seed);
      },
    }),
  ),
  { name: "vt", group: "ruler", read: async ({ count }) => variableTask(count, seed) },
  {
    name: "cwe",
    group: "ruler",
    async read({ dataFolder, tokens, count }) {
      const lists = await Promise.all(["nounlist", "adjectivelist", "verblist"].map((list) => readWordList(dataFolder, `${list}.txt`)));
      return commonWordsTask([...new Set(lists.flat())], tokens, count, seed);
    },
  },
  { name: "fwe", group: "ruler", read: async ({ tokens, count }) => frequentWordsTask(tokens, count, seed) },
  ...documentTaskNames.map(
    (name): Entry => ({
      name,
      group: "reading",
      read: async ({ dataFolder, count }) => documentTask(dataFolder, name, await readTemplates(dataFolder), count),
    }),
  ),
  ...longBenchTaskNames.map(
    (name): Entry => ({
      name,
      group: "reading",
      read: async ({ dataFolder, count }) => longBenchTask(dataFolder, name, await readTemplates(dataFolder), count),
    }),
  ),
  { name: "kv_retrieval", group: "reading", read: ({ dataFolder, count }) => pairsTask(dataFolder, count) },
  { name: "longchat_lines", group: "reading", read: ({ dataFolder, count }) => linesTask(dataFolder, count) },
  { name: "longchat_topics", group: "reading", read: ({ dataFolder, count }) => topicsTask(dataFolder, count) },
  {
    name: "nq_passages",
    group: "reading",
    read: async ({ dataFolder, count }) => openQuestionsTask(dataFolder, await readTemplates(dataFolder), count),
  },
  { name: "pubmedqa_abstracts", group: "reading", read: ({ dataFolder, count }) => abstractsTask(dataFolder, count) },
  {
    name: "passage_count",
    group: "reading",
    read: async ({ dataFolder, tokens, count }) => countTask(dataFolder, await readTemplates(dataFolder), tokens, count),
  },
  { name: "html_to_tsv", group: "longproc", read: ({ dataFolder }) => htmlToTsvTask(dataFolder, allPages) },
  { name: "mt_bench", group: "agreement", read: ({ dataFolder }) => firstTurnsTask(dataFolder, allTurns) },
  {
    name: "agreement_long",
    group: "agreement",
    async read({ dataFolder, count }) {
      const { items } = await documentTask(dataFolder, longTexts, await readTemplates(dataFolder), count);
      return { name: "agreement_long", group: "agreement", answerTokens: lookingTokens, items };
    },
  },
  {
    name: "temperature_short",
    group: "temperature",
    async read({ dataFolder }) {
      const { items } = await firstTurnsTask(dataFolder, allTurns);
      return { name: "temperature_short", group: "temperature", answerTokens: lookingTokens, items };
    },
  },
  {
    name: "temperature_long",
    group: "temperature",
    async read({ dataFolder, count }) {
      const { items } = await documentTask(dataFolder, longTexts, await readTemplates(dataFolder), count);
      return { name: "temperature_long", group: "temperature", answerTokens: lookingTokens, items };
    },
  },
];

/**
 * The tasks that names and groups stand for, each once, in the bench's own order.
 * @throws UsageError for what is neither
 */
export function chooseTasks(named: readonly string[]): readonly Entry[] {
  for (const name of named) {
    if (entries.some((entry) => entry.name === name || entry.group === name)) continue;
    throw new UsageError(`There is no task “${name}”. There are the groups ${groups.join(", ")}, and the tasks ${taskNames().join(", ")}.`);
  }
  return entries.filter(({ name, group }) => named.includes(name) || named.includes(group));
}

function taskNames(): string[] {
  return entries.map(({ name }) => name);
}
