import { z } from "zod";
import { readRows } from "../../quality/jsonLines.ts";
import { UsageError } from "../../quality/options.ts";
import { drawEvenly } from "../draw.ts";
import { foundAny } from "../metrics/found.ts";
import type { Item, ScoredTask } from "../task.ts";
import { fillTemplate, ownTemplates } from "./templates.ts";

const pairSchema = z.object({
  id: z.string(),
  records: z.array(z.tuple([z.string(), z.string()])).min(1),
  key: z.string(),
  answers: z.array(z.string()).min(1),
});
const promptSchema = z.object({ id: z.string(), prompt: z.string(), answers: z.array(z.string()).min(1) });
const lineSchema = promptSchema.extend({ gold_line: z.string() });

const lookUp = { group: "reading", score: foundAny, endsWhenRight: true, keptShare: null } as const;

/** Key-value retrieval (Liu et al. 2023): a JSON object of UUIDs, as many of its pairs as there is room for. */
export async function pairsTask(dataFolder: string, count: number): Promise<ScoredTask> {
  const rows = await readRows(dataFolder, "B_eval/kv_retrieval_75.jsonl", pairSchema);
  return {
    ...lookUp,
    name: "kv_retrieval",
    answerTokens: 64,
    items: drawEvenly(rows, ({ id }) => id, count).map(({ id, records, key, answers }) => {
      const gold = records.findIndex(([own]) => own === key);
      if (gold < 0) throw new UsageError(`The data set kv_retrieval_75.jsonl has no pair for the key of ${id}.`);
      return aroundGold(id, answers, records, gold, (pairs) => {
        const lines = pairs.map(([own, value]) => ` "${own}": "${value}"`);
        return fillTemplate(ownTemplates.lookUp, `{${lines.join(",\n")}}`, key);
      });
    }),
  };
}

/** LongChat's lines (LongEval): registers in lines of their own, as many of them as there is room for. */
export async function linesTask(dataFolder: string, count: number): Promise<ScoredTask> {
  const rows = await readRows(dataFolder, "B_eval/longchat/lines_400.jsonl", lineSchema);
  return {
    ...lookUp,
    name: "longchat_lines",
    answerTokens: 32,
    items: drawEvenly(rows, ({ id }) => id, count).map(({ id, prompt, answers, gold_line }) => {
      const lines = prompt.split("\n");
      const isRecord = (line: string) => line.startsWith("line ") && line.includes("REGISTER_CONTENT is");
      const [begin, end] = [lines.findIndex(isRecord), lines.map(isRecord).lastIndexOf(true) + 1];
      const records = lines.slice(begin, end);
      const gold = records.indexOf(gold_line.trimEnd());
      if (begin < 0 || gold < 0) throw new UsageError(`The data set longchat/lines_400.jsonl has not the line that ${id} asks for.`);
      return aroundGold(id, answers, records, gold, (kept) => ({
        head: `${lines.slice(0, begin).join("\n")}\n`,
        context: kept.join("\n"),
        question: `\n${lines.slice(end).join("\n")}`,
        opening: "",
      }));
    }),
  };
}

/** LongChat's topics (LongEval): the first topic of a conversation about five, whose middle is left out where it is too long. */
export async function topicsTask(dataFolder: string, count: number): Promise<ScoredTask> {
  const rows = await readRows(dataFolder, "B_eval/longchat/topics_5.jsonl", promptSchema);
  const asks = "Now the record ends.";
  return {
    ...lookUp,
    name: "longchat_topics",
    answerTokens: 32,
    items: drawEvenly(rows, ({ id }) => id, count).map(({ id, prompt, answers }): Item => {
      const end = prompt.lastIndexOf(asks);
      const [begin, from] = [prompt.indexOf("USER:"), end < 0 ? prompt.length : end];
      const text = { head: prompt.slice(0, begin), context: prompt.slice(begin, from), question: prompt.slice(from), opening: "" };
      return { id, gold: answers, source: { kind: "cut", text } };
    }),
  };
}

/** An item that has the asked record and as many of those around it as there is room for; it stays at its depth among them. */
function aroundGold<Entry>(
  id: string,
  answers: readonly string[],
  records: readonly Entry[],
  gold: number,
  textOf: (kept: readonly Entry[]) => ReturnType<typeof fillTemplate>,
): Item {
  const others = records.length - 1;
  return {
    id,
    gold: answers,
    source: {
      kind: "grown",
      most: others,
      at(count) {
        const before = others === 0 ? 0 : Math.round((count * gold) / others);
        return textOf(records.slice(gold - before, gold + count - before + 1));
      },
    },
  };
}
