import type { Conversation, Turn } from "../../contract/conversation.ts";
import type { Citation } from "../../contract/export.ts";
import type { Heatmap } from "../../contract/heatmap.ts";

/** Everything that an exported conversation is made of: the turns in view. */
export type ExportOf = {
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

/** Pages of documents, each once: "manual.pdf, p. 3, 87". A document of one page has no page numbers. */
export function sourcesOf(citations: readonly Citation[]): string[] {
  const pages = new Map<string, { name: string; pages: Set<number> }>();
  for (const { documentId, name, page, pageCount } of citations.flatMap((citation) => citation.pages)) {
    const known = pages.get(documentId) ?? { name, pages: new Set<number>() };
    if (pageCount > 1) known.pages.add(page);
    pages.set(documentId, known);
  }
  return [...pages.values()].map(({ name, pages: numbers }) =>
    numbers.size === 0 ? name : `${name}, p. ${[...numbers].sort((one, other) => one - other).join(", ")}`,
  );
}

/** What an answer was made with and cost, in a line: every number measured. */
export function figuresLine({ figures, status }: Turn): string {
  if (figures === null) return status;
  const { model, keptTokens, promptTokens, policy, mode, fullCacheBytes, keptCacheBytes } = figures;
  const size = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const kept =
    keptTokens === null
      ? `full cache ${size(keptCacheBytes)}`
      : `${Math.round(keptTokens).toLocaleString("en")} kept per layer and head by ${policy} (${mode}), cache ${size(fullCacheBytes)} → ${size(keptCacheBytes)}`;
  return `${status} · ${model} · ${promptTokens.toLocaleString("en")} prompt tokens · ${kept} · ${figures.decodeTokensPerSecond} tokens/s`;
}
