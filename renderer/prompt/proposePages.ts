import type { PromptMeasure } from "../../electron/contract/conversation.ts";
import type { DocumentChoice, DocumentSummary, PageSummary } from "../../electron/contract/document.ts";

/** How many of the first pages come to `room` tokens at most; 0 where not even the first does or the pages are not counted. */
export function firstPagesWithin(pages: readonly PageSummary[], room: number): number {
  let sum = 0;
  let count = 0;
  for (const page of pages) {
    if (page.tokens === null) return 0;
    sum += page.tokens;
    if (sum > room) break;
    count += 1;
  }
  return count;
}

/** The first `count` pages of a document, or null for all of them. */
function firstPages(summary: DocumentSummary, count: number): number[] | null {
  return count >= summary.pages.length ? null : summary.pages.slice(0, count).map((page) => page.page);
}

/**
 * Pages that fit: as many first pages of each whole document as there is room for beside everything else, shared by the documents'
 * lengths. Pages that were chosen already stay.
 * @returns a choice for each document, or null where there is no room for a page of each
 */
export function proposePages(
  documents: readonly DocumentChoice[],
  summaries: readonly DocumentSummary[],
  measure: PromptMeasure,
): DocumentChoice[] | null {
  if (measure.fits) return [...documents];
  const isWhole = (summary: DocumentSummary): boolean =>
    documents.some((choice) => choice.documentId === summary.id && choice.pages === null);
  const whole = summaries.filter(isWhole);
  const tokensOf = (summary: DocumentSummary): number =>
    measure.documents.find((measured) => measured.documentId === summary.id)?.tokens ?? summary.tokens ?? 0;
  const wholeTokens = whole.reduce((sum, summary) => sum + tokensOf(summary), 0);
  const room = measure.contextLength - measure.answerRoom - (measure.promptTokens - wholeTokens);

  const tokensOfPages = (summary: DocumentSummary, from: number, to: number): number =>
    summary.pages.slice(from, to).reduce((sum, page) => sum + (page.tokens ?? 0), 0);
  // A first page for each comes before any second one: a short document beside a long one would have none by its length.
  const counts = new Map(whole.map((summary) => [summary.id, firstPagesWithin(summary.pages.slice(0, 1), room)]));
  let rest = room - whole.reduce((sum, summary) => sum + tokensOfPages(summary, 0, 1), 0);
  if (rest < 0) return null;
  const add = (summary: DocumentSummary, within: number): void => {
    const count = counts.get(summary.id) ?? 0;
    const more = firstPagesWithin(summary.pages.slice(count), within);
    counts.set(summary.id, count + more);
    rest -= tokensOfPages(summary, count, count + more);
  };
  for (const summary of whole) {
    const share = (room * tokensOf(summary)) / wholeTokens;
    add(summary, Math.min(rest, share - tokensOfPages(summary, 0, 1)));
  }
  // What rounding down to whole pages left.
  for (const summary of whole) add(summary, rest);
  if (whole.length === 0 || whole.some((summary) => counts.get(summary.id) === 0)) return null;
  return documents.map((choice) => {
    const summary = whole.find(({ id }) => id === choice.documentId);
    return summary === undefined ? choice : { ...choice, pages: firstPages(summary, counts.get(summary.id) ?? 0) };
  });
}
