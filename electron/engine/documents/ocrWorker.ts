import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createWorker, OEM, PSM, type Worker } from "tesseract.js";
import { parseAt } from "../../contract/parse.ts";
import { layOutText } from "./layout/layout.ts";
import { glyphsOf, recognisedBlocksSchema } from "./ocr/glyphs.ts";
import { type FromOcrWorker, ocrStartSchema, type PagePicture, toOcrWorkerSchema } from "./ocr/protocol.ts";

/**
 * Entry of the thread that reads text out of pictures. Tesseract runs in a thread of its own below this one, and ends with it: a fault in
 * it must not reach the engine.
 */

const start = parseAt("start of the OCR worker", ocrStartSchema, workerData);
let tesseract: Promise<Worker> | null = null;

function send(message: FromOcrWorker): void {
  parentPort?.postMessage(message);
}

function open(): Promise<Worker> {
  return createWorker([...start.languages], OEM.LSTM_ONLY, {
    workerPath: join(start.folder, "tesseractWorker.cjs"),
    // A folder of ours and no cache: nothing is fetched, nothing is written.
    langPath: start.folder,
    cacheMethod: "none",
    gzip: true,
    logger: ({ status, progress }) => {
      if (status === "recognizing text") send({ kind: "progress", fraction: Math.min(1, Math.max(0, progress)) });
    },
    // Without it, tesseract.js throws where nobody can catch; what is refused is rejected as well.
    errorHandler: () => undefined,
  });
}

/** A picture as Netpbm's PGM, which tesseract's library reads: grey alone counts, and takes a third of the room. */
function toPgm({ pixels, width, height }: PagePicture): Buffer {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1");
  const grey = Buffer.alloc(header.length + width * height);
  header.copy(grey);
  for (let pixel = 0, at = header.length; at < grey.length; pixel += 3, at += 1) {
    // Rec. 601, in 256ths.
    grey[at] = (77 * (pixels[pixel] ?? 0) + 150 * (pixels[pixel + 1] ?? 0) + 29 * (pixels[pixel + 2] ?? 0)) >> 8;
  }
  return grey;
}

async function recognise(page: PagePicture): Promise<void> {
  const scale = page.points / page.width;
  tesseract ??= open();
  const reader = await tesseract;
  await reader.setParameters({ tessedit_pageseg_mode: PSM.AUTO, user_defined_dpi: String(Math.round(72 / scale)) });
  const { data } = await reader.recognize(toPgm(page), {}, { text: false, blocks: true });
  const blocks = parseAt("result of tesseract", recognisedBlocksSchema, data.blocks);
  const { text, boxes } = layOutText(glyphsOf(blocks, scale));
  send({ kind: "recognised", text, boxes });
}

parentPort?.on("message", (message: unknown) => {
  recognise(parseAt("message to the OCR worker", toOcrWorkerSchema, message)).catch((thrown: unknown) => {
    send({ kind: "failed", detail: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) });
  });
});
