import { PDFDocument, rgb, StandardFonts } from "pdf-lib";
import { describe, expect, it } from "vitest";
import { heatmapPicture, mostPages } from "../../../../electron/cli/heatmap/picture.ts";
import { documentBench } from "../../engine/documents/support.ts";
import { documentOf, fileOf, heatmapOf } from "../../support/heatmap.ts";

const bench = documentBench();
/** Pixels: one line of text, and what lies between columns. */
const [captionHeight, gap] = [39, 12];

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

type Wanted = { signal?: AbortSignal; name?: string; question?: string };

function pictureOf(
  pages: number,
  scores: (token: number) => number,
  bytes: Uint8Array,
  { signal = new AbortController().signal, name = "a.pdf", question = "Why?" }: Wanted = {},
) {
  const heatmap = heatmapOf(
    Array.from({ length: pages }, (_, index) => numbered(index + 1)),
    { scores, always: [0] },
  );
  const source = { workerPath: bench.workerPath(), bytesOf: async () => ({ bytes, password: null }), signal };
  return heatmapPicture(fileOf(heatmap, [{ ...documentOf("a.pdf", pages), name }], { question }), source);
}

async function piecesOf(rows: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of rows) pieces.push(piece);
  return pieces;
}

function count(data: Uint8Array | undefined, is: (red: number, blue: number) => boolean): number {
  let found = 0;
  for (let at = 0; at < (data?.length ?? 0); at += 3) if (is(data?.[at] ?? 0, data?.[at + 2] ?? 0)) found += 1;
  return found;
}
const orange = (red: number, blue: number) => red > 200 && blue < 120;
const black = (red: number) => red < 50;
const inked = (red: number) => red < 130;

describe("heatmapPicture", () => {
  it("draws the pages as they are, shaded where the words stand, below what the shades mean", async () => {
    const { picture, notices, legend } = pictureOf(2, (token) => (token === 4 ? 1 : 0), await pdfOf(2));
    const [head, first, second, ...more] = await piecesOf(picture.rows);
    expect(more).toEqual([]);
    expect(picture.width).toBe(300);
    expect([first?.length, second?.length]).toEqual(new Array(2).fill((captionHeight + 150) * 300 * 3));
    expect(picture.height).toBe((head?.length ?? 0) / 900 + 2 * (captionHeight + 150));
    const captionEnd = captionHeight * 300 * 3;
    const [caption, page] = [second?.subarray(0, captionEnd), second?.subarray(captionEnd)];
    expect(count(first, black)).toBeGreaterThan(500);
    expect(count(first, orange)).toBe(0);
    expect(count(page, black)).toBeGreaterThan(500);
    // The word is about ninety points wide and its line forty high; ink takes a part of it.
    expect(count(page, orange)).toBeGreaterThan(3000);
    expect(count(page, orange)).toBeLessThan(12_000);
    // Letters, and the darkest shades on a few words of the legend.
    expect(count(caption, inked)).toBeGreaterThan(50);
    expect(count(head, inked)).toBeGreaterThan(1000);
    expect(count(head, orange)).toBeGreaterThan(500);
    expect(notices).toEqual([]);
    expect(legend).toMatch(/From pale to dark: top 40 %.*top 1 %\. Hatched: always kept: .*\. Underlined, .*kept in 25 %.*or more\.$/);
    expect(picture.description).toContain(legend);
  });

  it(`draws the ${mostPages} pages with the most, in order and in columns, and says which`, async () => {
    const { picture, notices } = pictureOf(20, (token) => (token >= 15 ? token : 0), await pdfOf(20));
    const [head, ...rows] = await piecesOf(picture.rows);
    expect(picture.width).toBe(3 * 300 + 2 * gap);
    expect(rows).toHaveLength(4);
    expect(picture.height).toBe((head?.length ?? 0) / (3 * picture.width) + 4 * (captionHeight + 150));
    // A page in each column of each row, none in the gap between them.
    const columnOf = (row: Uint8Array | undefined, from: number, to: number) => {
      const found: number[] = [];
      for (let y = 0; y < captionHeight + 150; y++)
        found.push(...(row?.subarray(3 * (y * picture.width + from), 3 * (y * picture.width + to)) ?? []));
      return Uint8Array.from(found);
    };
    for (const left of [0, 312, 624]) expect(count(columnOf(rows[3], left, left + 300), black)).toBeGreaterThan(500);
    expect(count(columnOf(rows[3], 300, 312), (red) => red !== 0xe4)).toBe(0);
    expect(notices[0]).toContain("12 pages with the highest scores, of 20: 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20.");
    expect(picture.description).toContain("Why?");
  });

  it.each([
    [1, 1],
    [3, 1],
    [4, 2],
    [5, 2],
    [7, 3],
  ])("%i pages come in %i columns", async (pages, columns) => {
    const { picture } = pictureOf(pages, () => 1, new Uint8Array());
    expect(picture.width).toBe(columns * 300 + (columns - 1) * gap);
  });

  it("writes names and questions in letters that it has, and else goes without", async () => {
    const bytes = await pdfOf(1);
    const captionInk = async (name: string) => {
      const row = (await piecesOf(pictureOf(1, () => 1, bytes, { name }).picture.rows))[1];
      return count(row?.subarray(0, captionHeight * 300 * 3), inked);
    };
    const bare = await captionInk("報告.pdf");
    expect(bare).toBeGreaterThan(20);
    expect(await captionInk("Übersicht “2”.pdf")).toBeGreaterThan(1.5 * bare);
    const { picture } = pictureOf(1, () => 1, bytes, { question: "為什麼？\r\n) Tj" });
    expect(picture.description).toContain("為什麼？");
    expect(count((await piecesOf(picture.rows))[0], inked)).toBeGreaterThan(1000);
  });

  it("says when it was told to stop, and what is wrong with a file", async () => {
    const stopped = new AbortController();
    stopped.abort();
    const { picture } = pictureOf(1, () => 1, await pdfOf(1), { signal: stopped.signal });
    await expect(piecesOf(picture.rows)).rejects.toMatchObject({ code: "cancelled" });
    await expect(piecesOf(pictureOf(1, () => 1, Uint8Array.from([1, 2, 3])).picture.rows)).rejects.toMatchObject({
      code: "document-damaged",
    });
  });

  it("refuses a text by name and says what to do", () => {
    const heatmap = heatmapOf([{ kind: "page", document: "a.md", page: 1, pieces: ["a"] }]);
    const source = { workerPath: "", bytesOf: () => Promise.reject(new Error("unread")), signal: new AbortController().signal };
    const drawing = () => heatmapPicture(fileOf(heatmap, [documentOf("a.md", 1, { kind: "markdown" })]), source);
    expect(drawing).toThrow(/“a\.md” is Markdown.*\.html/);
  });
});
