import type { Measured } from "./promptStore.ts";

/** Tokens of what is sent, by what a person knows of it. Together with the room for the answer they are what the context has to hold. */
export type MeterParts = { readonly document: number; readonly question: number; readonly other: number; readonly room: number };

/** Sorts a measure: the template's own tokens of a question that nobody has typed yet are no question. */
export function meterParts({ measure, question }: Measured): MeterParts {
  const typed = question.trim() !== "";
  return {
    document: measure.documentTokens,
    question: typed ? measure.questionTokens : 0,
    other: measure.otherTokens + (typed ? 0 : measure.questionTokens),
    room: measure.answerRoom,
  };
}
