import { orderDirections } from "./bidi.ts";
import { orderColumns } from "./columns.ts";
import { composeText, type PlacedText } from "./compose.ts";
import type { Glyph } from "./glyph.ts";
import { splitLines } from "./lines.ts";

/** A page's text in reading order with the place of every character, from its glyphs in PDFium's order. */
export function layOutText(glyphs: readonly Glyph[]): PlacedText {
  return composeText(orderColumns(orderDirections(splitLines(glyphs))));
}
