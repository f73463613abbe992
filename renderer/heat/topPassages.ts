import type { HeatIndex } from "./heatIndex.ts";

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
 * @param index of sentences
 */
export function topPassages({ pages }: Pick<HeatIndex, "pages">, count: number): TopPassage[] {
  const all: TopPassage[] = [];
  for (const { documentId, page, text, units } of pages.values()) {
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
