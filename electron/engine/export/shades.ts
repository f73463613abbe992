import type { Cell, Passage } from "./passages.ts";

/**
 * How dark a token is shaded: by its rank among the documents' tokens, since scores are so unequal that a few would outshine all others
 * on any scale of their own. A shade for each share of tokens that score highest, the darkest last.
 */
export const shadeShares = [0.4, 0.2, 0.1, 0.05, 0.02, 0.01] as const;

/** 0 for no shade, up to the number of {@link shadeShares}. */
export type ShadeOf = (cell: Pick<Cell, "score" | "always">) => number;

/** The tokens that have a rank: of the documents' text, and not kept whatever their score. */
export function rankedCells(passages: readonly Passage[]): Cell[] {
  return passages.flatMap(({ kind, cells }) => (kind === "page" ? cells.filter((cell) => !cell.always) : []));
}

/** The scale of a heatmap's documents. Tokens of equal score have the same shade; without scores, and for what is always kept, there is none. */
export function shadeScale(passages: readonly Passage[]): ShadeOf {
  const scores = Float32Array.from(rankedCells(passages), (cell) => cell.score);
  scores.sort();
  const thresholds = shadeShares.map((share) => scores[scores.length - Math.max(1, Math.round(share * scores.length))] ?? Infinity);
  return ({ score, always }) => (score > 0 && !always ? thresholds.filter((threshold) => score >= threshold).length : 0);
}

/** Least shares of all layer-heads that must keep a token for its marks: dotted, thin and thick underline. */
export const keptShares = [0.25, 0.5, 0.75] as const;

/** 0 for no mark, up to the number of {@link keptShares}. */
export function keptLevel(kept: number, layerHeads: number): number {
  return keptShares.filter((share) => kept >= share * layerHeads).length;
}
