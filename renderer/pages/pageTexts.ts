import type { PageText } from "../../electron/contract/document.ts";
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
  const kept = new Map<string, Promise<PageText>>();
  return {
    get(documentId, page, characters) {
      const key = `${documentId}/${page}/${characters}`;
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const asked = engine("pageText", { documentId, page });
      kept.set(key, asked);
      asked.catch(() => kept.delete(key));
      for (const oldest of kept.keys()) {
        if (kept.size <= limit) break;
        kept.delete(oldest);
      }
      return asked;
    },
  };
}
