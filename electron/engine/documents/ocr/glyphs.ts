import { z } from "zod";
import type { Glyph } from "../layout/glyph.ts";

const boxSchema = z.object({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() });
const symbolSchema = z.object({ text: z.string(), bbox: boxSchema });
const wordSchema = z.object({ bbox: boxSchema, symbols: z.array(symbolSchema) });
const lineSchema = z.object({ bbox: boxSchema, words: z.array(wordSchema) });
const paragraphSchema = z.object({ lines: z.array(lineSchema) });

/** The part of tesseract's result that is used: blocks, their paragraphs, lines, words and symbols, with boxes in pixels. */
export const recognisedBlocksSchema = z.array(z.object({ paragraphs: z.array(paragraphSchema) })).nullable();
export type RecognisedBlocks = z.infer<typeof recognisedBlocksSchema>;
type RecognisedLine = z.infer<typeof lineSchema>;

const hyphens = ["-", "‐", "\u00ad", "¬"];

/**
 * What tesseract saw as glyphs, as PDFium gives them for pages with text: so that both become text in one way.
 * @param scale points of one pixel
 */
export function glyphsOf(blocks: RecognisedBlocks, scale: number): Glyph[] {
  const lines = (blocks ?? []).flatMap((block) => block.paragraphs.flatMap((paragraph) => paragraph.lines));
  return lines.flatMap((line) => glyphsOfLine(line, scale));
}

function glyphsOfLine(line: RecognisedLine, scale: number): Glyph[] {
  // All symbols are as high as their line, so that the marks on it are even.
  const rows = { top: line.bbox.y0 * scale, bottom: line.bbox.y1 * scale, turn: 0 } as const;
  const glyphs: Glyph[] = [];
  let right: number | null = null;
  for (const word of line.words) {
    const left = word.bbox.x0 * scale;
    if (right !== null) glyphs.push({ ...rows, text: " ", left: right, right: Math.max(right, left), added: false, hyphen: false });
    for (const { text, bbox } of word.symbols) {
      if (text.trim() === "") continue;
      glyphs.push({ ...rows, text, left: bbox.x0 * scale, right: bbox.x1 * scale, added: false, hyphen: false });
    }
    right = word.bbox.x1 * scale;
  }
  const last = glyphs.at(-1);
  if (last === undefined) return [];
  // A soft hyphen or its like at a line's end is a hyphen like any other.
  if (hyphens.includes(last.text)) glyphs.splice(-1, 1, { ...last, text: "-", hyphen: true });
  return [...glyphs, { ...rows, text: "\n", left: last.right, right: last.right, added: true, hyphen: false }];
}
