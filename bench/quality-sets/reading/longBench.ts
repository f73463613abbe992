import { z } from "zod";
import { readRows } from "../../quality/jsonLines.ts";
import { drawEvenly } from "../draw.ts";
import { characterF1 } from "../metrics/characterF1.ts";
import { numberShare } from "../metrics/numbers.ts";
import { rougeL } from "../metrics/rougeL.ts";
import type { ScoredTask } from "../task.ts";
import { fillTemplate, type Template } from "./templates.ts";

const rowSchema = z.object({ _id: z.string(), input: z.string(), context: z.string(), answers: z.array(z.string()).min(1) });

const metrics: Readonly<Record<string, Pick<ScoredTask, "score" | "answerTokens">>> = {
  multi_news: { score: rougeL, answerTokens: 128 },
  multifieldqa_zh: { score: characterF1, answerTokens: 64 },
  passage_retrieval_zh: { score: (answer, gold) => numberShare(answer, gold[0] ?? ""), answerTokens: 32 },
};

/** Names of the tasks that {@link longBenchTask} knows. */
export const longBenchTaskNames: readonly string[] = Object.keys(metrics);

/**
 * A task in LongBench's own form and with its prompt; the middle of a context that is too long is left out, as there.
 * @throws UsageError where the set is missing or damaged; RangeError for a name that is not there
 */
export async function longBenchTask(
  dataFolder: string,
  name: string,
  longBench: (name: string) => Template,
  count: number,
): Promise<ScoredTask> {
  const metric = metrics[name];
  if (metric === undefined) throw new RangeError(`There is no LongBench task ${name}.`);
  const rows = await readRows(dataFolder, `B_eval/longbench/${name}.jsonl`, rowSchema);
  return {
    ...metric,
    name,
    group: "reading",
    endsWhenRight: false,
    keptShare: null,
    items: drawEvenly(rows, ({ _id }) => _id, count).map(({ _id, input, context, answers }) => ({
      id: _id,
      gold: answers,
      source: { kind: "cut", text: fillTemplate(longBench(name), context, input) },
    })),
  };
}
