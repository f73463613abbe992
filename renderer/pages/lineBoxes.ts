import type { PageText } from "../../electron/contract/document.ts";

/** In points from the page's top left corner. */
export type LineBox = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** Boxes around the units `start` … `end` − 1 of a page's text, one for each line that they are on; units without a place have none. */
export function lineBoxes({ boxes }: Pick<PageText, "boxes">, start: number, end: number): LineBox[] {
  const lines: LineBox[] = [];
  for (let unit = start; unit < end; unit += 1) {
    const left = boxes[4 * unit] ?? 0;
    const top = boxes[4 * unit + 1] ?? 0;
    const right = boxes[4 * unit + 2] ?? 0;
    const bottom = boxes[4 * unit + 3] ?? 0;
    if (right <= left || bottom <= top) continue;
    const line = lines.at(-1);
    if (line === undefined || top >= line.bottom || bottom <= line.top) lines.push({ left, top, right, bottom });
    else {
      lines[lines.length - 1] = {
        left: Math.min(line.left, left),
        top: Math.min(line.top, top),
        right: Math.max(line.right, right),
        bottom: Math.max(line.bottom, bottom),
      };
    }
  }
  return lines;
}
