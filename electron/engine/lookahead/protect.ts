import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";

/** Tokens from `start` on, up to but without `end`. */
export type TokenRange = { readonly start: number; readonly end: number };

export type Protection = {
  readonly promptTokens: number;
  /** How many of the first tokens are kept; models rest their attention there. */
  readonly sinks?: number;
  /** From here to the prompt's end all is kept: the template's tail, from the question's end on. */
  readonly tailStart: number;
  /** Pinned passages, in any order; they may overlap. */
  readonly pinned?: readonly TokenRange[];
  /** Tokens kept per layer and KV head. */
  readonly budget: number;
};

/** First tokens that are always kept (StreamingLLM's number). */
export const defaultSinks = 4;

/**
 * The tokens that every layer and KV head keeps, ascending, each once.
 * @throws LongsightError `usage` where they are more than the budget, naming the least budget that there can be
 * @throws RangeError where a place is not within the prompt: a mistake in the program
 */
export function protectedTokens({ promptTokens, sinks = defaultSinks, tailStart, pinned = [], budget }: Protection): Uint32Array {
  const ranges: TokenRange[] = [
    { start: 0, end: Math.min(sinks, promptTokens) },
    { start: tailStart, end: promptTokens },
  ];
  const unpinned = tokensIn(ranges, promptTokens);
  const all = tokensIn([...ranges, ...pinned], promptTokens);
  if (all.length <= budget) return all;
  const inPassages = all.length - unpinned.length;
  const tail = promptTokens - tailStart;
  const which = [
    ...(sinks > 0 ? [say("keptFirst", { tokens: Math.min(sinks, promptTokens) })] : []),
    // The template's words after the question, or snapkv's window: either way the last ones.
    ...(tail > 0 ? [say("keptLast", { tokens: tail })] : []),
    ...(inPassages > 0 ? [say("keptPinned", { tokens: inPassages })] : []),
  ];
  const says = inPassages === 0 ? "budgetTooSmall" : "budgetTooSmallForPins";
  throw new LongsightError("usage", say(says, { budget, least: all.length, which }));
}

/** The tokens of ranges, ascending, each once. @throws RangeError where one is not within the prompt */
export function tokensIn(ranges: readonly TokenRange[], promptTokens: number): Uint32Array {
  const marks = new Uint8Array(promptTokens);
  for (const { start, end } of ranges) {
    const isWithin = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end <= promptTokens;
    if (!isWithin) throw new RangeError(`Tokens ${start} to ${end} are not within a prompt of ${promptTokens} tokens.`);
    marks.fill(1, start, end);
  }
  let count = 0;
  for (const mark of marks) count += mark;
  const tokens = new Uint32Array(count);
  let place = 0;
  for (let token = 0; token < promptTokens; token++) if (marks[token] === 1) tokens[place++] = token;
  return tokens;
}
