import { basename, dirname, join } from "node:path";
import type { DocumentKind, DocumentOutline, PageSummary, PageText, RecognitionLanguage, Thumbnail } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { Said } from "../../contract/messages/fill.ts";
import { type Message, noticesOf, say } from "../../contract/said.ts";
import { readDocumentFile, readSameFile } from "./files.ts";
import type { PlacedText } from "./layout/compose.ts";
import type { Section } from "./markup/blocks.ts";
import type { MarkupKind } from "./markup/protocol.ts";
import { readMarkup } from "./markup/session.ts";
import { recognisePages, stepsOfPage } from "./ocr/recognisePages.ts";
import { openRecogniser } from "./ocr/session.ts";
import { pagesToRecognise } from "./ocr/withRecognised.ts";
import { noticesFor, textFlags } from "./pdf/quality.ts";
import { openPdfSession, type PdfLimits, type PdfSession, type PdfSource } from "./pdf/session.ts";
import { decodeText, largestTextBytes, splitPages, textPageSize } from "./plainText.ts";
import { type Sniffed, sniff } from "./sniff.ts";

/** A page as it was read; its tokens depend on the model and are counted elsewhere. */
export type PageContent = Omit<PageSummary, "tokens"> & { readonly text: string };

/** A document with the text of its pages in reading order. */
export type OpenedDocument = {
  /** SHA-256 of the file's bytes. */
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly kind: DocumentKind;
  /** What the document calls itself. */
  readonly title?: string;
  readonly bytes: number;
  /** True where a password was needed. */
  readonly locked: boolean;
  readonly notices: readonly string[];
  /** The notices by name, in their order. */
  readonly saidNotices?: readonly (Said | null)[] | undefined;
  /** UTF-16 units of all pages together. */
  readonly characters: number;
  readonly pages: readonly PageContent[];
  /** Pages that PDFium could not read at all. */
  readonly brokenPages?: readonly number[];
};

export type OpenRequest = {
  readonly path: string;
  readonly password?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The document of this content where it was read before, whatever its file was called: it is not read into pages again. */
  readonly known?: ((id: string) => OpenedDocument | undefined) | undefined;
  /** Called with the pages that are done and their number in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called once a PDF's pages can be drawn, before their text is read. */
  readonly onOutline?: ((outline: DocumentOutline) => void) | undefined;
};

export type DocumentReader = {
  /**
   * Reads a document whole.
   * @throws LongsightError document-missing, -unreadable, -empty, -kind, -damaged, -password-needed, -password-wrong, -too-slow,
   * -too-large, cancelled; each names the file.
   */
  open(request: OpenRequest): Promise<OpenedDocument>;
  /**
   * A page's text with its boxes, read again from the file: texts are kept, boxes are not, for there are many of them.
   * @param page 1-based. @throws LongsightError document-pages for a page that is not there, document-missing for a file that has
   * changed since it was opened, and whatever `open` throws.
   */
  pageText(document: OpenedDocument, page: number, password?: string, signal?: AbortSignal): Promise<PageText>;
  /** A PDF's first page as a small picture; null for other kinds, and where the page is damaged. @throws LongsightError as `pageText` */
  thumbnail(document: OpenedDocument, password?: string, signal?: AbortSignal): Promise<Thumbnail | null>;
  /**
   * Reads the text out of a PDF's pages that are pictures, one after the other. The pages that are done count, also where it is cancelled.
   * @throws LongsightError cancelled, document-too-slow, engine-failed, and whatever `open` throws
   */
  recognise(document: OpenedDocument, request: RecogniseRequest): Promise<void>;
  /** Ends all threads. */
  dispose(): Promise<void>;
};

export type RecogniseRequest = {
  readonly languages: readonly RecognitionLanguage[];
  readonly password?: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the hundredths of pages that are done and their number in all. */
  readonly onStep: (done: number, total: number) => void;
  readonly onPage: (page: number, placed: PlacedText) => void;
};

export type DocumentReaderOptions = {
  /** The bundled pdfWorker.ts; pdfium.wasm and the other bundled workers lie beside it. */
  readonly workerPath: string;
  /** Longest wait in milliseconds: for the next page, and for a whole document of few pages. */
  readonly timeLimitMs?: number;
  /** Most memory that reading one document may take; for PDFium its bytes are included. */
  readonly memoryLimitBytes?: number;
};

/** A hostile file must be given up in less than 30 s, start and end of the thread included. */
const defaultTimeLimitMs = 25_000;
/** PDFium's WebAssembly can address 2 GB; the largest file must fit in with its pages. */
const defaultMemoryLimitBytes = 1_536 * 1_048_576;
const perPageMs = 250;
/** A document whose pages are being looked at stays open in its thread for this long. */
const idleMs = 30_000;
/** Pixels of a thumbnail's longer side: sharp on a dense screen at the size of a line or two. */
const thumbnailSide = 112;

