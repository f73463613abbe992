import type { Conversation, Turn } from "../../contract/conversation.ts";
import type { Citation } from "../../contract/export.ts";
import type { Heatmap } from "../../contract/heatmap.ts";
import type { Language } from "../../contract/language.ts";
import { type Message, say } from "../../contract/said.ts";

export type Words = (message: Message) => string;

/** Everything that an exported conversation is made of: the turns in view. */
export type ExportOf = {
  readonly language: Language;
  /** What is written beside the conversation's own words, in that language. */
  readonly words: Words;
  readonly conversation: Conversation;
  readonly title: string;
  /** In the conversation's order; a name as far as one is known. */
  readonly documents: readonly { readonly documentId: string; readonly name: string; readonly pages: readonly number[] | null }[];
  readonly turns: readonly { readonly turn: Turn; readonly citations: readonly Citation[] }[];
  /** What a budget would keep for the last question; null where that was not asked for. */
  readonly heatmap: Heatmap | null;
  /** Milliseconds since 1970. */
  readonly now: number;
};

/** "2026-11-30 14:31" in UTC of milliseconds since 1970. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ");
}

/** A document with the pages that are meant: "manual.pdf, p. 3, 87"; null for all. */
export function withPages(words: Words, name: string, pages: readonly number[] | null): string {
  return pages === null || pages.length === 0 ? name : words(say("exportedPages", { name, pages }));
}

/** Pages of documents, each once, as {@link withPages} writes them. A document of one page has no page numbers. */
export function sourcesOf(words: Words, citations: readonly Citation[]): string[] {
  const pages = new Map<string, { name: string; pages: Set<number> }>();
  for (const { documentId, name, page, pageCount } of citations.flatMap((citation) => citation.pages)) {
    const known = pages.get(documentId) ?? { name, pages: new Set<number>() };
    if (pageCount > 1) known.pages.add(page);
    pages.set(documentId, known);
  }
  return [...pages.values()].map(({ name, pages: numbers }) =>
    withPages(
      words,
      name,
      [...numbers].sort((one, other) => one - other),
    ),
  );
}

/** What an answer was made with and cost, in a line: every number measured. */
export function figuresLine(words: Words, { figures, status: ended }: Turn): string {
  const status = say(`answer-${ended}`);
  if (figures === null) return words(status);
  const { model, keptTokens, promptTokens: tokens, policy, mode, fullCacheBytes, keptCacheBytes, decodeTokensPerSecond: speed } = figures;
  const megabytes = (bytes: number): number => bytes / 1e6;
  const kept =
    keptTokens === null
      ? say("exportedFull", { megabytes: megabytes(keptCacheBytes) })
      : say("exportedKept", {
          tokens: Math.round(keptTokens),
          policy: say(`policy-${policy}`),
          mode: say(`mode-${mode}`),
          full: megabytes(fullCacheBytes),
          kept: megabytes(keptCacheBytes),
        });
  return words(say("exportedFigures", { status, model, tokens, kept, speed }));
}
