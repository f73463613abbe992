import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";

const places = ["Bergen", "Cork", "Davos", "Évora", "Faro", "Ghent", "Haarlem", "Ipswich", "Jena", "Kiel"];
const goods = ["barley", "copper wire", "salt", "window glass", "linen", "cedar planks", "candles", "oats", "tiles", "wool"];

/** Sentences of made-up facts: about 16 tokens each. */
export function facts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const from = places[index % places.length];
    const what = goods[(index * 7) % goods.length];
    return `Warehouse ${index + 1} in ${from} stores ${(index * 37) % 900} crates of ${what}.`;
  });
}

/** Writes a PDF of text, one sentence a line. @returns its path */
export async function writeTextPdf(folder: string, name: string, sentences: readonly string[]): Promise<string> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const linesOfPage = 45;
  for (let first = 0; first < sentences.length; first += linesOfPage) {
    const page = pdf.addPage([595, 842]);
    for (const [row, sentence] of sentences.slice(first, first + linesOfPage).entries()) {
      page.drawText(sentence, { x: 50, y: 780 - row * 16, size: 11, font });
    }
  }
  const path = join(folder, name);
  await writeFile(path, await pdf.save());
  return path;
}

/** Writes a PDF without text: shapes alone, as a scan has. @returns its path */
export async function writeScannedPdf(folder: string, name: string): Promise<string> {
  const pdf = await PDFDocument.create();
  for (let index = 0; index < 2; index += 1) pdf.addPage([595, 842]).drawRectangle({ x: 80, y: 80, width: 400, height: 600 });
  const path = join(folder, name);
  await writeFile(path, await pdf.save());
  return path;
}

/** Writes what is named like a PDF and is none. @returns its path */
export async function writeDamagedPdf(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, "%PDF-1.7\nthe rest was lost");
  return path;
}
