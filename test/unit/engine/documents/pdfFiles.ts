import { PDFDocument, type PDFFont, type PDFPage, StandardFonts } from "pdf-lib";

/** A PDF of pages that each drawing makes, in Helvetica, 612 by 792 points. */
export async function makePdf(drawings: readonly ((page: PDFPage, font: PDFFont) => void)[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const draw of drawings) {
    const page = document.addPage([612, 792]);
    page.setFont(font);
    page.setFontSize(11);
    draw(page, font);
  }
  return await document.save({ useObjectStreams: false });
}

/** A one-page PDF with this content stream, in which /F1 is Helvetica; `objects` are further ones, numbered from 6. */
export function rawPdf(content: string, objects: readonly string[] = [], resources = ""): Uint8Array {
  const all = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>${resources}>>>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ...objects,
  ];
  let text = "%PDF-1.7\n";
  const places: number[] = [];
  all.forEach((object, index) => {
    places.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Root 1 0 R/Size ${all.length + 1}>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}
