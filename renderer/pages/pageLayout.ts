import type { PageSummary } from "../../electron/contract/document.ts";
import { pixelsPerPoint } from "./zoom.ts";

/** Pixels above the first page, between pages and below the last. */
export const pageGap = 16;

/** Where each page lies in one long column, in CSS pixels. Indices are 0-based. */
export type PageLayout = {
  readonly widths: readonly number[];
  readonly heights: readonly number[];
  readonly tops: readonly number[];
  readonly width: number;
  readonly height: number;
};

/** Lays pages out at a scale (1 is 100 %). Whole pixels, so that a bitmap meets the pixels of the screen. */
export function layOutPages(pages: readonly PageSummary[], scale: number): PageLayout {
  const widths: number[] = [];
  const heights: number[] = [];
  const tops: number[] = [];
  let top = pageGap;
  let width = 0;
  for (const page of pages) {
    const pageWidth = Math.max(1, Math.round(page.width * scale * pixelsPerPoint));
    const pageHeight = Math.max(1, Math.round(page.height * scale * pixelsPerPoint));
    widths.push(pageWidth);
    heights.push(pageHeight);
    tops.push(top);
    top += pageHeight + pageGap;
    width = Math.max(width, pageWidth);
  }
  return { widths, heights, tops, width, height: top };
}

/** Index of the page at an offset from the top of the column; the gap above a page counts to it. */
export function pageIndexAt(layout: PageLayout, offset: number): number {
  let low = 0;
  let high = layout.tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((layout.tops[middle] ?? 0) - pageGap <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A place on a page that stays the same when the scale changes. */
export type Anchor = { readonly index: number; readonly fraction: number };

export function anchorAt(layout: PageLayout, offset: number): Anchor {
  const index = pageIndexAt(layout, offset);
  const height = layout.heights[index] ?? 1;
  return { index, fraction: (offset - (layout.tops[index] ?? 0)) / height };
}

export function offsetOf(layout: PageLayout, anchor: Anchor): number {
  return (layout.tops[anchor.index] ?? 0) + anchor.fraction * (layout.heights[anchor.index] ?? 0);
}
