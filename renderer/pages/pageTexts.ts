import type { PageText } from "../../electron/contract/document.ts";
import { keepLatest } from "../app/keepLatest.ts";
import type { CallEngine } from "../engine/call.ts";

export type PageTexts = {
  /**
   * The text of a page, from the last ones read or from the engine.
   * @param characters that it has by its summary: a text of another length is an earlier one
   * @throws LongsightError
   */
  readonly get: (documentId: string, page: number, characters: number) => Promise<PageText>;
};

/** Keeps the texts of the pages that were looked at last; a failed try is not kept. */
export function createPageTexts(engine: CallEngine, limit = 64): PageTexts {
  const latest = keepLatest<PageText>(limit);
  return {
    get: (documentId, page, characters) => latest(`${documentId}/${page}/${characters}`, () => engine("pageText", { documentId, page })),
  };
}
