import { PDFDocument, StandardFonts } from "pdf-lib";
import { brokenLines, proseOf } from "./prose.ts";

/** Lines of a dense page, and characters of a line. */
const page = { lines: 50, characters: 92 } as const;

/** A PDF of dense pages of prose, some 1,100 tokens each. @param first number of its first sentence: another one makes another document */
export async function madePdf(pages: number, first = 0): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const lines = brokenLines(proseOf(first, pages * 30), page.characters);
  for (let number = 0; number < pages; number++) {
    const drawn = pdf.addPage([595, 842]);
    for (const [row, line] of lines.slice(number * page.lines, (number + 1) * page.lines).entries()) {
      drawn.drawText(line, { x: 50, y: 790 - row * 15, size: 10.5, font });
    }
  }
  return pdf.save();
}
