import type { DocumentChoice, DocumentOutline, DocumentSummary, PageText, RecognitionLanguage } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { PromptDocument } from "../conversation/prompt.ts";
import type { DocumentReader, OpenedDocument, OpenRequest } from "./documents.ts";
import { readSameFile } from "./files.ts";
import type { PlacedText } from "./layout/compose.ts";
import { createRecognisedFiles, type RecognisedFiles, type RecognisedPages } from "./ocr/recognisedFiles.ts";
import { isPicture, withRecognised } from "./ocr/withRecognised.ts";

type Open = {
  readonly document: OpenedDocument;
  readonly password: string | undefined;
  /** What was read out of its pictures. */
  readonly placed: RecognisedPages;
};

/** A document whose text is being read: its pages can be drawn meanwhile. */
type Coming = { readonly outline: DocumentOutline; readonly password: string | undefined };

/** The documents this engine has read, by id. Passwords live here and nowhere else. */
export type OpenDocuments = {
  open(
    path: string,
    password: string | undefined,
    signal: AbortSignal,
    /** What is heard meanwhile: the pages done and in all; before that, a PDF's pages as they can be drawn. */
    heard?: Pick<OpenRequest, "onProgress" | "onOutline">,
  ): Promise<OpenedDocument>;
  /** @throws LongsightError `document-unknown` */
  get(id: string): Pick<Open, "document" | "password">;
  has(id: string): boolean;
  /** The file's bytes and its password, also while its text is being read. @throws LongsightError `document-missing`, `document-unknown` */
  file(id: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly password: string | null }>;
  /** A page's text with its boxes. @throws LongsightError as {@link DocumentReader.pageText} */
  pageText(id: string, page: number, signal: AbortSignal): Promise<PageText>;
  /**
   * Reads the text out of the pages that are pictures, and remembers it. What was done before a stop stays done.
   * @param onStep called with what is done and what there is in all
   * @throws LongsightError as {@link DocumentReader.recognise}, `storage` where it cannot be written down
   */
  recognise(
    id: string,
    languages: readonly RecognitionLanguage[],
    signal: AbortSignal,
    onStep: (done: number, total: number) => void,
  ): Promise<OpenedDocument>;
  /** Drops a document's text from memory, and what was recognised of it from the disk. */
  forget(id: string): Promise<void>;
  /** @throws LongsightError `document-no-text` or `document-pages` */
  forPrompt(choices: readonly DocumentChoice[]): PromptDocument[];
};

/** A crash in the midst of hours of recognising costs this much at most, in milliseconds. */
const betweenWritesMs = 30_000;

