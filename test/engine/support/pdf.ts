import { writeFile } from "node:fs/promises";
import { PDFDocument, StandardFonts } from "pdf-lib";

/** Writes a PDF of text pages, each of these lines. @returns its path */
export async function writePdf(path: string, pages: readonly (readonly string[])[]): Promise<string> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage([595, 842]);
    for (const [row, line] of lines.entries()) page.drawText(line, { x: 50, y: 780 - row * 16, size: 11, font });
  }
  await writeFile(path, await document.save());
  return path;
}
