import type { ModelContext } from "../../electron/engine/llama/context.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { readWhole } from "./readWhole.ts";
import { type Prompt, type ReadPrompt, snapRule } from "./rules.ts";

/** Reads a prompt with snapkv's plan, so that the rows of its window are scored on the way, which changes no row of the prompt. */
export async function readWithWindow(loaded: Loaded, prompt: Prompt): Promise<Pick<ReadPrompt, "context" | "windowScores">> {
  const end = prompt.tokens.length;
  const context = await readWhole(loaded, prompt.tokens, snapRule.plan(prompt, end));
  const windowScores = context.scores(end);
  context.stopScoring();
  return { context, windowScores };
}

/** Leaves the prompt in the full cache and nothing else. @param end tokens of the prompt */
export function clear(context: ModelContext, end: number): void {
  context.stopScoring();
  context.setAdapter(null);
  context.truncate(end);
  const { tokens } = context.shape();
  if (tokens !== end) throw new Error(`The full cache holds ${tokens} tokens instead of the prompt's ${end}.`);
}
