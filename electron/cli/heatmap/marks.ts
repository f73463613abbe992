import type { Passage } from "../../engine/export/passages.ts";
import { keptLevel, type ShadeOf } from "../../engine/export/shades.ts";

/** A page's pixels: red, green and blue of each, row by row. */
export type Pixels = { readonly data: Uint8Array; readonly width: number; readonly height: number };

/** The page's text as its boxes have it, four numbers for each UTF-16 unit in points (contract/document.ts). */
export type PlacedText = { readonly text: string; readonly boxes: Float32Array };

/** By shade, from 1: what white becomes. Everything darker stays darker by as much, so that text stays readable. */
const shadeColours = [
  [255, 255, 255],
  [249, 242, 205],
  [247, 232, 160],
  [245, 217, 105],
  [245, 194, 60],
  [242, 160, 50],
  [238, 130, 66],
] as const;
const markColour = [18, 53, 91] as const;
/** What is always kept is hatched, in grey: no shade, and to be told from one without colours. */
const hatchColours = { line: [186, 186, 186], between: [240, 240, 240] } as const;
const hatched = shadeColours.length;

type Box = { left: number; top: number; right: number; bottom: number };

/** Shades a page's tokens and underlines those that are kept, on the pixels themselves. */
export function paintMarks(
  pixels: Pixels,
  { text, boxes }: PlacedText,
  passage: Passage,
  { shadeOf, layerHeads, pixelsPerPoint }: { shadeOf: ShadeOf; layerHeads: number; pixelsPerPoint: number },
): void {
  // The same file read by the same code; were it not, marks would stand beside their words.
  if (text !== passage.text) return;
  const { width, height, data } = pixels;
  const shades = new Uint8Array(width * height);
  const marked = new Uint8Array(width * height);
  for (const cell of passage.cells) {
    const shade = cell.always ? hatched : shadeOf(cell);
    const level = keptLevel(cell.kept, layerHeads);
    if (shade === 0 && level === 0) continue;
    for (const box of linesOf(boxes, cell.start, cell.end)) {
      const area = within(box, pixelsPerPoint, width, height);
      fill(area, width, (place) => {
        shades[place] = Math.max(shade, shades[place] ?? 0);
      });
      if (level === 0) continue;
      const thickness = level === 3 ? Math.max(2, Math.round(1.5 * pixelsPerPoint)) : 1;
      const line = { ...area, top: area.bottom, bottom: Math.min(height, area.bottom + thickness) };
      fill(line, width, (place, x) => {
        if (level > 1 || x % 4 < 2) marked[place] = 1;
      });
    }
  }
  const colourAt = (place: number) => {
    const shade = shades[place] ?? 0;
    if (shade < hatched) return shadeColours[shade] ?? shadeColours[0];
    return ((place % width) + Math.floor(place / width)) % 6 < 2 ? hatchColours.line : hatchColours.between;
  };
  for (let place = 0; place < shades.length; place++) {
    const colour = marked[place] === 1 ? null : colourAt(place);
    if (colour === shadeColours[0]) continue;
    for (let channel = 0; channel < 3; channel++) {
      const at = 3 * place + channel;
      data[at] = colour === null ? (markColour[channel] ?? 0) : ((data[at] ?? 0) * (colour[channel] ?? 0)) / 255;
    }
  }
}

/** Boxes around units of text, one for each line that they are on. */
function linesOf(boxes: Float32Array, from: number, to: number): Box[] {
  const lines: Box[] = [];
  for (let unit = from; unit < to; unit++) {
    const [left = 0, top = 0, right = 0, bottom = 0] = boxes.subarray(4 * unit, 4 * unit + 4);
    if (!(right > left && bottom > top)) continue;
    const line = lines[lines.length - 1];
    const isSame = line !== undefined && top < line.bottom && bottom > line.top;
    if (!isSame) lines.push({ left, top, right, bottom });
    else {
      line.left = Math.min(line.left, left);
      line.top = Math.min(line.top, top);
      line.right = Math.max(line.right, right);
      line.bottom = Math.max(line.bottom, bottom);
    }
  }
  return lines;
}

/** A box in whole pixels, cut to the picture. */
function within(box: Box, pixelsPerPoint: number, width: number, height: number): Box {
  const cut = (points: number, limit: number) => Math.max(0, Math.min(limit, Math.round(points * pixelsPerPoint)));
  return { left: cut(box.left, width), top: cut(box.top, height), right: cut(box.right, width), bottom: cut(box.bottom, height) };
}

function fill({ left, top, right, bottom }: Box, width: number, put: (place: number, x: number) => void): void {
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) put(y * width + x, x);
}
