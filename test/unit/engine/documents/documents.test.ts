import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { degrees, rgb } from "pdf-lib";
import { describe, expect, it } from "vitest";
import type { OpenedDocument } from "../../../../electron/engine/documents/documents.ts";
import { slowdown } from "../../../../electron/engine/documents/slowdown.ts";
import { makePdf, rawPdf } from "./pdfFiles.ts";
import { documentBench } from "./support.ts";

const bench = documentBench();

function wholeText(document: OpenedDocument): string {
  return document.pages.map((page) => page.text).join("\n\n");
}

async function textOf(name: string, bytes: Uint8Array): Promise<string> {
  return wholeText(await bench.reader().open({ path: await bench.write(name, bytes) }));
}

/** The box around `word` in a page's text: left, top, right, bottom. */
async function placeOf(path: string, word: string): Promise<[number, number, number, number]> {
  const reader = bench.reader();
  const document = await reader.open({ path });
  const { text, boxes } = await reader.pageText(document, 1);
  expect(boxes.length).toBe(text.length * 4);
  expect(text).toBe(document.pages[0]?.text);
  const start = text.indexOf(word);
  expect(start).toBeGreaterThanOrEqual(0);
  const corner = (side: number): number[] => Array.from(word, (_, index) => boxes[(start + index) * 4 + side] ?? Number.NaN);
  return [Math.min(...corner(0)), Math.min(...corner(1)), Math.max(...corner(2)), Math.max(...corner(3))];
}

describe("reading order", () => {
  // The case of xberg #1345: one sentence in two columns of two lines.
  const left = ["The committee reviewed the annual", "report and"];
  const right = ["approved the budget for the", "coming fiscal year."];
  const sentence = "The committee reviewed the annual report and approved the budget for the coming fiscal year.";

  it("keeps columns that are drawn one after the other", async () => {
    const bytes = await makePdf([
      (page) => {
        left.forEach((line, row) => {
          page.drawText(line, { x: 60, y: 712 - 14 * row });
        });
        right.forEach((line, row) => {
          page.drawText(line, { x: 330, y: 712 - 14 * row });
        });
      },
    ]);
    expect(await textOf("columns.pdf", bytes)).toBe(sentence);
  });

  it("puts columns in order that are drawn row by row across the gutter, and their boxes with them", async () => {
    const bytes = await makePdf([
      (page) => {
        left.forEach((line, row) => {
          page.drawText(line, { x: 60, y: 712 - 14 * row });
          page.drawText(right[row] ?? "", { x: 330, y: 712 - 14 * row });
        });
      },
    ]);
    expect(await textOf("rows.pdf", bytes)).toBe(sentence);
    const [leftEdge, top, rightEdge, bottom] = await placeOf(join(bench.folder(), "rows.pdf"), "approved");
    expect(leftEdge).toBeCloseTo(330, -1);
    expect(rightEdge).toBeLessThan(400);
    expect(top).toBeGreaterThan(65);
    expect(bottom).toBeLessThan(85);
  });

  it("leaves the cells of a table in their rows", async () => {
    const rows = [
      ["Name", "Role", "Town"],
      ["Ada Byron", "Analyst of engines", "London"],
      ["Grace Hopper", "Rear admiral", "New York"],
      ["Alan Turing", "Reader in the theory of computing", "Manchester"],
    ];
    const bytes = await makePdf([
      (page) => {
        rows.forEach((cells, row) => {
          cells.forEach((cell, column) => {
            page.drawText(cell, { x: 60 + 190 * column, y: 700 - 16 * row });
          });
        });
      },
    ]);
    expect(await textOf("table.pdf", bytes)).toBe(rows.map((cells) => cells.join(" ")).join("\n"));
  });
});

