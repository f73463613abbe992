import { type AssembledPrompt, assemblePrompt } from "../../electron/engine/conversation/assemble.ts";
import type { PromptPart, PromptRequest } from "../../electron/engine/conversation/prompt.ts";
import type { Loaded } from "../../electron/engine/session.ts";
import { UsageError } from "../quality/options.ts";
import type { Prompt } from "../quality/rules.ts";
import { textDocument, tokeniserOf } from "../quality/tokeniser.ts";
import { cutToTokens, placeNeedles } from "./haystack.ts";
import type { NeedleItem, Variant } from "./needle.ts";

/** Lays items out as prompts. */
export type Layout = (item: NeedleItem) => Promise<Prompt>;

/**
 * Prompts of about `tokens` tokens, each with a story of its own as long as there are enough; a short one is followed by the next.
 * @param stories running text
 */
export function createLayout(loaded: Loaded, variant: Variant, tokens: number, stories: readonly string[]): Layout {
  return (item) => fillWithStory(loaded, { tokens, stories, first: item.index }, (haystack) => layOut(loaded, variant, item, haystack));
}

/**
 * A prompt of about `tokens` tokens, by the story that fills it.
 * @param about.first the story that it begins with
 * @param layOutWith lays out the prompt around a story
 * @throws UsageError where there is no room for a text, or not enough of it
 */
export async function fillWithStory<Laid extends { readonly tokens: Uint32Array }>(
  loaded: Loaded,
  { tokens, stories, first }: { readonly tokens: number; readonly stories: readonly string[]; readonly first: number },
  layOutWith: (haystack: string) => Promise<Laid>,
): Promise<Laid> {
  const bare = await layOutWith("");
  const room = tokens - bare.tokens.length;
  if (room < 1) throw new UsageError(`--tokens ${tokens} has no room for a text: question and needles alone take ${bare.tokens.length}.`);
  return layOutWith(await haystackOf(loaded, stories, first, room));
}

/** What is asked of a model: the story with the item's needles in it, and its question. */
export function requestOf(item: NeedleItem, haystack: string): PromptRequest {
  return { documents: [textDocument("story.txt", placeNeedles(haystack, item.needles))], turns: [], question: item.question };
}

/** A text of at most `tokens` tokens. */
async function haystackOf({ model }: Loaded, stories: readonly string[], first: number, tokens: number): Promise<string> {
  let text = "";
  for (let taken = 0; taken < stories.length; taken++) {
    text = [text, stories[(first + taken) % stories.length] ?? ""].filter((part) => part !== "").join("\n");
    const tokenised = await model.tokenise(text, false);
    if (tokenised.tokens.length >= tokens) return cutToTokens(text, tokenised.bytes, tokens);
  }
  throw new UsageError(`All stories together have fewer than ${tokens.toLocaleString("en")} tokens. Choose a smaller --tokens.`);
}

async function layOut(loaded: Loaded, variant: Variant, item: NeedleItem, haystack: string): Promise<Prompt> {
  const tokeniser = tokeniserOf(loaded);
  const asApp = await assemblePrompt(tokeniser, requestOf(item, haystack));
  const prompt = variant === "question-first" ? await questionFirst(tokeniser, asApp) : asApp;
  // The answer's opening belongs to the tail: it is the end of what is there when the answer begins.
  const opening = await loaded.model.tokenise(item.opening, false);
  return { ...prompt, tokens: Uint32Array.from([...prompt.tokens, ...opening.tokens]) };
}

/** The app's parts in another order: the question comes before the document, and no question stands before the tail. */
async function questionFirst(tokeniser: ReturnType<typeof tokeniserOf>, { tokens, pieces }: AssembledPrompt): Promise<Prompt> {
  const begin = tokens.subarray(0, pieces[0]?.firstToken ?? 0);
  const parts = moveQuestion(pieces.map(({ part }) => part));
  const tokenised = await Promise.all(parts.map((part) => tokeniser.tokenise(part)));
  const all = Uint32Array.from([...begin, ...tokenised.flatMap((part) => [...part.tokens])]);
  const tailStart = all.length - (tokenised.at(-1)?.tokens.length ?? 0);
  return { tokens: all, questionStart: tailStart, tailStart };
}

/** @param parts system text, document and question, between the template's own */
export function moveQuestion(parts: readonly PromptPart[]): PromptPart[] {
  const question = parts.find((part) => part.kind === "question");
  const firstPage = parts.findIndex((part) => part.kind === "page");
  if (question === undefined || firstPage < 1) throw new RangeError("A prompt without a question or a document has nothing to move.");
  // What names the document stands before its first page.
  const before = firstPage - 1;
  const others = (part: PromptPart) => part !== question;
  return [
    ...parts.slice(0, before).filter(others),
    { kind: "question", text: `${question.text}\n\n` },
    ...parts.slice(before).filter(others),
  ];
}