/** Where PDFium's thread comes from, and what it may take. `fileName` is for the sentences of errors. */
export function pdfSource(workerPath: string, fileName: string, limits: Partial<PdfLimits> = {}): PdfSource {
  const { timeLimitMs = defaultTimeLimitMs, memoryLimitBytes = defaultMemoryLimitBytes } = limits;
  return { workerPath, wasmPath: join(dirname(workerPath), "pdfium.wasm"), limits: { timeLimitMs, perPageMs, memoryLimitBytes }, fileName };
}

/** Reads documents of every kind. PDFium, and what unpacks and parses markup, run in threads that are ended past their limits. */
export function createDocumentReader(options: DocumentReaderOptions): DocumentReader {
  const sourceOf = (fileName: string): PdfSource => pdfSource(options.workerPath, fileName, options);
  let held: { readonly id: string; readonly session: PdfSession } | null = null;
  let timer: NodeJS.Timeout | null = null;
  /** Requests for places wait for one another: a session answers one at a time. */
  let queue: Promise<unknown> = Promise.resolve();

  const drop = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const dropped = held;
    held = null;
    await dropped?.session.close();
  };
  const hold = async (id: string, session: PdfSession): Promise<void> => {
    if (held?.session !== session) await drop();
    held = { id, session };
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void drop(), idleMs);
    timer.unref();
  };

  /** Asks something of a PDF that stays open for a while. */
  const inSession = <Result>(
    document: OpenedDocument,
    password: string | undefined,
    signal: AbortSignal | undefined,
    ask: (session: PdfSession) => Promise<Result>,
  ): Promise<Result> => {
    const asked = async (): Promise<Result> => {
      if (held?.id !== document.id || held.session.closed) {
        const bytes = await readSameFile(document, signal);
        await drop();
        await hold(document.id, await openPdfSession(sourceOf(document.name), bytes, password ?? "", signal));
      }
      const session = held?.session;
      if (session === undefined) throw new LongsightError("cancelled", say("readingCancelled", { file: document.name }));
      await hold(document.id, session);
      return ask(session);
    };
    const answer = queue.then(asked, asked);
    queue = answer.catch(() => undefined);
    return answer;
  };

  const openPdf = async (request: OpenRequest, name: string, id: string, bytes: Uint8Array<ArrayBuffer>): Promise<OpenedDocument> => {
    const size = bytes.byteLength;
    const session = await openPdfSession(sourceOf(name), bytes, request.password ?? "", request.signal);
    const pages: PageContent[] = [];
    const broken: number[] = [];
    try {
      request.onProgress?.(0, session.pages);
      await session.extract(request.signal, {
        onSizes: (sizes) => request.onOutline?.({ id, name, path: request.path, locked: session.locked, pages: placesOf(sizes) }),
        onPage({ broken: isBroken, ...page }) {
          pages.push(page);
          if (isBroken) broken.push(page.page);
          request.onProgress?.(pages.length, session.pages);
        },
      });
    } finally {
      await session.close();
    }
    if (broken.length === pages.length) {
      throw new LongsightError("document-damaged", say("pdfPagesDamaged", { file: name }));
    }
    const opened = finish(request, name, id, "pdf", size, session.locked, pages, noticesFor(pages, broken));
    return broken.length === 0 ? opened : { ...opened, brokenPages: broken };
  };

  const openText = (request: OpenRequest, name: string, id: string, kind: DocumentKind, bytes: Uint8Array): OpenedDocument => {
    refuseLongText(name, bytes.byteLength);
    const { text, notices } = decodeText(bytes);
    const pages = textPages(splitPages(text).map((page) => ({ title: null, text: page })));
    request.onProgress?.(pages.length, pages.length);
    return finish(request, name, id, kind, bytes.byteLength, false, pages, [...notices, ...textNotices(pages)]);
  };

  const openMarkup = async (
    request: OpenRequest,
    name: string,
    id: string,
    kind: MarkupKind,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<OpenedDocument> => {
    const size = bytes.byteLength;
    if (kind === "html") refuseLongText(name, size);
    const { timeLimitMs = defaultTimeLimitMs, memoryLimitBytes = defaultMemoryLimitBytes } = options;
    const workerPath = join(dirname(options.workerPath), "markupWorker.cjs");
    const source = { workerPath, fileName: name, timeLimitMs, memoryLimitBytes };
    const read = await readMarkup(source, kind, bytes, request.signal, (done, total) => request.onProgress?.(done, total));
    const pages = textPages(read.sections.length === 0 ? [{ title: null, text: "" }] : read.sections);
    request.onProgress?.(pages.length, pages.length);
    const opened = finish(request, name, id, kind, size, false, pages, [...read.notices, ...textNotices(pages)]);
    return read.title === null ? opened : { ...opened, title: read.title };
  };

  return {
    open: async (request) => {
      const name = basename(request.path);
      const { bytes, id } = await readDocumentFile(request.path, name, request.signal);
      const known = request.known?.(id);
      if (known !== undefined) {
        request.onProgress?.(known.pages.length, known.pages.length);
        return { ...known, path: request.path, name };
      }
      const sniffed = sniff(bytes, name);
      if (sniffed.kind === "misnamed" || sniffed.kind === "other") throw refusedKind(sniffed, name);
      switch (sniffed.kind) {
        case "pdf":
          return await openPdf(request, name, id, bytes);
        case "text":
        case "markdown":
          return openText(request, name, id, sniffed.kind, bytes);
        default:
          return await openMarkup(request, name, id, sniffed.kind, bytes);
      }
    },
    pageText: (document, page, password, signal) => {
      const kept = document.pages[page - 1];
      if (kept === undefined) {
        const pages = document.pages.length;
        return Promise.reject(new LongsightError("document-pages", say("noSuchPage", { file: document.name, page, pages })));
      }
      if (document.kind !== "pdf") return Promise.resolve({ page, text: kept.text, boxes: new Float32Array(kept.text.length * 4) });
      return inSession(document, password, signal, async (session) => ({ page, ...(await session.place(page, signal)) }));
    },
    thumbnail: async (document, password, signal) => {
      const first = document.pages[0];
      if (document.kind !== "pdf" || first === undefined) return null;
      const scale = thumbnailSide / Math.max(first.width, first.height);
      const size = { width: Math.max(1, Math.round(first.width * scale)), height: Math.max(1, Math.round(first.height * scale)) };
      const pixels = await inSession(document, password, signal, (session) => session.draw(1, size, signal));
      return pixels === null ? null : { ...size, pixels };
    },
    recognise: async (document, { languages, password, signal, onStep, onPage }) => {
      const pages = pagesToRecognise(document);
      if (document.kind !== "pdf" || pages.length === 0) {
        throw new LongsightError("usage", say("nothingToRecognise", { file: document.name }));
      }
      const total = pages.length * stepsOfPage;
      onStep(0, total);
      const bytes = await readSameFile(document, signal);
      const drawn = await openPdfSession(sourceOf(document.name), bytes, password ?? "", signal);
      const workerPath = join(dirname(options.workerPath), "ocrWorker.cjs");
      const recogniser = openRecogniser({ workerPath, languages, fileName: document.name });
      try {
        await recognisePages(pages, { drawn, recogniser }, signal, (done) => onStep(done, total), onPage);
      } finally {
        await Promise.all([drawn.close(), recogniser.close()]);
      }
    },
    dispose: drop,
  };
}