describe("words", () => {
  const lines = (texts: readonly string[]) => async (): Promise<Uint8Array> =>
    await makePdf([
      (page) => {
        texts.forEach((line, row) => {
          page.drawText(line, { x: 72, y: 700 - 13 * row });
        });
      },
    ]);

  it("joins words that are hyphenated at a line's end and keeps the hyphens that are theirs", async () => {
    const bytes = await lines([
      "The engine reads the whole document into the model, which is an impor-",
      "tant difference. It was built in the Rhine-",
      "Ruhr area by a well-known team, and it is a state-of-the-",
      "art machine. The well-",
      "known team was proud of it and said so.",
    ])();
    const text = await textOf("hyphens.pdf", bytes);
    expect(text).toContain("an important difference");
    expect(text).toContain("the Rhine-Ruhr area");
    expect(text).toContain("a state-of-the-art machine");
    expect(text).toContain("The well-known team was proud");
  });

  it("gives the letters of a joined word their places on both lines", async () => {
    const path = await bench.write(
      "joined.pdf",
      await lines(["The engine reads the whole document, an impor-", "tant difference to the others."])(),
    );
    const [left, top, right, bottom] = await placeOf(path, "important");
    expect(left).toBeCloseTo(72, 0);
    expect(right).toBeGreaterThan(270);
    expect(bottom - top).toBeGreaterThan(20);
    expect(bottom - top).toBeLessThan(35);
  });

  it("keeps paragraphs apart and lists in lines", async () => {
    const bytes = await makePdf([
      (page) => {
        const at = [700, 687, 674, 640, 627, 614];
        const texts = [
          "The first paragraph goes on over three lines of the page so that it",
          "has to be joined again by whoever reads it, and it comes to its",
          "end here.",
          "1. First item",
          "2. Second item",
          "3. Third item",
        ];
        texts.forEach((line, row) => {
          page.drawText(line, { x: 72, y: at[row] ?? 0 });
        });
      },
    ]);
    expect(await textOf("paragraphs.pdf", bytes)).toBe(
      "The first paragraph goes on over three lines of the page so that it has to be joined again by whoever reads it, and it comes to its end here.\n\n1. First item\n2. Second item\n3. Third item",
    );
  });

  it("reads a letter-spaced heading as words", async () => {
    const text = await textOf(
      "spaced.pdf",
      rawPdf("BT /F1 18 Tf 8 Tc 72 700 Td (ANNUAL REPORT) Tj ET BT /F1 11 Tf 0 Tc 72 660 Td (Plain text below it.) Tj ET"),
    );
    expect(text).toBe("ANNUAL REPORT\n\nPlain text below it.");
  });

  it("leaves letters alone that are listed one by one", async () => {
    expect(await textOf("listed.pdf", rawPdf("BT /F1 11 Tf 72 700 Td [(a) -600 (A) -600 (b) -600 (B) -600 (c) -600 (C)] TJ ET"))).toBe(
      "a A b B c C",
    );
  });

  it("spells ligatures out", async () => {
    const map =
      "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 3 beginbfchar <41> <FB01> <42> <FB03> <43> <00660066> endbfchar endcmap end";
    const bytes = rawPdf(
      "BT /F2 12 Tf 72 700 Td (A) Tj (B) Tj (C) Tj ET",
      [
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R/FirstChar 65/LastChar 67/Widths[600 600 600]>>",
        `<</Length ${map.length}>>stream\n${map}\nendstream`,
      ],
      "/Font<</F1 5 0 R/F2 6 0 R>>",
    );
    expect(await textOf("ligatures.pdf", bytes)).toBe("fiffiff");
  });

  it("reads text that is hidden behind a scan (render mode 3)", async () => {
    const bytes = rawPdf("0.5 g 0 0 612 792 re f BT /F1 11 Tf 3 Tr 72 700 Td (The hidden words of a scan) Tj ET");
    expect(await textOf("hidden.pdf", bytes)).toBe("The hidden words of a scan");
    const [left, top] = await placeOf(join(bench.folder(), "hidden.pdf"), "The");
    expect(left).toBeCloseTo(72, 0);
    expect(top).toBeGreaterThan(78);
    expect(top).toBeLessThan(86);
  });
});

describe("places on turned and cut pages", () => {
  it.each([
    // A word at x 100, baseline 700 of a 612 × 792 page, seen after the page is turned clockwise.
    { turn: 0, left: 100, top: 792 - 708 },
    { turn: 90, left: 698, top: 100 },
    { turn: 180, left: 612 - 131, top: 698 },
    { turn: 270, left: 792 - 708, top: 612 - 131 },
  ])("finds a word on a page turned by $turn degrees", async ({ turn, left, top }) => {
    const bytes = await makePdf([
      (page) => {
        page.drawText("Needle", { x: 100, y: 700, size: 10 });
        page.setRotation(degrees(turn));
      },
    ]);
    const path = await bench.write(`turned-${turn}.pdf`, bytes);
    const [page] = (await bench.reader().open({ path })).pages;
    expect(page?.flags).toEqual(turn === 0 ? [] : ["rotated"]);
    expect([page?.width, page?.height]).toEqual(turn % 180 === 0 ? [612, 792] : [792, 612]);
    const place = await placeOf(path, "Needle");
    expect(Math.abs(place[0] - left)).toBeLessThan(5);
    expect(Math.abs(place[1] - top)).toBeLessThan(5);
  });

  it("counts from the crop box", async () => {
    const bytes = await makePdf([
      (page) => {
        page.drawText("Needle", { x: 100, y: 700, size: 10 });
        page.setCropBox(50, 300, 500, 450);
      },
    ]);
    const [left, top] = await placeOf(await bench.write("cropped.pdf", bytes), "Needle");
    expect(Math.abs(left - 50)).toBeLessThan(2);
    expect(Math.abs(top - 42)).toBeLessThan(4);
  });
});

