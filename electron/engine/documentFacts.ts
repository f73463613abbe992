import type { DocumentSummary, Thumbnail } from "../contract/document.ts";
import { LongsightError } from "../contract/errors.ts";
import { say } from "../contract/said.ts";
import type { CallOptions } from "./callOptions.ts";
import type { History } from "./conversation/history.ts";
import { pagePromptText } from "./conversation/prompt.ts";
import type { DocumentReader, OpenedDocument } from "./documents/documents.ts";
import { type OpenDocuments, summarise } from "./documents/openDocuments.ts";
import { startProgress } from "./progress.ts";
import type { Session } from "./session.ts";

type Parts = {
  readonly history: Pick<History, "rememberTokens" | "rememberThumbnail" | "thumbnailOf">;
  readonly session: Pick<Session, "current" | "use">;
  readonly documents: Pick<OpenDocuments, "get" | "has">;
  readonly reader: Pick<DocumentReader, "thumbnail">;
};

export type DocumentFacts = {
  /**
   * A document's summary, its tokens counted under the loaded model; what was counted is remembered for the library.
   * @throws LongsightError `cancelled`
   */
  counted(document: OpenedDocument, call: CallOptions): Promise<DocumentSummary>;
  /** A document's first page, small: drawn once; null where there is no picture of it. */
  thumbnailOf(documentId: string, signal: AbortSignal): Promise<Thumbnail | null>;
};

/** What is found out of a document once it is open, and kept for the library. */
export function createDocumentFacts({ history, session, documents, reader }: Parts): DocumentFacts {
  /** Tokens of each page under the loaded model; null without one. */
  const countTokens = async (document: OpenedDocument, { signal, emit }: CallOptions): Promise<number[] | null> => {
    if (session.current() === null) return null;
    return session.use(async (loaded) => {
      const progress = startProgress("tokenise", document.pages.length, emit);
      const tokens: number[] = [];
      for (const page of document.pages) {
        if (signal.aborted) throw new LongsightError("cancelled", say("openingStopped", { file: document.name }));
        const text = pagePromptText(page.page, page.text, document.pages.length > 1);
        tokens.push((await loaded.tokenise({ kind: "page", documentId: document.id, page: page.page, text })).tokens.length);
        progress.update(page.page);
      }
      return tokens;
    });
  };

  return {
    async counted(document, call) {
      const summary = summarise(document, await countTokens(document, call));
      const model = session.current()?.report.id;
      if (summary.tokens !== null && model !== undefined) history.rememberTokens(document.id, summary.tokens, model);
      return summary;
    },
    async thumbnailOf(documentId, signal) {
      const remembered = history.thumbnailOf(documentId);
      if (remembered !== null || !documents.has(documentId)) return remembered;
      const { document, password } = documents.get(documentId);
      // What is behind a password is written down nowhere.
      if (document.locked) return null;
      const drawn = await reader.thumbnail(document, password, signal);
      if (drawn !== null) history.rememberThumbnail(documentId, drawn);
      return drawn;
    },
  };
}
