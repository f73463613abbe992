/** A box in points, top-left origin, as the page is shown. */
export type Box = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** Quarter turns clockwise of a text's direction as shown: 0 runs to the right, 1 downwards, 2 upside down, 3 upwards. */
export type Turn = 0 | 1 | 2 | 3;

/**
 * One drawn character. `text` is what it stands for (a ligature stands for several letters). `added`: a space or line end that
 * PDFium put in because of a gap; it has no place of its own. `hyphen`: PDFium took it for a hyphen at a line's end.
 */
export type Glyph = Box & {
  readonly text: string;
  readonly turn: Turn;
  readonly added: boolean;
  readonly hyphen: boolean;
};

/** A row of glyphs in reading order. Measures are in the line's own frame: its text runs along x, the next line is at a larger y. */
export type Line = Box & {
  readonly glyphs: readonly Glyph[];
  readonly turn: Turn;
  /** Height of a usual glyph of the line in points; the unit that gaps are measured in. */
  readonly size: number;
  /** True where the line's words run from right to left. */
  readonly rightToLeft: boolean;
};

/** The glyph's box in the frame of text that has this turn: there it runs to the right, whatever it does on the page. */
export function boxInFrame(box: Box, turn: Turn): Box {
  if (turn === 0) return box;
  if (turn === 1) return { left: box.top, top: -box.right, right: box.bottom, bottom: -box.left };
  if (turn === 2) return { left: -box.right, top: -box.bottom, right: -box.left, bottom: -box.top };
  return { left: -box.bottom, top: box.left, right: -box.top, bottom: box.right };
}

/** Any whole number of quarter turns as one of the four. */
export function asTurn(quarters: number): Turn {
  const rest = ((quarters % 4) + 4) % 4;
  return rest === 1 ? 1 : rest === 2 ? 2 : rest === 3 ? 3 : 0;
}

export function isSpace(glyph: Glyph): boolean {
  return glyph.text === " ";
}

export function isLineEnd(glyph: Glyph): boolean {
  return glyph.text === "\n";
}

/** The least box around all of them. @throws RangeError for none. */
export function boxAround(boxes: readonly Box[]): Box {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const box of boxes) {
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  if (left === Number.POSITIVE_INFINITY) throw new RangeError("a box around nothing");
  return { left, top, right, bottom };
}

/** The middle value; 0 for none. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? 0;
}

/**
 * A line of these glyphs, outer spaces dropped and inner ones collapsed; null where nothing visible is left.
 */
export function makeLine(glyphs: readonly Glyph[], turn: Turn, rightToLeft: boolean): Line | null {
  const kept: Glyph[] = [];
  for (const glyph of glyphs) {
    if (isSpace(glyph)) {
      const previous = kept[kept.length - 1];
      if (previous === undefined || isSpace(previous)) continue;
    }
    kept.push(glyph);
  }
  while (kept.length > 0) {
    const last = kept[kept.length - 1];
    if (last === undefined || !isSpace(last)) break;
    kept.pop();
  }
  const visible: Box[] = [];
  const heights: number[] = [];
  for (const glyph of kept) {
    if (isSpace(glyph)) continue;
    const box = boxInFrame(glyph, turn);
    visible.push(box);
    heights.push(box.bottom - box.top);
  }
  if (visible.length === 0) return null;
  const size = median(heights) || 1;
  return { ...boxAround(visible), glyphs: kept, turn, size, rightToLeft };
}

/** Points (in the frame) that two boxes share from top to bottom, as a part of the lower one's height: 1 is side by side, 0 or less is apart. */
export function sharedHeight(one: Box, other: Box): number {
  const least = Math.min(one.bottom - one.top, other.bottom - other.top);
  return (Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)) / Math.max(least, 0.01);
}

export function lineText(line: Line): string {
  return line.glyphs.map((glyph) => glyph.text).join("");
}
