import { baselineOf, fontSize, margin, pixelsPerPoint, type Strip } from "./strips.ts";

/** What Windows-1252 has from 0x80 to 0x9f; before and after that it is Latin-1. A zero is none. */
const middle = "€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ";

/** Text in Windows-1252, the letters that PDFium's own fonts have; null where a character is not among them. */
export function encoded(text: string): Uint8Array | null {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isLatin = (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff);
    const place = code === 0 ? -1 : middle.indexOf(character);
    if (!isLatin && place < 0) return null;
    bytes.push(isLatin ? code : 0x80 + place);
  }
  return Uint8Array.from(bytes);
}

/** Text with a question mark in place of each character that has no letter. */
export function drawable(text: string): string {
  return [...text.normalize("NFC")].map((character) => (encoded(character) === null ? "?" : character)).join("");
}

/** Strips as a PDF with a page for each, so that PDFium draws their letters (ISO 32000-1). Lines must be {@link drawable}. */
export function stripPdf(strips: readonly Strip[]): Uint8Array<ArrayBuffer> {
  const points = (pixels: number) => (pixels / pixelsPerPoint).toFixed(3);
  const pageObject = (index: number) => 4 + 2 * index;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${strips.length} /Kids [${strips.map((_, index) => `${pageObject(index)} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
  ];
  for (const [index, strip] of strips.entries()) {
    const box = `[0 0 ${points(strip.width)} ${points(strip.height)}]`;
    const content = strip.lines
      .map((line, row) => {
        const hex = Buffer.from(encoded(line) ?? []).toString("hex");
        return `BT /F ${fontSize} Tf ${margin} ${baselineOf(strip, row).toFixed(3)} Td <${hex}> Tj ET`;
      })
      .join("\n");
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Resources << /Font << /F 3 0 R >> >> /Contents ${pageObject(index) + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  // A copy of its own: the thread that draws is given the bytes for good.
  return Uint8Array.from(
    Buffer.from(
      `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
      "latin1",
    ),
  );
}
