import { z } from "zod";
import { tokenF1 } from "../answers/tokenF1.ts";
import { readRows } from "../quality/jsonLines.ts";
import { drawEvenly } from "./draw.ts";
import { editSimilarity } from "./metrics/editSimilarity.ts";
import { rougeL } from "./metrics/rougeL.ts";
import type { AgreementTask, Item } from "./task.ts";

const rowSchema = z.object({ question_id: z.number().int(), category: z.string(), turns: z.array(z.string()).min(1) });

/** First turns of MT-Bench, evenly from its categories. There is no gold answer: what a kept cache answers is held against the full one's. */
export async function firstTurnsTask(dataFolder: string, count: number): Promise<AgreementTask> {
  const rows = await readRows(dataFolder, "B_eval/mt_bench/question.jsonl", rowSchema);
  const items = drawEvenly(rows, ({ category }) => category, count).map(
    ({ question_id, turns }): Item => ({
      id: String(question_id),
      gold: [],
      source: { kind: "whole", text: { head: "", context: "", question: turns[0] ?? "", opening: "" } },
    }),
  );
  return { name: "mt_bench", group: "agreement", answerTokens: 128, items };
}

/** How alike a kept cache's answer is to the full one's, each 0 … 1. */
export type Agreement = { readonly f1: number; readonly rougeL: number; readonly edit: number };

export function agreementOf(answer: string, full: string): Agreement {
  // Two empty answers agree, although no word of theirs does.
  if (answer === full) return { f1: 1, rougeL: 1, edit: 1 };
  return { f1: tokenF1(answer, [full]), rougeL: rougeL(answer, [full]), edit: editSimilarity(answer, full) };
}
