import { assemblePrompt } from "../../electron/engine/conversation/assemble.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { createLayout } from "../needles/layout.ts";
import { isFound, makeItems } from "../needles/needle.ts";
import type { Prompt } from "../quality/rules.ts";
import { textDocument, tokeniserOf } from "../quality/tokeniser.ts";
import { questions, stories, words } from "./texts.ts";

/** A prompt of the guard. `says`: whether a text has the needle; null for a question that is answered in sentences. */
export type GuardItem = { readonly prompt: Prompt; readonly says: ((text: string) => boolean) | null };

/** Of a prompt with a needle, about; the stories themselves have some 500. */
export const needlePromptTokens = 1000;
const needles = 10;

/** Needles in stories, and a question about each story, laid out as the app does it. */
export async function layOutItems(loaded: Loaded): Promise<GuardItem[]> {
  const layOut = createLayout(loaded, "single", needlePromptTokens, stories);
  const items: GuardItem[] = [];
  for (const item of makeItems("single", needles, words)) {
    const [{ value }] = item.needles;
    items.push({ prompt: await layOut(item), says: (text) => isFound(value, text) });
  }
  for (const [index, question] of questions.entries()) {
    const request = { documents: [textDocument("story.txt", stories[index] ?? "")], turns: [], question };
    items.push({ prompt: await assemblePrompt(tokeniserOf(loaded), request), says: null });
  }
  return items;
}
