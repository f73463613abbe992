import type { HeatmapPart, ScoredPrompt } from "../../electron/contract/heatmap.ts";
import { passageOf } from "../../electron/contract/passages.ts";
import { shadeShares } from "../../electron/contract/shades.ts";
import { type Granularity, type Unit, unitsOf } from "../../electron/contract/units.ts";

/** A page of a prompt, cut into what is shaded. */
export type PageHeat = {
  readonly documentId: string;
  readonly page: number;
  /** As the model read it; that of the page itself, where the file is the same. */
  readonly text: string;
  readonly units: readonly Unit[];
};

/** What is known of a prompt's pages once they are cut into units. */
export type HeatIndex = {
  readonly granularity: Granularity;
  /** In the prompt's order, by {@link pageKey}. */
  readonly pages: ReadonlyMap<string, PageHeat>;
  /** Scores of all units that have a rank, ascending. */
  readonly ranked: Float32Array;
};

/** How scores become shades: by their rank among all, or by their share of the highest. */
export const heatScales = ["rank", "raw"] as const;
export type HeatScale = (typeof heatScales)[number];

/** Least shares of the highest score, by shade from 1. */
export const rawShares = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5] as const;

export function pageKey(documentId: string, page: number): string {
  return `${documentId}/${page}`;
}

/** Cuts a prompt into units, a page at a time: between two of them the window may do something else. */
export function* indexHeat(prompt: ScoredPrompt, granularity: Granularity): Generator<undefined, HeatIndex> {
  const pages = new Map<string, PageHeat>();
  const scores: number[] = [];
  for (const part of prompt.parts) {
    const { documentId, page } = part;
    if (documentId === null || page === null) continue;
    const passage = passageOf(prompt, part);
    if (passage === null) continue;
    const units = unitsOf(passage, granularity);
    pages.set(pageKey(documentId, page), { documentId, page, text: passage.text, units });
    for (const unit of units) if (!unit.always) scores.push(unit.score);
    yield undefined;
  }
  return { granularity, pages, ranked: Float32Array.from(scores).sort() };
}

/** Whether two prompts are cut into the same units: what is kept of them may differ. */
export function isCutAlike(one: ScoredPrompt, other: ScoredPrompt): boolean {
  if (one.parts.length !== other.parts.length || one.promptTokens !== other.promptTokens) return false;
  const isSamePart = (part: HeatmapPart, place: number): boolean => {
    const own = other.parts[place];
    return (
      own !== undefined &&
      part.kind === own.kind &&
      part.documentId === own.documentId &&
      part.page === own.page &&
      part.prefixLength === own.prefixLength &&
      part.firstToken === own.firstToken &&
      part.tokens === own.tokens &&
      part.text === own.text
    );
  };
  return (
    one.parts.every(isSamePart) &&
    isSame(one.scores, other.scores) &&
    isSame(one.starts, other.starts) &&
    isSame(one.protectedTokens, other.protectedTokens)
  );
}

function isSame(one: Float32Array | Uint32Array, other: Float32Array | Uint32Array): boolean {
  return one.length === other.length && one.every((value, place) => value === other[place]);
}

/** Whether a policy gave scores: without any nothing can be shaded. */
export function isScored({ ranked }: Pick<HeatIndex, "ranked">): boolean {
  return (ranked[ranked.length - 1] ?? 0) > 0;
}

/** From 1, the highest; equal scores have the same. Null for what is always kept. */
export function rankOf({ ranked }: Pick<HeatIndex, "ranked">, { score, always }: Pick<Unit, "score" | "always">): number | null {
  return always ? null : ranked.length - firstAbove(ranked, Math.fround(score)) + 1;
}

/** The scale of an index: 0 for no shade, up to the number of shades. */
export function shadesOf({ ranked }: Pick<HeatIndex, "ranked">, scale: HeatScale): (unit: Pick<Unit, "score" | "always">) => number {
  const highest = ranked[ranked.length - 1] ?? 0;
  const thresholds =
    scale === "raw"
      ? rawShares.map((share) => share * highest)
      : shadeShares.map((share) => ranked[ranked.length - Math.max(1, Math.round(share * ranked.length))] ?? Infinity);
  return ({ score, always }) => (score > 0 && !always ? thresholds.filter((threshold) => Math.fround(score) >= threshold).length : 0);
}

/** Index of the first number above a value. */
function firstAbove(ascending: Float32Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
