import type { Thumbnail } from "../../electron/contract/document.ts";
import type { CallEngine } from "../engine/call.ts";

export type Thumbnails = {
  /**
   * A document's first page, small; null where there is no picture of it. Does not reject.
   * @param isOpen one that is open can be drawn, whatever was said of it before
   */
  readonly get: (documentId: string, isOpen: boolean) => Promise<Thumbnail | null>;
};

/** Asks for each picture once, and once more when its document is open. */
export function createThumbnails(engine: CallEngine): Thumbnails {
  const kept = new Map<string, Promise<Thumbnail | null>>();
  return {
    get(documentId, isOpen) {
      const key = `${documentId}/${isOpen}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const asked = engine("thumbnail", { documentId }).then(
        ({ thumbnail }) => thumbnail,
        () => null,
      );
      kept.set(key, asked);
      return asked;
    },
  };
}
