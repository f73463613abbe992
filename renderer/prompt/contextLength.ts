import type { PromptMeasure } from "../../electron/contract/conversation.ts";
import { roundContext } from "../../electron/contract/fit.ts";

/** Tokens that a prompt and its answer take together. */
export function neededTokens(measure: PromptMeasure): number {
  return measure.promptTokens + measure.answerRoom;
}

/** A context length that holds a prompt with some room for the conversation to go on; never more than the model was trained for. */
export function contextFor(measure: PromptMeasure, trained: number): number {
  return Math.min(trained, Math.max(measure.contextLength, roundContext(neededTokens(measure) * 1.1)));
}