describe("what to know before asking", () => {
  it("says that a scan has no text, and opens it", async () => {
    const scan = await makePdf(
      Array.from({ length: 12 }, () => (page) => page.drawRectangle({ x: 0, y: 0, width: 612, height: 792, color: rgb(0.9, 0.9, 0.8) })),
    );
    const document = await bench.reader().open({ path: await bench.write("scan.pdf", scan) });
    expect(document.characters).toBe(0);
    expect(document.pages.every((page) => page.flags.includes("no-text"))).toBe(true);
    expect(document.notices).toEqual(["No text on 12 of 12 pages: this looks like a scan. Its text can be recognised."]);
  });

  it("names the page without text among others", async () => {
    const mixed = await makePdf([
      (page) => page.drawText("Words", { x: 72, y: 700 }),
      () => undefined,
      (page) => page.drawText("More", { x: 72, y: 700 }),
    ]);
    const document = await bench.reader().open({ path: await bench.write("mixed.pdf", mixed) });
    expect(document.pages.map((page) => page.flags)).toEqual([[], ["no-text"], []]);
    expect(document.notices).toEqual(["No text on page 2: it is empty or a picture. Its text can be recognised."]);
  });

  it("flags text that does not say which letters it is", async () => {
    const map =
      "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <41> <5a> <E001> endbfrange endcmap end";
    const bytes = rawPdf(
      "BT /F2 12 Tf 72 700 Td (ABCDEFGH) Tj ET",
      [
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R/FirstChar 65/LastChar 66/Widths[600 600]>>",
        `<</Length ${map.length}>>stream\n${map}\nendstream`,
      ],
      "/Font<</F1 5 0 R/F2 6 0 R>>",
    );
    const document = await bench.reader().open({ path: await bench.write("private.pdf", bytes) });
    expect(document.pages[0]?.flags).toEqual(["unreadable"]);
    expect(document.notices[0]).toContain("may be unreadable");
  });
});

