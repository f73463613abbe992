import { join } from "node:path";
import { z } from "zod";
import { assemblePrompt, measure as measurePrompt, refuseTooLong } from "../../electron/engine/conversation/assemble.ts";
import { compareAnswers } from "../quality/compare.ts";
import { readRows } from "../quality/jsonLines.ts";
import { measureItems } from "../quality/measureItems.ts";
import { type BenchModel, withModel } from "../quality/model.ts";
import { commandOf, saveResults } from "../quality/results.ts";
import { lookaheadRule, snapRule } from "../quality/rules.ts";
import { textDocument, tokeniserOf } from "../quality/tokeniser.ts";
import type { Tools } from "../quality/tools.ts";
import { drawQuestions, passageOf, type Question } from "./items.ts";
import { type AnswerOptions, parseAnswerOptions } from "./options.ts";
import { outcomeSchema } from "./outcome.ts";
import { summarise, summaryTable } from "./summary.ts";
import { holdsGold, tokenF1 } from "./tokenF1.ts";

/** Longest answer in tokens: gold answers are a few words. */
const maxTokens = 32;
/** More than the longest article has, with its question and all that comes behind. */
const contextLength = 4096;
const dataSet = "xquad/en";

const documentSchema = z.object({ doc_id: z.string(), text: z.string() });
const questionSchema = z.object({
  id: z.string(),
  doc_id: z.string(),
  question: z.string(),
  answers: z.array(z.string()).min(1),
  answer_start: z.number().int().nonnegative(),
});

/** The bench `answers`. @returns the exit code. @throws UsageError, LongsightError */
export async function main(args: string[], tools: Tools): Promise<number> {
  const options = parseAnswerOptions(args);
  const set = join("B_eval", ...dataSet.split("/"));
  const documents = await readRows(tools.dataFolder, `${set}.docs.jsonl`, documentSchema);
  const questions = drawQuestions(await readRows(tools.dataFolder, `${set}.qa.jsonl`, questionSchema), options.items);
  const texts = new Map(documents.map(({ doc_id, text }) => [doc_id, text]));
  return withModel(options, tools, { contextLength }, (bench) => measure(options, tools, bench, questions, texts));
}

async function measure(
  options: AnswerOptions,
  tools: Tools,
  { loaded, modules, described }: BenchModel,
  questions: readonly Question[],
  texts: ReadonlyMap<string, string>,
): Promise<number> {
  const { budgets, passage } = options;
  const rules = [...modules.map(lookaheadRule), snapRule];
  const run = { dataSet, passage, items: questions.length, budgets, maxTokens, ...described };
  const { outcomes, journal } = await measureItems({
    bench: "answers",
    run: { ...run, code: tools.code },
    items: questions,
    schema: outcomeSchema,
    isOf: (outcome, question) => outcome.id === question.id,
    step: `Answers, ${dataSet}, ${passage}`,
    lineOf: null,
    async measure(question, isFirst, secondsSoFar) {
      const document = textDocument("article.txt", passageOf(passage, texts.get(question.doc_id) ?? "", question));
      const request = { documents: [document], turns: [], question: question.question };
      const prompt = await assemblePrompt(tokeniserOf(loaded), request);
      refuseTooLong(measurePrompt(prompt, contextLength, maxTokens));
      // The article's part that is in the cache already is not read again (docs/decisions/0009): the answers are the same.
      const compared = await compareAnswers(loaded, prompt, { rules, budgets, maxTokens, says: null, isChecked: isFirst });
      const scored = (text: string) => ({
        text,
        f1: Math.round(tokenF1(text, question.answers) * 1e6) / 1e6,
        holdsGold: holdsGold(text, question.answers),
      });
      return {
        id: question.id,
        documentId: question.doc_id,
        promptTokens: prompt.tokens.length,
        full: scored(compared.full),
        kept: compared.kept.map((answer) => ({ ...answer, ...scored(answer.text) })),
        seconds: secondsSoFar(),
      };
    },
  });
  const summary = summarise(
    outcomes,
    rules.map(({ name }) => name),
    budgets,
  );
  const articles = new Set(outcomes.map(({ documentId }) => documentId)).size;
  console.log(`${described.model.id}, ${dataSet}, ${passage}: ${outcomes.length} answers, 95 % intervals over the articles (${articles})`);
  console.log(summaryTable(summary));
  const command = commandOf("answers", options, { passage, items: options.items });
  const file = await saveResults(tools, options, `answers-${described.model.id}-${passage}`, { command, ...run, summary, outcomes });
  console.log(`Raw figures: ${file}`);
  await journal.remove();
  return 0;
}
