import type { Unit } from "./units.ts";

/** A page of a prompt, cut into sentences. */
export type PageSentences = {
  readonly documentId: string;
  readonly page: number;
  /** As the model read it, without the page's number. */
  readonly text: string;
  readonly units: readonly Unit[];
};

/** A sentence that the answer looks at. */
export type TopPassage = {
  readonly documentId: string;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Its mean score times the root of its tokens. */
  readonly score: number;
};

/** Shorter ones are headings, numbers and crumbs of a layout. */
const leastLetters = 12;

/**
 * The sentences with the most attention for their length, the first of them first; of what stands there word for word again and again, the first alone.
 * @param pages in the prompt's order
 */
export function topPassages(pages: Iterable<PageSentences>, count: number): TopPassage[] {
  const all: TopPassage[] = [];
  for (const { documentId, page, text, units } of pages) {
    for (const { start, end, tokens, score, always } of units) {
      if (always || score <= 0) continue;
      const shown = text.slice(start, end).replace(/\s+/g, " ").trim();
      // Between the mean, by which a heading of three words is first, and the sum, by which a list of a hundred is.
      if (shown.length >= leastLetters) all.push({ documentId, page, start, end, text: shown, score: score * Math.sqrt(tokens) });
    }
  }
  all.sort((one, other) => other.score - one.score);
  const seen = new Set<string>();
  const top: TopPassage[] = [];
  for (const passage of all) {
    if (top.length === count) break;
    if (seen.has(passage.text)) continue;
    seen.add(passage.text);
    top.push(passage);
  }
  return top;
}
