import { z } from "zod";
import { randomOf } from "../../../electron/engine/lookahead/xoshiro.ts";
import { below, shuffled } from "../../quality/chance.ts";
import { readRows } from "../../quality/jsonLines.ts";
import { drawEvenly, seed } from "../draw.ts";
import { classScore } from "../metrics/classes.ts";
import { foundAny, foundInFirstLine } from "../metrics/found.ts";
import { numberShare } from "../metrics/numbers.ts";
import type { Item, ScoredTask } from "../task.ts";
import { fillTemplate, ownTemplates, type Template } from "./templates.ts";

type Asked = { readonly id: string; readonly question: string; readonly answers: readonly string[]; readonly passage: string };

const openSchema = z.object({ id: z.string(), question: z.string(), answers: z.array(z.string()).min(1), passage: z.string() });
const abstractSchema = z.object({ id: z.string(), question: z.string(), answers: z.array(z.string()).min(1), context: z.string() });
const textSchema = z.object({ title: z.string(), text: z.string() });

/** Natural Questions among passages (Liu et al. 2023): the one with the answer at any place, the others of other questions. */
export async function openQuestionsTask(dataFolder: string, longBench: (name: string) => Template, count: number): Promise<ScoredTask> {
  const rows = await readRows(dataFolder, "B_eval/nq_open_oracle_700.jsonl", openSchema);
  return {
    name: "nq_passages",
    group: "reading",
    answerTokens: 32,
    score: foundInFirstLine,
    endsWhenRight: true,
    keptShare: null,
    items: amongOthers(rows, longBench("hotpotqa"), count),
  };
}

/** PubMedQA's questions about one abstract among others, answered with yes, no or maybe. */
export async function abstractsTask(dataFolder: string, count: number): Promise<ScoredTask> {
  const rows = await readRows(dataFolder, "B_eval/pubmedqa_test.jsonl", abstractSchema);
  const classes = ["yes", "no", "maybe"];
  return {
    name: "pubmedqa_abstracts",
    group: "reading",
    answerTokens: 16,
    score: (answer, gold) => classScore(answer, gold[0] ?? "", classes),
    endsWhenRight: false,
    keptShare: null,
    items: amongOthers(
      rows.map(({ context, ...row }) => ({ ...row, passage: context })),
      ownTemplates.yesNoMaybe,
      count,
    ),
  };
}

/** The asked passage among as many others as there is room for, none of which holds an answer. */
function amongOthers(rows: readonly Asked[], template: Template, count: number): Item[] {
  return drawEvenly(rows, ({ id }) => id, count).map(({ id, question, answers, passage }, index) => {
    const random = randomOf(seed, index);
    const depth = below(random, 1000) / 1000;
    const isAnswered = (text: string) => foundAny(text, answers) === 1 && answers.some((answer) => answer.length > 3);
    const others = shuffled(
      rows.filter((other) => other.id !== id && other.passage !== passage && !isAnswered(other.passage)),
      random,
    ).map((other) => other.passage);
    return {
      id,
      gold: answers,
      source: {
        kind: "grown",
        most: others.length,
        at(length) {
          const place = Math.floor(depth * (length + 1));
          const passages = [...others.slice(0, place), passage, ...others.slice(place, length)];
          return fillTemplate(template, numberedPassages(passages, "Passage"), question);
        },
      },
    };
  });
}

/** Most of the characters that a token stands for in this set. */
const charactersPerToken = 3.5;

/**
 * LongBench's passage count, of passages of 2WikiMultihopQA: how many are left when those that stand there twice are counted once.
 * @param tokens of the whole prompt with its answer; about as many passages are taken
 */
export async function countTask(
  dataFolder: string,
  longBench: (name: string) => Template,
  tokens: number,
  count: number,
): Promise<ScoredTask> {
  const rows = await readRows(dataFolder, "B_eval/2wiki_passages_1500.jsonl", textSchema);
  return {
    name: "passage_count",
    group: "reading",
    answerTokens: 32,
    score: (answer, gold) => numberShare(answer, gold[0] ?? ""),
    endsWhenRight: false,
    keptShare: null,
    items: Array.from({ length: count }, (_, index) => {
      const random = randomOf(seed, index);
      const order = shuffled(rows, random).map(({ text }) => text);
      // Half of the room for different ones, so that chance may repeat any of them.
      const room = tokens * charactersPerToken * 0.5;
      let [characters, different] = [0, 0];
      for (; different < order.length && characters < room; different++) characters += order[different]?.length ?? 0;
      const passages = order.slice(0, Math.max(2, different - 1));
      const repeated = passages.slice(0, below(random, passages.length));
      return {
        id: String(index),
        gold: [String(passages.length)],
        source: {
          kind: "whole",
          text: fillTemplate(longBench("passage_count"), numberedPassages(shuffled([...passages, ...repeated], random), "Paragraph"), ""),
        },
      };
    }),
  };
}

function numberedPassages(passages: readonly string[], name: string): string {
  return passages.map((passage, index) => `${name} ${index + 1}:\n${passage}`).join("\n\n");
}
