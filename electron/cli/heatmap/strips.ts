import type { Cell, Passage } from "../../engine/export/passages.ts";
import type { LegendEntry } from "./words.ts";

/** Points of a strip's font, Courier: each character is as wide as any other, so that nothing has to be measured. */
export const fontSize = 11;
const characterWidth = 0.6 * fontSize;
const lineHeight = 18;
export const margin = 4;
/** Pixels of a strip are as large as those of a usual page. */
export const pixelsPerPoint = 1.5;

/** Lines of text for a picture, with the looks that a legend shows laid on its words. */
export type Strip = {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** The lines' text as a page's, so that it is shaded as a page is: scores are shades, and `kept` is a level. */
  readonly passage: Passage;
  /** Of `passage.text`, in points, four numbers for each UTF-16 unit. */
  readonly boxes: Float32Array;
};

type Line = { text: string; readonly entries: { readonly entry: LegendEntry; readonly from: number; readonly to: number }[] };
const emptyLine = (): Line => ({ text: "", entries: [] });

/**
 * Lays text out in lines.
 * @param paragraphs words, or a legend's entries, which are not broken where they fit a line
 * @param width in pixels
 * @param mostLines of all; what is longer ends with an ellipsis
 */
export function layStrip(paragraphs: readonly (string | readonly LegendEntry[])[], width: number, mostLines = Infinity): Strip {
  const columns = Math.max(1, Math.floor((width / pixelsPerPoint - 2 * margin) / characterWidth));
  const lines: Line[] = [];
  for (const paragraph of paragraphs) {
    const [runs, gap] = typeof paragraph === "string" ? [paragraph.split(" ").map(plain), " "] : [paragraph, "  "];
    let line = emptyLine();
    lines.push(line);
    for (const entry of runs) {
      for (let at = 0; at < entry.words.length; at += columns) {
        const piece = entry.words.slice(at, at + columns);
        if (line.text !== "" && line.text.length + gap.length + piece.length > columns) {
          line = emptyLine();
          lines.push(line);
        }
        const from = line.text === "" ? 0 : line.text.length + gap.length;
        line.text = line.text.padEnd(from) + piece;
        line.entries.push({ entry, from, to: line.text.length });
      }
    }
  }
  const shown = lines.slice(0, mostLines);
  const last = shown[shown.length - 1];
  if (last !== undefined && lines.length > shown.length) last.text = `${last.text.slice(0, columns - 1)}…`;

  const text = shown.map((line) => line.text).join("\n");
  const boxes = new Float32Array(4 * text.length);
  const cells: Cell[] = [];
  let start = 0;
  for (const [row, line] of shown.entries()) {
    for (let column = 0; column < line.text.length; column++) boxes.set(boxAt(row, column), 4 * (start + column));
    for (const { entry, from, to } of line.entries) {
      if (entry.shade === 0 && entry.level === 0 && !entry.always) continue;
      const { shade: score, level: kept, always } = entry;
      cells.push({ start: start + from, end: start + Math.min(to, line.text.length), token: 0, tokens: 1, score, kept, always });
    }
    start += line.text.length + 1;
  }
  return {
    width,
    height: Math.round((shown.length * lineHeight + 2 * margin) * pixelsPerPoint),
    lines: shown.map((line) => line.text),
    passage: { kind: "page", documentId: null, page: null, text, cells },
    boxes,
  };
}

const plain = (words: string): LegendEntry => ({ shade: 0, level: 0, always: false, words });

function boxAt(row: number, column: number): [number, number, number, number] {
  const left = margin + column * characterWidth;
  const top = margin + row * lineHeight;
  return [left, top, left + characterWidth, top + fontSize + 2];
}

/** How far a line's letters stand above the strip's lower edge, in points. */
export function baselineOf(strip: Strip, row: number): number {
  return strip.height / pixelsPerPoint - margin - row * lineHeight - fontSize;
}