function finish(
  request: OpenRequest,
  name: string,
  id: string,
  kind: DocumentKind,
  bytes: number,
  locked: boolean,
  pages: readonly PageContent[],
  messages: readonly Message[],
): OpenedDocument {
  const characters = pages.reduce((sum, page) => sum + page.characters, 0);
  return { id, name, path: request.path, kind, bytes, locked, ...noticesOf(messages), characters, pages };
}

/** Pages by their widths and heights, one after the other. */
function placesOf(sizes: Float32Array): DocumentOutline["pages"] {
  return Array.from({ length: sizes.length / 2 }, (_, index) => ({
    page: index + 1,
    width: sizes[2 * index] ?? 1,
    height: sizes[2 * index + 1] ?? 1,
  }));
}

/** @throws LongsightError document-too-large */
function refuseLongText(name: string, bytes: number): void {
  if (bytes <= largestTextBytes) return;
  const sizes = { megabytes: Math.ceil(bytes / 1_048_576), most: largestTextBytes / 1_048_576 };
  throw new LongsightError("document-too-large", say("textTooLarge", { file: name, ...sizes }));
}

/** Pages of a document that has none of its own. */
function textPages(sections: readonly Section[]): PageContent[] {
  return sections.map(({ title, text }, index) => ({
    page: index + 1,
    characters: text.length,
    flags: textFlags(text),
    ...textPageSize,
    ...(title === null ? {} : { title }),
    text,
  }));
}

function textNotices(pages: readonly PageContent[]): Message[] {
  const blank = pages.every((page) => page.flags.includes("no-text"));
  return blank ? [say("onlyBlanks")] : noticesFor(pages, []);
}

function refusedKind(sniffed: Extract<Sniffed, { kind: "misnamed" | "other" }>, name: string): LongsightError {
  const isMisnamed = name.toLowerCase().endsWith(".pdf");
  const says = sniffed.kind === "other" ? "documentOtherKind" : isMisnamed ? "documentMisnamed" : "documentHolds";
  const advice = (sniffed.kind === "other" ? null : sniffed.advice) ?? say("adviceKinds");
  return new LongsightError("document-kind", say(says, { file: name, kind: sniffed.looksLike, advice }));
}
