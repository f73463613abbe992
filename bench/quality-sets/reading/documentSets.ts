import { z } from "zod";
import { tokenF1 } from "../../answers/tokenF1.ts";
import { readRows } from "../../quality/jsonLines.ts";
import { drawEvenly } from "../draw.ts";
import { characterF1 } from "../metrics/characterF1.ts";
import { choiceScore } from "../metrics/choices.ts";
import { classScore } from "../metrics/classes.ts";
import { foundAny } from "../metrics/found.ts";
import { lastNumberIs } from "../metrics/numbers.ts";
import { rougeL } from "../metrics/rougeL.ts";
import type { ScoredTask } from "../task.ts";
import { fillTemplate, ownTemplates, type Template } from "./templates.ts";

type Score = ScoredTask["score"];
type DocumentSet = {
  /** Path below B_eval, without its endings. */
  readonly file: string;
  /** One of LongBench's prompts by its task, or one of our own. */
  readonly template: (longBench: (name: string) => Template) => Template;
  readonly score: Score;
  /** As in LongBench where the task is there, but at most 128: longer answers of small models repeat themselves. */
  readonly answerTokens: number;
  readonly endsWhenRight?: true;
  /** The kinds of questions that are asked; left out, all of them. */
  readonly metric?: string;
};

/** 1 where the first gold answer is met. */
const first =
  (scoreOne: (answer: string, right: string) => number): Score =>
  (answer, gold) =>
    scoreOne(answer, gold[0] ?? "");

/** L-Eval's “True [fact: False]”: what counts is what the document says. */
const loyalty: Score = (answer, gold) => classScore(answer, (gold[0] ?? "").split(" ")[0] ?? "", ["True", "False"]);

const briefly = { template: (of: (name: string) => Template) => of("multifieldqa_en"), score: tokenF1, answerTokens: 64 };
const byLetters = { template: () => ownTemplates.choice, score: first(choiceScore), answerTokens: 16 };
const summary = { score: rougeL, answerTokens: 128 };

/** Sets of documents with questions about them, by the names of their tasks. */
const sets: Readonly<Record<string, DocumentSet>> = {
  xquad_en: { ...briefly, file: "xquad/en", answerTokens: 32 },
  hotpotqa: { file: "hotpotqa_100", template: (of) => of("hotpotqa"), score: tokenF1, answerTokens: 32 },
  loogle_qa: { ...briefly, file: "loogle_sample", metric: "f1" },
  leval_multidoc_qa: { ...briefly, file: "leval/multidoc_qa" },
  leval_natural_question: { ...briefly, file: "leval/natural_question" },
  leval_financial_qa: { ...briefly, file: "leval/financial_qa" },
  leval_legal_contract_qa: { ...briefly, file: "leval/legal_contract_qa" },
  leval_quality: { ...byLetters, file: "leval/quality" },
  leval_coursera: { ...byLetters, file: "leval/coursera" },
  leval_sci_fi: { file: "leval/sci_fi", template: () => ownTemplates.trueFalse, score: loyalty, answerTokens: 16 },
  leval_gsm100: { file: "leval/gsm100", template: () => ownTemplates.examples, score: first(lastNumberIs), answerTokens: 128 },
  leval_topic_retrieval: {
    file: "leval/topic_retrieval_longchat",
    template: () => ownTemplates.instruction,
    score: foundAny,
    answerTokens: 32,
    endsWhenRight: true,
  },
  qmsum: { ...summary, file: "qmsum_test", template: (of) => of("qmsum") },
  squality: { ...summary, file: "squality/test", template: () => ownTemplates.story },
  leval_gov_report_summ: { ...summary, file: "leval/gov_report_summ", template: (of) => of("gov_report") },
  leval_news_summ: { ...summary, file: "leval/news_summ", template: (of) => of("multi_news") },
  leval_tv_show_summ: { ...summary, file: "leval/tv_show_summ", template: () => ownTemplates.instruction },
  leval_review_summ: { ...summary, file: "leval/review_summ", template: () => ownTemplates.instruction },
  leval_paper_assistant: { ...summary, file: "leval/paper_assistant", template: () => ownTemplates.instruction },
  loogle_summarization: { ...summary, file: "loogle_sample", metric: "rougeL", template: () => ownTemplates.instruction },
  cmrc2018: { file: "cmrc2018_trial", template: (of) => of("multifieldqa_zh"), score: characterF1, answerTokens: 64 },
};

const documentSchema = z.object({ doc_id: z.string(), text: z.string() });
const questionSchema = z.object({
  id: z.string(),
  doc_id: z.string(),
  question: z.string(),
  // The cloze questions of LooGLE have objects here; they are not asked.
  answers: z.array(z.unknown()).min(1),
  metric: z.string(),
});

/** Names of the tasks that {@link documentTask} knows. */
export const documentTaskNames: readonly string[] = Object.keys(sets);

/**
 * Questions about documents; the middle of a document that is too long is left out.
 * @param longBench LongBench's prompts
 * @throws UsageError where the set is missing or damaged; RangeError for a name that is not there
 */
export async function documentTask(
  dataFolder: string,
  name: string,
  longBench: (name: string) => Template,
  count: number,
): Promise<ScoredTask> {
  const set = sets[name];
  if (set === undefined) throw new RangeError(`There is no set of documents for ${name}.`);
  const documents = await readRows(dataFolder, `B_eval/${set.file}.docs.jsonl`, documentSchema);
  const texts = new Map(documents.map(({ doc_id, text }) => [doc_id, text]));
  const questions = (await readRows(dataFolder, `B_eval/${set.file}.qa.jsonl`, questionSchema)).filter(
    ({ metric }) => set.metric === undefined || metric === set.metric,
  );
  const template = set.template(longBench);
  return {
    name,
    group: "reading",
    answerTokens: set.answerTokens,
    score: set.score,
    endsWhenRight: set.endsWhenRight === true,
    keptShare: null,
    items: drawEvenly(questions, ({ doc_id }) => doc_id, count).map(({ id, doc_id, question, answers }) => ({
      id,
      gold: answers.filter((answer) => typeof answer === "string"),
      source: { kind: "cut", text: fillTemplate(template, texts.get(doc_id) ?? "", question) },
    })),
  };
}
