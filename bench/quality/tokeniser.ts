import type { assemblePrompt } from "../../electron/engine/conversation/assemble.ts";
import type { PromptDocument } from "../../electron/engine/conversation/prompt.ts";
import { splitPages } from "../../electron/engine/documents/plainText.ts";
import type { Loaded } from "../../electron/engine/session.ts";

/** What the app lays prompts out with, but no page is remembered: many texts go by the same name here. */
export function tokeniserOf({ model, render }: Loaded): Parameters<typeof assemblePrompt>[0] {
  return { model, render, tokenise: (part) => model.tokenise(part.text, part.kind === "control") };
}

/** A text as the app opens it from a file. */
export function textDocument(name: string, text: string): PromptDocument {
  const pages = splitPages(text).map((page, index) => ({ documentId: name, page: index + 1, text: page }));
  return { documentId: name, name, pageCount: pages.length, pages };
}
