import type { DocumentChoice, DocumentSummary } from "../../contract/document.ts";
import { LongsightError } from "../../contract/errors.ts";
import type { PromptDocument } from "../conversation/prompt.ts";
import type { DocumentReader, OpenedDocument } from "./documents.ts";
import { readSameFile } from "./files.ts";

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
  return {
    async open(path, password, signal, onProgress) {
      const document = await reader.open({ path, password, signal, onProgress, known: (id) => documents.get(id)?.document });
      // What was unlocked once stays so, and what was found again in another place is read from there from now on.
      const kept = documents.get(document.id)?.password ?? password;
      documents.set(document.id, { document, password: document.locked ? kept : undefined });
      return document;
    },
    get,
    forget: (id) => void documents.delete(id),
    // The pages that are drawn must be the ones the model reads.
    bytes: async (id) => readSameFile(get(id).document, undefined),
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
