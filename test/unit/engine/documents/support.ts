import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import { createDocumentReader, type DocumentReader, type DocumentReaderOptions } from "../../../../electron/engine/documents/documents.ts";
import { root } from "./data.ts";

/** A folder of its own for a test file, with the bundled workers in it. */
export type Bench = {
  readonly folder: () => string;
  readonly workerPath: () => string;
  readonly reader: (options?: Omit<DocumentReaderOptions, "workerPath">) => DocumentReader;
  /** Writes a file into the folder. @returns its path */
  readonly write: (name: string, content: Uint8Array | string) => Promise<string>;
};

/** What reading pictures takes: a second worker and what it reads beside itself. */
const recognitionFiles = [
  "tesseract.js-core/tesseract-core.wasm",
  "tesseract.js-core/tesseract-core-simd.wasm",
  "tesseract.js-core/tesseract-core-relaxedsimd.wasm",
  "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz",
  "@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz",
];

/**
 * Builds the workers before the file's tests and removes everything after them.
 * @param options recognition: whether pictures of pages are read as well
 */
export function documentBench({ recognition = false }: { readonly recognition?: boolean } = {}): Bench {
  let folder = "";
  const readers: DocumentReader[] = [];
  const workerPath = (): string => join(folder, "pdfWorker.cjs");
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "longsight-documents-"));
    await build({
      absWorkingDir: root,
      entryPoints: {
        pdfWorker: "electron/engine/documents/pdfWorker.ts",
        markupWorker: "electron/engine/documents/markupWorker.ts",
        ...(recognition
          ? {
              ocrWorker: "electron/engine/documents/ocrWorker.ts",
              tesseractWorker: "node_modules/tesseract.js/src/worker-script/node/index.js",
            }
          : {}),
      },
      outdir: folder,
      outExtension: { ".js": ".cjs" },
      bundle: true,
      platform: "node",
      target: "node16",
      format: "cjs",
      define: { "import.meta.url": "moduleUrl" },
      banner: { js: 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;' },
      logLevel: "error",
    });
    for (const name of ["@embedpdf/pdfium/pdfium.wasm", ...(recognition ? recognitionFiles : [])]) {
      await copyFile(createRequire(import.meta.url).resolve(name), join(folder, basename(name)));
    }
  });
  afterAll(async () => {
    await Promise.all(readers.map((reader) => reader.dispose()));
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder: () => folder,
    workerPath,
    reader: (options = {}) => {
      const reader = createDocumentReader({ workerPath: workerPath(), ...options });
      readers.push(reader);
      return reader;
    },
    write: async (name, content) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
  };
}
