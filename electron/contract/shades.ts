import type { Cell, Passage } from "./passages.ts";

/**
 * How dark a token is shaded: by its rank among the documents' tokens, since scores are so unequal that a few would outshine all others
 * on any scale of their own. A shade for each share of tokens that score highest, the darkest last.
 */
export const shadeShares = [0.4, 0.2, 0.1, 0.05, 0.02, 0.01] as const;

/**
 * By shade, from 1: what white becomes. Ever darker, for any eye, and none so dark that black on it falls below a contrast of 4.5. What is
 * darker than white on a page stays darker by as much.
 */
export const shadeColours = [
  [255, 255, 255],
  [249, 242, 205],
  [247, 232, 160],
  [245, 217, 105],
  [245, 194, 60],
  [242, 160, 50],
  [238, 130, 66],
] as const;
/** Of the underlines of what is kept. */
export const markColour = [18, 53, 91] as const;

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

/** What a token looks like: its shade and level of underline, from 1, or the hatching of what is always kept. */
export type Look = { readonly shade: number; readonly level: number; readonly always: boolean };

/** Names of a look's styles, the same for the same look; empty for a plain one. */
export function lookNames({ shade, level, always }: Look): string {
  return [...(always ? ["always"] : []), ...(shade > 0 ? [`s${shade}`] : []), ...(level > 0 ? [`k${level}`] : [])].join(" ");
}
