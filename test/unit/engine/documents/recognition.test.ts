import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRecognisedFiles } from "../../../../electron/engine/documents/ocr/recognisedFiles.ts";
import { createOpenDocuments, type OpenDocuments } from "../../../../electron/engine/documents/openDocuments.ts";
import { makePdf } from "./pdfFiles.ts";
import { scanOf } from "./scan.ts";
import { documentBench } from "./support.ts";

const bench = documentBench({ recognition: true });
const lines = [
  "The harbour master keeps a record of every ship",
  "that enters the port, with its name, its tonnage",
  "and the day on which it left again.",
];
const limit = 240_000;
let path = "";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight-recognised-"));
  const page = (words: readonly string[]) => (sheet: { drawText(text: string, place: object): void }) =>
    words.forEach((line, row) => void sheet.drawText(line, { x: 72, y: 700 - 18 * row, size: 13 }));
  path = await bench.write(
    "scan.pdf",
    await scanOf(await makePdf([page(lines), page(["Second sheet of the record."]), page([])]), bench.workerPath()),
  );
}, limit);
afterAll(() => rm(folder, { recursive: true, force: true }));

const documentsIn = (place: string | null): OpenDocuments => createOpenDocuments(bench.reader(), createRecognisedFiles(place));
const opened = (documents: OpenDocuments) => documents.open(path, undefined, new AbortController().signal);

describe("a scan", () => {
  it(
    "is read out of its pictures, with a place for every letter, and is read from the disk after a restart",
    async () => {
      const documents = documentsIn(folder);
      const before = await opened(documents);
      expect(before.pages.map(({ flags }) => flags)).toEqual([["no-text"], ["no-text"], ["no-text"]]);
      expect(before.notices).toEqual([expect.stringContaining("can be recognised")]);
      const steps: [number, number][] = [];
      const { signal } = new AbortController();
      const read = await documents.recognise(before.id, ["eng"], signal, (done, total) => void steps.push([done, total]));
      expect(read.pages[0]?.text).toBe(lines.join(" "));
      expect(read.pages[1]?.text).toBe("Second sheet of the record.");
      expect(read.pages.map(({ flags }) => flags)).toEqual([["recognised"], ["recognised"], ["no-text", "recognised"]]);
      expect(read.characters).toBe(read.pages.reduce((sum, page) => sum + page.text.length, 0));
      expect(read.notices).toEqual([expect.stringContaining("No letters were found"), expect.stringContaining("letters may be wrong")]);
      expect(steps[0]).toEqual([0, 300]);
      expect(steps.at(-1)).toEqual([300, 300]);
      expect(steps.length).toBeGreaterThan(6);

      const { text, boxes } = await documents.pageText(read.id, 1, signal);
      const start = text.indexOf("tonnage");
      const corners = [0, 1, 2, 3].map((side) => Array.from("tonnage", (_, index) => boxes[4 * (start + index) + side] ?? Number.NaN));
      // The word stands at the end of the second line: 792 - 700 + 18 points below the top.
      expect(Math.min(...(corners[0] ?? []))).toBeGreaterThan(250);
      expect(Math.max(...(corners[2] ?? []))).toBeLessThan(400);
      expect(Math.min(...(corners[1] ?? []))).toBeGreaterThan(90);
      expect(Math.max(...(corners[3] ?? []))).toBeLessThan(120);

      const again = documentsIn(folder);
      const kept = await opened(again);
      expect(kept).toEqual(read);
      expect(await again.pageText(kept.id, 1, signal)).toEqual({ page: 1, text, boxes });
      await again.forget(kept.id);
      expect(await readdir(folder)).toEqual([]);
    },
    limit,
  );

  it(
    "that is stopped half way keeps what was read, and goes on with the rest",
    async () => {
      const documents = documentsIn(null);
      const { id } = await opened(documents);
      const controller = new AbortController();
      let stoppedAt = 0;
      const stopped = documents.recognise(id, ["eng", "deu"], controller.signal, (done) => {
        if (done <= 100 || stoppedAt > 0) return;
        stoppedAt = performance.now();
        controller.abort();
      });
      await expect(stopped).rejects.toMatchObject({ code: "cancelled", message: expect.stringContaining("scan.pdf") });
      expect(performance.now() - stoppedAt).toBeLessThan(5000);
      // Nothing goes on computing: half a second takes next to no processor.
      const spent = process.cpuUsage();
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(process.cpuUsage(spent).user).toBeLessThan(200_000);
      const half = documents.get(id).document;
      expect(half.pages.map(({ flags }) => flags)).toEqual([["recognised"], ["no-text"], ["no-text"]]);
      const totals = new Set<number>();
      await documents.recognise(id, ["eng"], new AbortController().signal, (_, total) => void totals.add(total));
      expect([...totals]).toEqual([200]);
    },
    limit,
  );

  it("that is not, or is a text, is refused", async () => {
    const documents = documentsIn(null);
    const { signal } = new AbortController();
    for (const [name, content] of [
      ["typed.pdf", await makePdf([(page) => page.drawText("Typed.", { x: 72, y: 700 })])],
      ["note.txt", "A note."],
    ] as const) {
      const { id } = await documents.open(await bench.write(name, content), undefined, signal);
      await expect(documents.recognise(id, ["eng"], signal, () => undefined)).rejects.toMatchObject({ code: "usage" });
    }
  });
});

describe("what is recognised, on disk", () => {
  it("is nothing where its file is broken or of another form", async () => {
    const files = createRecognisedFiles(folder);
    const id = "a".repeat(64);
    for (const content of ["{", '{"version":9,"pages":[]}', '{"version":1,"pages":[{"page":1,"text":"abc","boxes":"AAAA"}]}']) {
      await writeFile(join(folder, `${id}.json`), content);
      expect((await files.read(id)).size).toBe(0);
    }
    const page = { text: "ab", boxes: Float32Array.from([1.5, 2, 3, 4, 5, 6, 7, 8]) };
    await files.write(id, new Map([[3, page]]));
    expect(await files.read(id)).toEqual(new Map([[3, page]]));
    await files.remove(id);
    expect(await readdir(folder)).toEqual([]);
  });
});
