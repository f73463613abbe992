import { type Box, linesOf } from "../../electron/contract/boxes.ts";
import { markColour, shadeColours } from "../../electron/contract/shades.ts";
import type { Unit } from "../../electron/contract/units.ts";
import type { PageHeat } from "./heatIndex.ts";
import type { LookOf } from "./looks.ts";

/** A line of a unit on its page. */
export type PlacedUnit = { readonly unit: Unit; readonly box: Box };

/** Where a page's units stand; none where the page's text is not the one that was read. */
export function placeUnits({ text, units }: PageHeat, page: { readonly text: string; readonly boxes: Float32Array }): PlacedUnit[] {
  if (page.text !== text) return [];
  return units.flatMap((unit) => linesOf(page.boxes, unit.start, unit.end).map((box) => ({ unit, box })));
}

/** The unit at a place in points; null between them. */
export function unitAt(placed: readonly PlacedUnit[], x: number, y: number): Unit | null {
  return placed.find(({ box }) => x >= box.left && x < box.right && y >= box.top && y < box.bottom)?.unit ?? null;
}

const colour = ([red, green, blue]: readonly [number, number, number]): string => `rgb(${red} ${green} ${blue})`;
const shades = shadeColours.map(colour);
const mark = colour(markColour);

/**
 * Draws the looks of a page. Shades are meant to be multiplied with the page's picture, so that black stays black.
 * @param scale pixels of one point
 */
export function paintHeat(context: CanvasRenderingContext2D, placed: readonly PlacedUnit[], lookOf: LookOf, scale: number): void {
  const { canvas } = context;
  context.clearRect(0, 0, canvas.width, canvas.height);
  const hatch = hatching(context);
  const thin = Math.max(1, Math.round(0.75 * scale));
  const lines: { readonly level: number; readonly left: number; readonly top: number; readonly width: number }[] = [];
  for (const { unit, box } of placed) {
    const look = lookOf(unit);
    const [left, top] = [Math.round(box.left * scale), Math.round(box.top * scale)];
    const [width, height] = [Math.round(box.right * scale) - left, Math.round(box.bottom * scale) - top];
    const fill = look.always ? hatch : look.faded ? "rgb(255 255 255 / 40%)" : look.shade > 0 ? (shades[look.shade] ?? null) : null;
    if (fill !== null) {
      context.fillStyle = fill;
      context.fillRect(left, top, width, height);
    }
    if (look.level > 0) lines.push({ level: look.level, left, top: top + height, width });
  }
  // After all shades: the next line's would lie over them.
  context.fillStyle = mark;
  for (const { level, left, top, width } of lines) {
    if (level > 1) context.fillRect(left, top, width, level === 2 ? thin : 2 * thin);
    else for (let x = left; x < left + width; x += 4 * thin) context.fillRect(x, top, Math.min(2 * thin, left + width - x), thin);
  }
}

/** Grey stripes, to be told from every shade without colours. */
function hatching(context: CanvasRenderingContext2D): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = 6;
  tile.height = 6;
  const drawing = tile.getContext("2d");
  if (drawing === null) return "rgb(225 225 225)";
  drawing.fillStyle = "rgb(240 240 240)";
  drawing.fillRect(0, 0, 6, 6);
  drawing.fillStyle = "rgb(186 186 186)";
  for (let y = 0; y < 6; y += 1) for (const step of [0, 1]) drawing.fillRect((6 - y + step) % 6, y, 1, 1);
  return context.createPattern(tile, "repeat") ?? "rgb(225 225 225)";
}
