import { describe, expect, it } from "vitest";
import { delaysOf } from "../../../bench/app/delays.ts";
import { chooseDocuments, type Pdf, parseCsv, wholePdfs } from "../../../bench/app/manifest.ts";
import { type Opened, summariseOpened } from "../../../bench/app/opened.ts";
import { pagesPerSecond, type Reader, summariseTexts, type TextTurn } from "../../../bench/app/texts.ts";

describe("the manifest of real PDFs", () => {
  const names = "file,category,exercises,password,pages,chars_first12_pdfjs,pdfjs,mupdf,size";
  const manifest = [
    names,
    'small/plain.pdf,plain,"text, and ""more""",,3,900,opens,opens,4000',
    "small/locked.pdf,encrypted-user,,secret,3,900,opens,opens,4000",
    "small/hostile.pdf,hostile,,,1,20,opens,opens,4000",
    "small/cut.pdf,truncated,,,3,900,InvalidPDFException: cut,opens,4000",
    "small/picture.pdf,no-text,,,3,0,opens,opens,4000",
    "long/thousands.pdf,long,,,2415,900,opens,opens,4000",
    "long/manual.pdf,long,,,715,30000,opens,opens,2582297",
  ].join("\n");

  it("is read with its quoted fields", () => {
    expect(parseCsv(manifest)[0]).toMatchObject({ exercises: 'text, and "more"', pages: "3", size: "4000" });
  });

  it("gives those that every reader reads, and that take no minutes", () => {
    expect(wholePdfs(manifest)).toEqual([
      { file: "small/plain.pdf", pages: 3, bytes: 4000 },
      { file: "long/manual.pdf", pages: 715, bytes: 2_582_297 },
    ]);
  });
});

describe("the choice of documents", () => {
  const pdf = (file: string, pages: number): Pdf => ({ file, pages, bytes: 1 });
  const small = Array.from({ length: 9 }, (_, index) => pdf(`small/${index}.pdf`, index + 1));
  const long = [500, 100, 300].map((pages) => pdf(`long/${pages}.pdf`, pages));
  const pagesOf = (count: number) => chooseDocuments([...long, ...small], count).map(({ pages }) => pages);

  it("is half of long and half of small ones, from the shortest to the longest", () => {
    expect(pagesOf(4)).toEqual([1, 9, 100, 500]);
    expect(pagesOf(6)).toEqual([1, 5, 9, 100, 300, 500]);
  });

  it("takes more small ones where there are fewer long ones, and all where there are few", () => {
    expect(pagesOf(8)).toEqual([1, 3, 5, 7, 9, 100, 300, 500]);
    expect(pagesOf(100)).toHaveLength(12);
    expect(pagesOf(1)).toEqual([100]);
    expect(chooseDocuments([], 4)).toEqual([]);
  });
});

describe("delays", () => {
  it("are told by their middle, by what nineteen of twenty keep within, and by the longest", () => {
    const milliseconds = Array.from({ length: 21 }, (_, index) => 21 - index);
    expect(delaysOf(milliseconds)).toEqual({ inputs: 21, inputMedianMs: 11, input95Ms: 20, inputLongestMs: 21 });
    expect(delaysOf([])).toEqual({ inputs: 0, inputMedianMs: 0, input95Ms: 0, inputLongestMs: 0 });
  });
});

describe("the summary of opening", () => {
  const opened = (name: string, pages: number, drawnMs: number): Opened => ({ name, pages, bytes: 1, textMs: drawnMs - 50, drawnMs });
  const run = (first: number, ...documents: readonly Opened[]) => ({
    load: 0,
    first: opened("first.pdf", 2, first),
    opened: documents,
    refused: [],
  });

  it("has medians over the rounds, however documents took turns", () => {
    const summary = summariseOpened([
      run(900, opened("long.pdf", 90, 3000), opened("short.pdf", 1, 100)),
      run(700, opened("short.pdf", 1, 120), opened("long.pdf", 90, 2000)),
      run(800, opened("long.pdf", 90, 2500), opened("short.pdf", 1, 500)),
    ]);
    expect(summary.first.drawnMs).toBe(800);
    expect(summary.documents).toEqual([opened("short.pdf", 1, 120), { ...opened("long.pdf", 90, 2500), textMs: 2450 }]);
    expect([summary.medianMs, summary.longestMs]).toEqual([1310, 2500]);
    expect(() => summariseOpened([])).toThrow(RangeError);
  });
});

describe("the summary of texts", () => {
  const turn = (reader: Reader, round: number, texts: readonly (readonly [name: string, pages: number, ms: number])[]): TextTurn => ({
    reader,
    round,
    load: 0,
    texts: texts.map(([name, pages, ms]) => ({ name, pages, ms, characters: 10 * pages })),
  });
  const summary = summariseTexts([
    turn("longsight", 0, [
      ["long.pdf", 100, 1000],
      ["short.pdf", 1, 50],
    ]),
    turn("pdf.js", 0, [["long.pdf", 100, 500]]),
    turn("longsight", 1, [
      ["long.pdf", 100, 3000],
      ["short.pdf", 1, 70],
    ]),
    turn("pdf.js", 1, [["long.pdf", 100, 300]]),
  ]);

  it("has medians by document and reader, by pages", () => {
    expect(summary).toEqual([
      { name: "short.pdf", pages: 1, by: [{ reader: "longsight", ms: 60, characters: 10 }] },
      {
        name: "long.pdf",
        pages: 100,
        by: [
          { reader: "longsight", ms: 2000, characters: 1000 },
          { reader: "pdf.js", ms: 400, characters: 1000 },
        ],
      },
    ]);
  });

  it("counts pages a second over documents that all have read", () => {
    expect(pagesPerSecond(summary, "longsight")).toBe(50);
    expect(pagesPerSecond(summary, "pdf.js")).toBe(250);
    expect(pagesPerSecond(summary, "pdf.js", 101)).toBeNull();
    expect(pagesPerSecond([], "pdf.js")).toBeNull();
  });
});
