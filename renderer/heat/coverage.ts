import type { HeatmapPart } from "../../electron/contract/heatmap.ts";

/** What is kept of one page. */
export type PageCoverage = {
  readonly documentId: string;
  readonly page: number;
  readonly tokens: number;
  /** Kept tokens of all layer-heads, of all that there are: 0 … 1. */
  readonly keptShare: number;
};

/** How little of the mean a page must have to be called thin. */
const thinBelow = 0.25;
/** Pages of fewer tokens say nothing: a title page, a page number. */
const leastTokens = 40;

/**
 * What is kept of each page of a prompt, in its order.
 * @param kept in how many of `layerHeads` each token is kept
 */
export function coverageOf(parts: readonly HeatmapPart[], kept: Uint16Array, layerHeads: number): PageCoverage[] {
  return parts.flatMap(({ kind, documentId, page, firstToken, tokens }) => {
    if (kind !== "page" || documentId === null || page === null) return [];
    const sum = kept.subarray(firstToken, firstToken + tokens).reduce((total, count) => total + count, 0);
    return [{ documentId, page, tokens, keptShare: tokens === 0 ? 1 : sum / (tokens * layerHeads) }];
  });
}

/** Pages of which far less is kept than of the others, the thinnest first. */
export function thinPages(pages: readonly PageCoverage[]): PageCoverage[] {
  const long = pages.filter(({ tokens }) => tokens >= leastTokens);
  const tokens = long.reduce((sum, page) => sum + page.tokens, 0);
  const mean = long.reduce((sum, page) => sum + page.keptShare * page.tokens, 0) / Math.max(1, tokens);
  if (long.length < 2 || mean >= 1) return [];
  return long.filter(({ keptShare }) => keptShare < thinBelow * mean).sort((one, other) => one.keptShare - other.keptShare);
}
