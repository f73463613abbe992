import { PDFDocument } from "pdf-lib";
import { encodePng } from "../../../../electron/cli/heatmap/png.ts";
import { pdfSource } from "../../../../electron/engine/documents/documents.ts";
import { openPdfSession } from "../../../../electron/engine/documents/pdf/session.ts";

/** The same pages as pictures alone, as a scanner makes them: 200 dots to the inch. */
export async function scanOf(pdf: Uint8Array, workerPath: string): Promise<Uint8Array> {
  const drawn = await openPdfSession(pdfSource(workerPath, "the original"), Uint8Array.from(pdf), "", undefined);
  const scan = await PDFDocument.create();
  try {
    for (let number = 1; number <= drawn.pages; number += 1) {
      const [width, height] = [1700, 2200];
      const pixels = await drawn.draw(number, { width, height }, undefined);
      if (pixels === null) throw new Error(`page ${number} cannot be drawn`);
      const pieces: Uint8Array[] = [];
      const rows = (async function* () {
        yield pixels;
      })();
      for await (const piece of encodePng({ width, height, description: "", rows })) pieces.push(piece);
      const picture = await scan.embedPng(Buffer.concat(pieces));
      scan.addPage([612, 792]).drawImage(picture, { x: 0, y: 0, width: 612, height: 792 });
    }
  } finally {
    await drawn.close();
  }
  return scan.save();
}
