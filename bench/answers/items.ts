import { randomOf } from "../../electron/engine/lookahead/xoshiro.ts";
import { shuffled } from "../quality/chance.ts";

/** A question about an article, with the answers that count as right and the first one's place in the article's text. */
export type Question = {
  readonly id: string;
  readonly doc_id: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly answer_start: number;
};

/** What a question is asked about: the paragraph that answers it, or the whole article of about five paragraphs. */
export const passages = ["paragraph", "article"] as const;
export type Passage = (typeof passages)[number];

/** @param text the article's, a line for each paragraph */
export function passageOf(passage: Passage, text: string, { answer_start: place }: Pick<Question, "answer_start">): string {
  if (passage === "article") return text;
  const end = text.indexOf("\n", place);
  return text.slice(text.lastIndexOf("\n", place - 1) + 1, end < 0 ? text.length : end);
}

/** Fixes which questions are drawn. */
const seed = 20_26;

/**
 * Draws questions as evenly from the documents as can be: from each a first one, then from each a second one. Those of a document stand
 * together, so that an article is read once. The same questions and count give the same draw, and a smaller count draws a part of it.
 * @returns at most `count`
 */
export function drawQuestions(questions: readonly Question[], count: number): Question[] {
  const random = randomOf(seed);
  const byDocument = new Map<string, Question[]>();
  for (const question of questions) byDocument.set(question.doc_id, [...(byDocument.get(question.doc_id) ?? []), question]);
  const documents = shuffled([...byDocument.values()], random).map((own) => shuffled(own, random));
  const most = Math.max(0, ...documents.map((own) => own.length));
  const rounds = Array.from({ length: most }, (_, round) => documents.flatMap((own) => own.slice(round, round + 1)));
  const drawn = new Set(rounds.flat().slice(0, count));
  return documents.flatMap((own) => own.filter((question) => drawn.has(question)));
}
