import type { Citation } from "../../electron/contract/export.ts";

/** What a page reference is made of; the words are the language's. */
export type CitationWords = {
  readonly page: (pages: string) => string;
  readonly source: (name: string, pages: string | null) => string;
};

/**
 * An answer with the pages that its sentences share their words with: behind each sentence, and listed at the end by document. Code is not
 * written into; its pages are in the list alone.
 */
export function citedText(answer: string, citations: readonly Citation[], words: CitationWords): string {
  if (citations.length === 0) return answer;
  const documents = new Map<string, { name: string; many: boolean; pages: Set<number> }>();
  for (const { documentId, name, page, pageCount } of citations.flatMap((citation) => citation.pages)) {
    const known = documents.get(documentId) ?? { name, many: pageCount > 1, pages: new Set<number>() };
    known.pages.add(page);
    documents.set(documentId, known);
  }
  const several = documents.size > 1;
  const referenceOf = ({ pages }: Citation): string => {
    const parts = [...new Set(pages.map(({ documentId }) => documentId))].map((id) => {
      const own = pages.filter(({ documentId }) => documentId === id);
      const numbers = documents.get(id)?.many === true ? words.page(listOf(own.map(({ page }) => page))) : null;
      return several ? words.source(own[0]?.name ?? "", numbers) : numbers;
    });
    const said = parts.filter((part) => part !== null);
    return said.length === 0 ? "" : ` (${said.join("; ")})`;
  };
  let text = "";
  let at = 0;
  for (const citation of answer.includes("```") ? [] : citations) {
    text += answer.slice(at, citation.end) + referenceOf(citation);
    at = citation.end;
  }
  const sources = [...documents.values()].map(({ name, many, pages }) => words.source(name, many ? words.page(listOf([...pages])) : null));
  return `${text}${answer.slice(at)}\n\n${sources.join("\n")}`;
}

function listOf(pages: readonly number[]): string {
  return [...new Set(pages)].sort((one, other) => one - other).join(", ");
}
