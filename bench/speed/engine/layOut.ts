import { assemblePrompt } from "../../../electron/engine/conversation/assemble.ts";
import type { PromptRequest } from "../../../electron/engine/conversation/prompt.ts";
import type { Loaded } from "../../../electron/engine/session.ts";
import type { Asked } from "../../policies/measure.ts";
import { UsageError } from "../../quality/options.ts";
import { textDocument, tokeniserOf } from "../../quality/tokeniser.ts";

/** Short, so that every policy has room for it in its smallest budget, and with a long answer, so that a smaller model's draft of one is long too. */
const question = "Continue this log for as long as you can.";
/** No line has fewer tokens. */
const leastLineTokens = 8;

/**
 * A log with a question, as the app lays it out. What it says is of no matter to its times.
 * @param tokens the prompt has at most so many, and no whole line less
 * @throws UsageError where template and question alone take as many
 */
export async function layOut(loaded: Loaded, tokens: number): Promise<Asked> {
  const requestOf = (lines: number): PromptRequest => ({
    documents: [textDocument("log.txt", Array.from({ length: lines }, (_, line) => lineOf(line)).join("\n"))],
    turns: [],
    question,
  });
  const asked = async (lines: number): Promise<Asked> => {
    const request = requestOf(lines);
    return { request, prompt: await assemblePrompt(tokeniserOf(loaded), request) };
  };
  let longest = await asked(1);
  if (longest.prompt.tokens.length > tokens) throw new UsageError(`--lengths: ${tokens} tokens have no room for a text and its question.`);
  let [fits, tooMany] = [1, Math.ceil(tokens / leastLineTokens)];
  while (tooMany - fits > 1) {
    const lines = Math.floor((fits + tooMany) / 2);
    const tried = await asked(lines);
    if (tried.prompt.tokens.length > tokens) tooMany = lines;
    else [fits, longest] = [lines, tried];
  }
  return longest;
}

const lineOf = (line: number): string => `Line ${line + 1}: the tide stood at ${(line * 37) % 90} inches.`;
