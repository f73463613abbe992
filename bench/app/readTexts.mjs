// A process of the bench `app` that takes all text out of PDFs, by the app's own reader or by pdf.js. What it is to read comes as JSON, what it took goes to
// standard output as JSON. The first document is read once before the clock runs.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/files.mjs";
import { messageOf } from "../../scripts/run.mjs";
import { bundle } from "../bundle.mjs";

const { reader, folder, documents } = JSON.parse(process.argv[2] ?? "{}");

async function ownReader() {
  const { createDocumentReader } = await bundle(["engine/documents/documents"]);
  const own = createDocumentReader({ workerPath: join(root, "out", "engine", "pdfWorker.cjs") });
  return {
    async read(path) {
      const { pages, characters } = await own.open({ path });
      return { pages: pages.length, characters };
    },
    dispose: () => own.dispose(),
  };
}

async function pdfJs() {
  const place = join(folder, "node_modules", "pdfjs-dist");
  const below = (name) => `${join(place, name)}/`;
  const { getDocument } = await import(pathToFileURL(join(place, "legacy", "build", "pdf.mjs")).href);
  const options = { cMapUrl: below("cmaps"), cMapPacked: true, standardFontDataUrl: below("standard_fonts"), verbosity: 0 };
  return {
    async read(path) {
      const task = getDocument({ ...options, data: new Uint8Array(await readFile(path)) });
      try {
        const opened = await task.promise;
        let characters = 0;
        for (let number = 1; number <= opened.numPages; number += 1) {
          const page = await opened.getPage(number);
          const { items } = await page.getTextContent();
          characters += items.map(({ str = "", hasEOL }) => (hasEOL ? `${str}\n` : str)).join("").length;
          page.cleanup();
        }
        return { pages: opened.numPages, characters };
      } finally {
        await task.destroy();
      }
    },
    dispose: async () => {},
  };
}

const { read, dispose } = reader === "pdf.js" ? await pdfJs() : await ownReader();
try {
  // Where it cannot be read, that is told below.
  await read(documents[0].path).catch(() => undefined);
  const texts = [];
  const refused = [];
  for (const { name, path } of documents) {
    const started = performance.now();
    try {
      const { pages, characters } = await read(path);
      texts.push({ name, pages, characters, ms: performance.now() - started });
    } catch (error) {
      refused.push({ name, reason: messageOf(error) });
    }
  }
  console.log(JSON.stringify({ texts, refused }));
} finally {
  await dispose();
}
