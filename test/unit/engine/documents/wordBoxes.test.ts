import { readFileSync } from "node:fs";
import { join } from "node:path";
import { degrees, PDFDocument, rgb, StandardFonts } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { type Box, linesOf } from "../../../../electron/contract/boxes.ts";
import { pdfSource } from "../../../../electron/engine/documents/documents.ts";
import { openPdfSession } from "../../../../electron/engine/documents/pdf/session.ts";
import { dataFolder } from "./data.ts";
import { documentBench } from "./support.ts";

// What the heat is painted on: the boxes of a word's characters, held against the page's own pixels.

const bench = documentBench();
const folder = dataFolder();
/** Pixels of a point. */
const scale = 2;

type Drawn = {
  readonly text: string;
  readonly boxes: Float32Array;
  /** Red, green and blue of a pixel. */
  readonly at: (x: number, y: number) => readonly [number, number, number];
  readonly width: number;
  readonly height: number;
};

async function draw(bytes: Uint8Array, page: number, name: string): Promise<Drawn> {
  const path = await bench.write(name, bytes);
  const { pages } = await bench.reader().open({ path });
  const shown = pages[page - 1];
  if (shown === undefined) throw new Error(`${name} has no page ${page}`);
  const [width, height] = [Math.round(shown.width * scale), Math.round(shown.height * scale)];
  const session = await openPdfSession(pdfSource(bench.workerPath(), name), Uint8Array.from(bytes), "", undefined);
  try {
    const { text, boxes } = await session.place(page, undefined);
    const pixels = await session.draw(page, { width, height }, undefined);
    if (pixels === null) throw new Error(`page ${page} of ${name} cannot be drawn`);
    const channel = (x: number, y: number, of: number) => pixels[3 * (width * y + x) + of] ?? 255;
    return { text, boxes, width, height, at: (x, y) => [channel(x, y, 0), channel(x, y, 1), channel(x, y, 2)] };
  } finally {
    await session.close();
  }
}

/** How many pixels of a place on the page are as wanted. */
function count({ at, width, height }: Drawn, box: Box, isWanted: (pixel: readonly [number, number, number]) => boolean): number {
  let found = 0;
  for (let y = Math.max(0, Math.round(box.top * scale)); y < Math.min(height, Math.round(box.bottom * scale)); y++) {
    for (let x = Math.max(0, Math.round(box.left * scale)); x < Math.min(width, Math.round(box.right * scale)); x++) {
      if (isWanted(at(x, y))) found += 1;
    }
  }
  return found;
}

const isRed = ([red, green, blue]: readonly [number, number, number]) => red > 150 && green < 110 && blue < 110;
const isInk = ([red, green, blue]: readonly [number, number, number]) => red + green + blue < 3 * 140;

describe("the boxes of a word that is drawn in red", () => {
  const words = ["lighthouse", "AVALANCHE", "jigsaw", "(beacon)"];

  /** Two columns of black lines, each with one red word in its midst. */
  async function columns(rotation: number): Promise<Uint8Array> {
    const pdf = await PDFDocument.create();
    const font = await pdf.embedFont(StandardFonts.TimesRoman);
    const page = pdf.addPage([420, 300]);
    page.setRotation(degrees(rotation));
    words.forEach((word, index) => {
      const [x, y] = [index % 2 === 0 ? 30 : 220, index < 2 ? 240 : 120];
      const size = 11 + 2 * index;
      page.drawText("Some words", { x, y: y + 1.2 * size, size, font });
      const before = "with a ";
      page.drawText(before, { x, y, size, font });
      const start = x + font.widthOfTextAtSize(before, size);
      page.drawText(word, { x: start, y, size, font, color: rgb(0.9, 0, 0) });
      page.drawText(" in it", { x: start + font.widthOfTextAtSize(word, size), y, size, font });
    });
    return pdf.save();
  }

  it.each([0, 90, 180, 270])("cover it and nothing beside it, on a page turned by %i degrees", { timeout: 120_000 }, async (rotation) => {
    const page = await draw(await columns(rotation), 1, `columns-${rotation}.pdf`);
    const all = count(page, { left: 0, top: 0, right: page.width, bottom: page.height }, isRed);
    expect(all).toBeGreaterThan(200);
    let covered = 0;
    for (const word of words) {
      const start = page.text.indexOf(word);
      expect(start, word).toBeGreaterThanOrEqual(0);
      for (const box of linesOf(page.boxes, start, start + word.length)) {
        covered += count(page, box, isRed);
        // The black letters beside it are not in its box, but for a pixel's rounding.
        expect(count(page, box, isInk) - count(page, box, (pixel) => isRed(pixel) && isInk(pixel)), word).toBeLessThan(8);
      }
    }
    expect(covered / all).toBeGreaterThan(0.97);
  });
});

describe.skipIf(folder === null)("the boxes of words on real pages", () => {
  if (folder === null) console.warn("There are no real PDFs here (LONGSIGHT_DATA): words on real pages are skipped.");

  type Found = { words: number; inked: number; whole: number };

  /**
   * Words between blanks: how many have ink in their boxes, and of how many next to nothing sticks out at either end. Above and below are the
   * letters of other lines.
   */
  function lookAt(page: Drawn): Found {
    const found: Found = { words: 0, inked: 0, whole: 0 };
    for (const { index, 0: word } of page.text.matchAll(/\S+/g)) {
      const lines = linesOf(page.boxes, index, index + word.length);
      const [box] = lines;
      if (lines.length !== 1 || box === undefined || !/[\p{L}\p{N}]/u.test(word)) continue;
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      const margin = 0.08 * Math.min(width, height);
      const ink = count(page, box, isInk);
      const around = count(page, { ...box, left: box.left - margin, right: box.right + margin }, isInk);
      found.words += 1;
      if (ink > 0) found.inked += 1;
      if (around - ink <= 0.06 * ink) found.whole += 1;
    }
    return found;
  }

  it.each([
    ["two columns", "small/pdfjs__bug1997343.pdf", 1, 0.95],
    ["turned text", "small/pdfbox__PDFBOX-2984-rotations.pdf", 1, 0.95],
    // Arabic letters reach below and into their neighbours.
    ["right to left", "long/texlive-lang-arabic__lshort.pdf", 20, 0.85],
    ["Chinese", "long/debmake-doc__debmake-doc.zh-cn.pdf", 12, 0.95],
    ["ligatures", "small/pdfbox__PDFBOX-3044-010197-p5-ligatures.pdf", 1, 0.95],
  ] as const)("%s: have its ink, and next to nothing of it sticks out", { timeout: 120_000 }, async (_kind, file, number, least) => {
    const bytes = readFileSync(join(folder ?? "", "A_pdf", file));
    const page = await draw(bytes, number, file.replace(/.*\//, ""));
    const { words, inked, whole } = lookAt(page);
    expect(words).toBeGreaterThanOrEqual(5);
    expect(inked / words).toBeGreaterThan(0.98);
    expect(whole / words).toBeGreaterThan(least);
  });
});
