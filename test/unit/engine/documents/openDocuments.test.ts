import { readFile, rm } from "node:fs/promises";
import { degrees } from "pdf-lib";
import { describe, expect, it } from "vitest";
import type { DocumentOutline } from "../../../../electron/contract/document.ts";
import { createRecognisedFiles } from "../../../../electron/engine/documents/ocr/recognisedFiles.ts";
import { createOpenDocuments, type OpenDocuments } from "../../../../electron/engine/documents/openDocuments.ts";
import { makePdf } from "./pdfFiles.ts";
import { documentBench } from "./support.ts";

const bench = documentBench();
const signal = new AbortController().signal;
const missing = { code: "document-unknown" };

describe("a PDF whose text is being read", () => {
  it("has its pages and its bytes before the first page's text, and afterwards as before", async () => {
    const path = await bench.write(
      "turned.pdf",
      await makePdf([
        (page) => page.drawText("Upright", { x: 72, y: 700 }),
        (page) => {
          page.setSize(400, 300);
          page.setRotation(degrees(90));
        },
      ]),
    );
    const documents = createOpenDocuments(bench.reader());
    const heard: string[] = [];
    let outline: DocumentOutline | null = null;
    let early: ReturnType<typeof documents.file> | null = null;
    const document = await documents.open(path, undefined, signal, {
      onProgress: (done) => heard.push(`page ${done}`),
      onOutline(found) {
        heard.push("outline");
        outline = found;
        early = documents.file(found.id);
      },
    });
    expect(heard).toEqual(["page 0", "outline", "page 1", "page 2"]);
    const pages = document.pages.map(({ page, width, height }) => ({ page, width, height }));
    expect(outline).toEqual({ id: document.id, name: "turned.pdf", path, locked: false, pages });
    expect(pages[1]).toEqual({ page: 2, width: 300, height: 400 });
    const file = { bytes: new Uint8Array(await readFile(path)), password: null };
    expect(await early).toEqual(file);
    expect(await documents.file(document.id)).toEqual(file);
  });

  it("has its bytes also while what was recognised of it is fetched", async () => {
    const path = await bench.write("scan.pdf", await makePdf([() => undefined]));
    const asked: string[] = [];
    const files = createRecognisedFiles(null);
    const documents: OpenDocuments = createOpenDocuments(bench.reader(), {
      ...files,
      async read(id) {
        asked.push(id);
        expect((await documents.file(id)).bytes).toEqual(new Uint8Array(await readFile(path)));
        return files.read(id);
      },
    });
    const { id } = await documents.open(path, undefined, signal);
    expect(asked).toEqual([id]);
  });

  it("has neither when its reading was stopped", async () => {
    const path = await bench.write("stopped.pdf", await makePdf(Array.from({ length: 40 }, () => () => undefined)));
    const documents = createOpenDocuments(bench.reader());
    const stop = new AbortController();
    let id = "";
    const opening = documents.open(path, undefined, stop.signal, {
      onOutline(outline) {
        id = outline.id;
        stop.abort();
      },
    });
    await expect(opening).rejects.toMatchObject({ code: "cancelled" });
    await expect(documents.file(id)).rejects.toMatchObject(missing);
    await rm(path);
  });

  it("is not told of again when it is known, nor is a text", async () => {
    const documents = createOpenDocuments(bench.reader());
    const outlines: string[] = [];
    const onOutline = ({ name }: DocumentOutline): void => void outlines.push(name);
    const path = await bench.write("once.pdf", await makePdf([() => undefined]));
    await documents.open(path, undefined, signal, { onOutline });
    await documents.open(path, undefined, signal, { onOutline });
    await documents.open(await bench.write("note.txt", "A note."), undefined, signal, { onOutline });
    expect(outlines).toEqual(["once.pdf"]);
  });
});