describe("files that cannot be opened", () => {
  const refused = async (path: string): Promise<{ code: string; message: string }> => {
    const error: unknown = await bench
      .reader()
      .open({ path })
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    return { code: Reflect.get(Object(error), "code"), message: Reflect.get(Object(error), "message") };
  };

  it("names the file and the reason", async () => {
    await mkdir(join(bench.folder(), "a folder"), { recursive: true });
    const cases = [
      ["document-missing", join(bench.folder(), "nowhere.pdf"), "was not found"],
      ["document-unreadable", join(bench.folder(), "a folder"), "is a folder"],
      ["document-empty", await bench.write("empty.pdf", ""), "0 bytes"],
      ["document-damaged", await bench.write("cut.pdf", Buffer.from(await makePdf([() => undefined])).subarray(0, 300)), "damaged"],
      ["document-kind", await bench.write("really.pdf", "Dear all,\nthis is a letter.\n"), "holds plain text"],
      ["document-kind", await bench.write("page.pdf", "<!DOCTYPE html><html><body>404</body></html>"), "a web page (HTML)"],
      ["document-kind", await bench.write("picture.pdf", Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1")), "a PNG picture"],
      ["document-damaged", await bench.write("letter.docx", Buffer.from("PK\x03\x04....word/document.xml", "latin1")), "a Word document"],
      ["document-kind", await bench.write("sheet.xlsx", Buffer.from("PK\x03\x04....xl/workbook.xml", "latin1")), "an Excel workbook"],
      [
        "document-kind",
        await bench.write(
          "noise.bin",
          Uint8Array.from({ length: 400 }, (_, index) => (index * 37) % 256),
        ),
        "neither a PDF nor text",
      ],
    ] as const;
    for (const [code, path, reason] of cases) {
      const error = await refused(path);
      expect(error.code, path).toBe(code);
      expect(error.message).toContain(reason);
      expect(error.message).toContain(`“${path.slice(bench.folder().length + 1)}”`);
    }
  });

  it.skipIf(process.getuid?.() === 0)("says that a file may not be read", async () => {
    const path = await bench.write("secret.txt", "secret");
    await chmod(path, 0o000);
    expect((await refused(path)).code).toBe("document-unreadable");
  });
});

describe.runIf(process.platform !== "win32")("files that are none", () => {
  it("refuses a named pipe at once instead of waiting for its writer", async () => {
    const path = join(bench.folder(), "pipe.pdf");
    execFileSync("mkfifo", [path]);
    const started = performance.now();
    await expect(bench.reader().open({ path })).rejects.toMatchObject({ code: "document-unreadable" });
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("files that do not end", () => {
  /** Forms that each draw the next one ten times: 10 to the depth of texts from a few hundred bytes. */
  const bomb = (depth: number): Uint8Array => {
    const forms = Array.from({ length: depth }, (_, level) => {
      const content = level === depth - 1 ? "BT /F1 1 Tf 72 700 Td (boom) Tj ET" : "/X Do ".repeat(10);
      const resources = level === depth - 1 ? "/Font<</F1 5 0 R>>" : `/XObject<</X ${7 + level} 0 R>>`;
      return `<</Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<<${resources}>>/Length ${content.length}>>stream\n${content}\nendstream`;
    });
    return rawPdf("/X Do", forms, "/XObject<</X 6 0 R>>");
  };

  it("ends the thread past the time limit", async () => {
    const path = await bench.write("slow.pdf", bomb(9));
    const started = performance.now();
    await expect(bench.reader({ timeLimitMs: 200 }).open({ path })).rejects.toMatchObject({
      code: "document-too-slow",
      message: expect.stringContaining("“slow.pdf”"),
    });
    expect(performance.now() - started).toBeLessThan(6000 * slowdown());
  });

  it("ends the thread past the memory limit, with the number", async () => {
    const path = await bench.write("greedy.pdf", bomb(9));
    await expect(bench.reader({ memoryLimitBytes: 64 * 1_048_576 }).open({ path })).rejects.toMatchObject({
      code: "document-too-large",
      message: expect.stringContaining("64 MB"),
    });
  });

  it("is cancelled at once", async () => {
    const path = await bench.write("cancelled.pdf", bomb(9));
    const abort = new AbortController();
    let cancelledAt = 0;
    setTimeout(() => {
      cancelledAt = performance.now();
      abort.abort();
    }, 800);
    await expect(bench.reader().open({ path, signal: abort.signal })).rejects.toMatchObject({ code: "cancelled" });
    expect(performance.now() - cancelledAt).toBeLessThan(500);
  });
});

describe("any name, any kind", () => {
  it("keeps names exactly", async () => {
    const folder = join(bench.folder(), "Ünïcode 📚 folder's");
    await mkdir(folder, { recursive: true });
    for (const name of ["報告 “v2” — Ž%20#1 (final).pdf", `${"n".repeat(196)}.pdf`]) {
      const path = join(folder, name);
      await writeFile(path, await makePdf([(page) => page.drawText("Inside", { x: 72, y: 700 })]));
      const document = await bench.reader().open({ path });
      expect([document.name, document.path, wholeText(document)]).toEqual([name, path, "Inside"]);
    }
  });

  it("reads text and Markdown, with progress and an id of the bytes", async () => {
    const progress: [number, number][] = [];
    const path = await bench.write("notes.md", "# Notes\n\nOne line.\n");
    const document = await bench.reader().open({ path, onProgress: (done, total) => progress.push([done, total]) });
    expect(document).toMatchObject({ kind: "markdown", name: "notes.md", bytes: 19, locked: false, notices: [], characters: 18 });
    expect(document.id).toBe(createHash("sha256").update("# Notes\n\nOne line.\n").digest("hex"));
    expect(progress).toEqual([[1, 1]]);
    const placed = await bench.reader().pageText(document, 1);
    expect(placed.text).toBe("# Notes\n\nOne line.");
    expect(placed.boxes.length).toBe(4 * placed.text.length);
    expect(placed.boxes.every((number) => number === 0)).toBe(true);
  });

  it("refuses the places of a file that has changed, and of pages that are not there", async () => {
    const reader = bench.reader();
    const path = await bench.write("changing.pdf", await makePdf([(page) => page.drawText("Before", { x: 72, y: 700 })]));
    const document = await reader.open({ path });
    await expect(reader.pageText(document, 2)).rejects.toMatchObject({ code: "document-pages" });
    await bench.write("changing.pdf", await makePdf([(page) => page.drawText("After", { x: 72, y: 700 })]));
    await expect(reader.pageText(document, 1)).rejects.toMatchObject({
      code: "document-missing",
      message: expect.stringContaining("has changed"),
    });
  });
});

describe("a thumbnail", () => {
  it("is the first page, small, with its ink where the page has it; a text has none", async () => {
    const reader = bench.reader();
    const bytes = await makePdf([(page) => page.drawRectangle({ x: 0, y: 0, width: 306, height: 792, color: rgb(1, 0, 0) })]);
    const document = await reader.open({ path: await bench.write("half red.pdf", bytes) });
    const thumbnail = await reader.thumbnail(document);
    expect(thumbnail).toMatchObject({ width: 87, height: 112 });
    const pixel = (x: number, y: number): number[] => [0, 1, 2].map((colour) => thumbnail?.pixels[3 * (87 * y + x) + colour] ?? -1);
    expect(pixel(10, 56)).toEqual([255, 0, 0]);
    expect(pixel(77, 56)).toEqual([255, 255, 255]);
    expect(await reader.thumbnail(await reader.open({ path: await bench.write("none.txt", "text") }))).toBeNull();
  });
});
