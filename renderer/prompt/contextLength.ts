import type { PromptMeasure } from "../../electron/contract/conversation.ts";

/** Context lengths are allocated in steps of this many tokens. */
const step = 256;

/** Tokens that a prompt and its answer take together. */
export function neededTokens(measure: PromptMeasure): number {
  return measure.promptTokens + measure.answerRoom;
}

/** A context length that holds a prompt with some room for the conversation to go on; never more than the model was trained for. */
export function contextFor(measure: PromptMeasure, trained: number): number {
  const roomy = Math.ceil((neededTokens(measure) * 1.1) / step) * step;
  return Math.min(trained, Math.max(measure.contextLength, roomy));
}
