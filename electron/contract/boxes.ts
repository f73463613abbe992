/** A place on a page in points, from its top left corner. */
export type Box = { left: number; top: number; right: number; bottom: number };

/**
 * Boxes around units of a page's text, one for each line that they are on.
 * @param boxes four numbers for each UTF-16 unit (document.ts)
 */
export function linesOf(boxes: Float32Array, from: number, to: number): Box[] {
  const lines: Box[] = [];
  for (let unit = from; unit < to; unit++) {
    const [left = 0, top = 0, right = 0, bottom = 0] = boxes.subarray(4 * unit, 4 * unit + 4);
    if (!(right > left && bottom > top)) continue;
    const line = lines[lines.length - 1];
    if (line === undefined || !isBeside(line, { left, top, right, bottom })) lines.push({ left, top, right, bottom });
    else {
      line.left = Math.min(line.left, left);
      line.top = Math.min(line.top, top);
      line.right = Math.max(line.right, right);
      line.bottom = Math.max(line.bottom, bottom);
    }
  }
  return lines;
}

/** Whether they share at least half of the lower one's height: the boxes of two lines may overlap where a font is taller than its lines are apart. */
function isBeside(line: Box, { top, bottom }: Box): boolean {
  const shared = Math.min(line.bottom, bottom) - Math.max(line.top, top);
  return 2 * shared >= Math.min(line.bottom - line.top, bottom - top);
}
