import { parentPort, workerData } from "node:worker_threads";
import { parseAt } from "../../contract/parse.ts";
import { layOutText } from "./layout/layout.ts";
import { openPdf, type PdfDocument, PdfFailure, unreadableSize } from "./pdf/pdfium.ts";
import { type FromWorker, parseToWorker, type WorkerFailure, workerStartSchema } from "./pdf/protocol.ts";
import { textFlags } from "./pdf/quality.ts";

/**
 * Entry of the thread that PDFium runs in. It holds one document and may be ended at any moment: a file can keep PDFium
 * busy for ever or ask for more and more memory.
 */

/** Milliseconds for the sizes of all pages, which only serve to draw them early. */
const sizesMs = 500;

const start = parseAt("start of the PDF worker", workerStartSchema, workerData);
let document: PdfDocument | null = null;

function send(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function extractPage(opened: PdfDocument, page: number): void {
  const read = opened.glyphsOf(page);
  if (read === null) {
    send({ kind: "page", page: { page, characters: 0, flags: ["no-text"], ...unreadableSize, text: "", broken: true } });
    return;
  }
  const { text } = layOutText(read.glyphs);
  const flags = textFlags(text);
  if (read.rotated) flags.push("rotated");
  send({ kind: "page", page: { page, characters: text.length, flags, width: read.width, height: read.height, text, broken: false } });
}

async function handle(message: unknown): Promise<void> {
  const request = parseToWorker(message);
  if (request.kind === "open") {
    document = await openPdf(request.bytes, request.password, {
      ...start,
      onMemory: () => send({ kind: "failed", reason: "memory", detail: "PDFium asked for more memory than the limit" }),
    });
    send({ kind: "opened", pages: document.pages, locked: document.locked });
    return;
  }
  if (document === null) throw new PdfFailure("damaged", "no document is open");
  if (request.kind === "place") {
    const { text, boxes } = layOutText(document.glyphsOf(request.page)?.glyphs ?? []);
    send({ kind: "placed", text, boxes });
    return;
  }
  if (request.kind === "draw") {
    send({ kind: "drawn", pixels: document.draw(request.page, request.width, request.height) });
    return;
  }
  const sizes = document.sizes(sizesMs);
  if (sizes !== null) send({ kind: "sizes", sizes });
  for (let page = 1; page <= document.pages; page += 1) extractPage(document, page);
  send({ kind: "finished" });
}

/** A crash inside PDFium shows as a trap of its WebAssembly (RuntimeError, also when it aborts); a damaged file brings it about. */
function reasonOf(thrown: unknown): WorkerFailure {
  if (thrown instanceof PdfFailure) return thrown.reason;
  return thrown instanceof Error && /RuntimeError|RangeError/.test(`${thrown.name} ${thrown.constructor.name}`) ? "damaged" : "internal";
}

parentPort?.on("message", (message: unknown) => {
  handle(message).catch((thrown: unknown) => {
    send({ kind: "failed", reason: reasonOf(thrown), detail: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  });
});