/** @param files where recognised text is kept; what is behind a password never is */
export function createOpenDocuments(reader: DocumentReader, files: RecognisedFiles = createRecognisedFiles(null)): OpenDocuments {
  const documents = new Map<string, Open>();
  const coming = new Set<Coming>();
  const get = (id: string): Open => {
    const found = documents.get(id);
    if (found === undefined) throw new LongsightError("document-unknown", say("documentNotOpen"));
    return found;
  };
  return {
    async open(path, password, signal, { onProgress, onOutline } = {}) {
      let outlined: Coming | null = null;
      try {
        const opened = await reader.open({
          path,
          password,
          signal,
          known: (id) => documents.get(id)?.document,
          onProgress,
          onOutline(outline) {
            outlined = { outline, password: outline.locked ? password : undefined };
            coming.add(outlined);
            onOutline?.(outline);
          },
        });
        const before = documents.get(opened.id);
        const mayBeKept = before === undefined && !opened.locked && opened.pages.some(isPicture);
        const placed = before?.placed ?? (mayBeKept ? await files.read(opened.id) : new Map());
        const document = before === undefined ? withRecognised(opened, placed) : opened;
        // What was unlocked once stays so, and what was found again in another place is read from there from now on.
        const kept = before?.password ?? password;
        documents.set(document.id, { document, password: document.locked ? kept : undefined, placed });
        return document;
      } finally {
        // Not before it is there: its bytes are asked for at any moment.
        if (outlined !== null) coming.delete(outlined);
      }
    },
    get,
    has: (id) => documents.has(id),
    pageText(id, page, signal) {
      const { document, password, placed } = get(id);
      const recognised = placed.get(page);
      const isRecognised = document.pages[page - 1]?.flags.includes("recognised") ?? false;
      if (recognised !== undefined && isRecognised) return Promise.resolve({ page, ...recognised });
      return reader.pageText(document, page, password, signal);
    },
    async recognise(id, languages, signal, onStep) {
      const { document, password, placed } = get(id);
      const pages = new Map(placed);
      let writing = Promise.resolve();
      let writtenAt = performance.now();
      const write = (): void => {
        writtenAt = performance.now();
        // A copy: more pages may come while it is written.
        const now = new Map(pages);
        if (!document.locked && documents.has(id)) writing = writing.then(() => files.write(id, now));
        // Said at the end.
        writing.catch(() => undefined);
      };
      const onPage = (page: number, text: PlacedText): void => {
        pages.set(page, text);
        // At once, so that a stop finds it; one that was forgotten meanwhile stays so.
        const current = documents.get(id);
        if (current !== undefined) {
          documents.set(id, { ...current, document: withRecognised(current.document, pages), placed: new Map(pages) });
        }
        if (performance.now() - writtenAt > betweenWritesMs) write();
      };
      try {
        await reader.recognise(document, { languages, password, signal, onStep, onPage });
      } finally {
        if (pages.size > 0) write();
        await writing.catch(notWritten(document.name));
      }
      return get(id).document;
    },
    async forget(id) {
      documents.delete(id);
      await files.remove(id);
    },
    // The pages that are drawn must be the ones the model reads.
    async file(id) {
      const early = documents.has(id) ? undefined : [...coming].find(({ outline }) => outline.id === id);
      const { document, password } = early === undefined ? get(id) : { document: early.outline, password: early.password };
      return { bytes: await readSameFile(document, undefined), password: password ?? null };
    },
    forPrompt: (choices) => choices.map((choice) => choose(get(choice.documentId).document, choice.pages)),
  };
}

function notWritten(name: string): (error: unknown) => never {
  return (error) => {
    throw new LongsightError(
      "storage",
      say("recognisedNotWritten", { file: name }),
      error instanceof Error ? error.message : String(error),
    );
  };
}

function choose(document: OpenedDocument, wanted: readonly number[] | null): PromptDocument {
  const pages = wanted === null ? document.pages : document.pages.filter((page) => wanted.includes(page.page));
  const beyond = wanted?.find((page) => page > document.pages.length);
  if (beyond !== undefined) {
    const message = say("pageBeyondEnd", { file: document.name, count: document.pages.length, page: beyond });
    throw new LongsightError("document-pages", message);
  }
  if (!pages.some((page) => page.text.trim() !== "")) {
    const says = pages.length === document.pages.length ? "noTextAtAll" : "noTextOnChosen";
    throw new LongsightError("document-no-text", say(says, { file: document.name }));
  }
  return {
    documentId: document.id,
    name: document.name,
    pageCount: document.pages.length,
    pages: pages.map((page) => ({ documentId: document.id, page: page.page, text: page.text })),
  };
}

/**
 * A document as it crosses to the window: everything but its text.
 * @param pageTokens tokens of each page under the loaded model; null without one
 */
export function summarise(document: OpenedDocument, pageTokens: readonly number[] | null): DocumentSummary {
  const { pages, notices, saidNotices, brokenPages: _broken, ...rest } = document;
  return {
    ...rest,
    notices: [...notices],
    ...(saidNotices === undefined ? {} : { saidNotices: [...saidNotices] }),
    pages: pages.map(({ text: _text, ...page }, index) => ({ ...page, flags: [...page.flags], tokens: pageTokens?.[index] ?? null })),
    tokens: pageTokens === null ? null : pageTokens.reduce((sum, tokens) => sum + tokens, 0),
  };
}
