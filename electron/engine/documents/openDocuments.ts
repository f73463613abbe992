import { basename } from "node:path";
import type { DocumentChoice, DocumentSummary } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { PromptDocument } from "../conversation/prompt.ts";
import type { DocumentReader, OpenedDocument } from "./documents.ts";
import { readDocumentFile } from "./files.ts";

type Open = { readonly document: OpenedDocument; readonly password: string | undefined };

/** The documents this engine has read, by id. Passwords live here and nowhere else. */
export type OpenDocuments = {
  open(
    path: string,
    password: string | undefined,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<OpenedDocument>;
  /** @throws LongsightError `document-unknown` */
  get(id: string): Open;
  has(id: string): boolean;
  /** The file's bytes. @throws LongsightError `document-missing` */
  bytes(id: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Drops a document's text from memory. */
  forget(id: string): void;
  /** @throws LongsightError `document-no-text` or `document-pages` */
  forPrompt(choices: readonly DocumentChoice[]): PromptDocument[];
};

export function createOpenDocuments(reader: DocumentReader): OpenDocuments {
  const documents = new Map<string, Open>();
  const get = (id: string): Open => {
    const found = documents.get(id);
    if (found === undefined) throw new LongsightError("document-unknown", "This document is not open any more. Open its file again.");
    return found;
  };
  /** A file whose content was read before, whatever its name then, need not be read again. */
  const alreadyOpen = async (path: string, signal: AbortSignal): Promise<OpenedDocument | undefined> => {
    if (documents.size === 0) return undefined;
    const { id } = await readDocumentFile(path, basename(path), signal);
    const found = documents.get(id)?.document;
    return found === undefined ? undefined : { ...found, path, name: basename(path) };
  };
  return {
    async open(path, password, signal, onProgress) {
      const before = await alreadyOpen(path, signal);
      if (before !== undefined) {
        onProgress(before.pages.length, before.pages.length);
        return before;
      }
      const document = await reader.open({ path, ...(password === undefined ? {} : { password }), signal, onProgress });
      documents.set(document.id, { document, password: document.locked ? password : undefined });
      return document;
    },
    get,
    forget: (id) => void documents.delete(id),
    has: (id) => documents.has(id),
    async bytes(id) {
      const { document } = get(id);
      const file = await readDocumentFile(document.path, document.name, undefined);
      // The pages that are drawn must be the ones the model reads.
      if (file.id !== id) {
        throw new LongsightError("document-missing", `“${document.name}” has changed since it was opened. Open it again.`, document.path);
      }
      return file.bytes;
    },
    forPrompt: (choices) => choices.map((choice) => choose(get(choice.documentId).document, choice.pages)),
  };
}

function choose(document: OpenedDocument, wanted: readonly number[] | null): PromptDocument {
  const pages = wanted === null ? document.pages : document.pages.filter((page) => wanted.includes(page.page));
  const beyond = wanted?.find((page) => page > document.pages.length);
  if (beyond !== undefined) {
    throw new LongsightError("document-pages", `“${document.name}” has ${document.pages.length} pages; page ${beyond} was asked for.`);
  }
  if (!pages.some((page) => page.text.trim() !== "")) {
    throw new LongsightError(
      "document-no-text",
      `“${document.name}” has no text on ${pages.length === document.pages.length ? "any page" : "the chosen pages"}: they are pictures or empty, so there is nothing to ask about.`,
    );
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
  const { pages, notices, ...rest } = document;
  return {
    ...rest,
    notices: [...notices],
    pages: pages.map(({ text: _text, ...page }, index) => ({ ...page, flags: [...page.flags], tokens: pageTokens?.[index] ?? null })),
    tokens: pageTokens === null ? null : pageTokens.reduce((sum, tokens) => sum + tokens, 0),
  };
}
