import { PDFDocument, rgb, StandardFonts } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { captionHeight } from "../../../../electron/cli/heatmap/captions.ts";
import { heatmapPicture, mostPages } from "../../../../electron/cli/heatmap/picture.ts";
import { documentBench } from "../../engine/documents/support.ts";
import { documentOf, heatmapOf } from "./support.ts";

const bench = documentBench();

/** A PDF of small pages, each with the word "page" in black. */
async function pdfOf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 0; page < pages; page++)
    document.addPage([200, 100]).drawText("page", { x: 20, y: 40, size: 40, font, color: rgb(0, 0, 0) });
  return document.save();
}

const numbered = (page: number) => ({
  kind: "page" as const,
  document: "a.pdf",
  page,
  prefix: `[Page ${page}]\n`,
  pieces: [`[Page ${page}]\n`, "page", "\n\n"],
});

function pictureOf(pages: number, scores: (token: number) => number, bytes: Uint8Array, signal = new AbortController().signal) {
  const heatmap = heatmapOf(
    Array.from({ length: pages }, (_, index) => numbered(index + 1)),
    { scores },
  );
  const source = { workerPath: bench.workerPath(), bytesOf: async () => ({ bytes, password: null }), signal };
  return heatmapPicture({ heatmap, question: "Why?", documents: [documentOf("a.pdf", pages)] }, source);
}

describe("heatmapPicture", () => {
  it("draws the pages as they are, shaded where the words stand", async () => {
    const { picture } = pictureOf(2, (token) => (token === 4 ? 1 : 0), await pdfOf(2));
    expect(picture).toMatchObject({ width: 300, height: 2 * (150 + captionHeight) });
    const pieces: Uint8Array[] = [];
    for await (const rows of picture.rows) pieces.push(rows);
    expect(pieces.map((piece) => piece.length)).toEqual([captionHeight, 150, captionHeight, 150].map((rows) => rows * 300 * 3));
    const [, first, , second] = pieces;
    const count = (data: Uint8Array | undefined, is: (red: number, blue: number) => boolean) => {
      let found = 0;
      for (let at = 0; at < (data?.length ?? 0); at += 3) if (is(data?.[at] ?? 0, data?.[at + 2] ?? 0)) found += 1;
      return found;
    };
    const orange = (red: number, blue: number) => red > 200 && blue < 120;
    const black = (red: number) => red < 50;
    expect(count(first, black)).toBeGreaterThan(500);
    expect(count(first, orange)).toBe(0);
    expect(count(second, black)).toBeGreaterThan(500);
    // The word is about ninety points wide and its line forty high; ink takes a part of it.
    expect(count(second, orange)).toBeGreaterThan(3000);
    expect(count(second, orange)).toBeLessThan(12_000);
  });

  it(`draws the ${mostPages} pages with the most, in order, and says which`, async () => {
    const { picture, notices } = pictureOf(20, (token) => (token >= 15 ? token : 0), await pdfOf(20));
    expect(picture.height).toBe(mostPages * (150 + captionHeight));
    expect(notices[0]).toContain("12 pages with the highest scores, of 20: 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20.");
    expect(picture.description).toContain("Why?");
  });

  it("says when it was told to stop, and what is wrong with a file", async () => {
    const stopped = new AbortController();
    stopped.abort();
    const { picture } = pictureOf(1, () => 1, await pdfOf(1), stopped.signal);
    const read = async (rows: AsyncIterable<Uint8Array>) => {
      for await (const _ of rows);
    };
    await expect(read(picture.rows)).rejects.toMatchObject({ code: "cancelled" });
    await expect(read(pictureOf(1, () => 1, Uint8Array.from([1, 2, 3])).picture.rows)).rejects.toMatchObject({ code: "document-damaged" });
  });

  it("refuses a text by name and says what to do", () => {
    const heatmap = heatmapOf([{ kind: "page", document: "a.md", page: 1, pieces: ["a"] }]);
    const source = { workerPath: "", bytesOf: () => Promise.reject(new Error("unread")), signal: new AbortController().signal };
    const drawing = () => heatmapPicture({ heatmap, question: "?", documents: [documentOf("a.md", 1, { kind: "markdown" })] }, source);
    expect(drawing).toThrow(/“a\.md” is Markdown.*\.html/);
  });
});
