import type { PlacedText } from "../layout/compose.ts";
import type { PdfSession } from "../pdf/session.ts";
import type { Recogniser } from "./session.ts";

/** A page's picture is drawn at this many pixels a point: 300 to the inch, what tesseract was trained for. */
const pixelsPerPoint = 300 / 72;
/** Longest side of a picture in pixels: a poster is drawn coarser. */
const longestSide = 5000;

/** Progress is counted in hundredths of a page. */
export const stepsOfPage = 100;

/** Size of a page's picture in pixels, from its size in points. */
export function pictureSize(page: { readonly width: number; readonly height: number }): {
  readonly width: number;
  readonly height: number;
} {
  const scale = Math.min(pixelsPerPoint, longestSide / Math.max(page.width, page.height));
  return { width: Math.max(1, Math.round(page.width * scale)), height: Math.max(1, Math.round(page.height * scale)) };
}

/**
 * Reads pages that are pictures, one after the other.
 * @param onStep called with the hundredths of pages that are done
 * @param onPage called with each page as it is read; one that PDFium cannot draw is left out
 * @throws LongsightError cancelled, document-too-slow, engine-failed, and what drawing throws
 */
export async function recognisePages(
  pages: readonly { readonly page: number; readonly width: number; readonly height: number }[],
  { drawn, recogniser }: { readonly drawn: PdfSession; readonly recogniser: Recogniser },
  signal: AbortSignal,
  onStep: (done: number) => void,
  onPage: (page: number, placed: PlacedText) => void,
): Promise<void> {
  for (const [index, page] of pages.entries()) {
    const size = pictureSize(page);
    const pixels = await drawn.draw(page.page, size, signal);
    const step = (fraction: number): void => onStep(Math.floor((index + fraction) * stepsOfPage));
    if (pixels !== null) onPage(page.page, await recogniser.recognise({ pixels, ...size, points: page.width }, signal, step));
    step(1);
  }
}
