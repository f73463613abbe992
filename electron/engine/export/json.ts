import type { ExportOf } from "./exportOf.ts";

/** A conversation as data. `version` is raised when a field changes its meaning. */
export function exportJson({ conversation, title, documents, turns, now }: ExportOf): string {
  const exported = {
    format: "longsight-conversation",
    version: 1,
    exportedAt: new Date(now).toISOString(),
    title,
    createdAt: new Date(conversation.createdAt).toISOString(),
    documents,
    pins: conversation.pins,
    turns: turns.map(({ turn: { question, answer, status, figures, createdAt }, citations }) => ({
      question,
      answer,
      status,
      createdAt: new Date(createdAt).toISOString(),
      sources: citations.map(({ start, end, pages }) => ({
        start,
        end,
        pages: pages.map(({ documentId, page }) => ({ documentId, page })),
      })),
      figures,
    })),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}
