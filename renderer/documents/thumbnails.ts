import type { Thumbnail } from "../../electron/contract/document.ts";
import { keepLatest } from "../app/keepLatest.ts";
import type { CallEngine } from "../engine/call.ts";

export type Thumbnails = {
  /**
   * A document's first page, small; null where there is no picture of it. Does not reject.
   * @param isOpen one that is open can be drawn, whatever was said of it before
   */
  readonly get: (documentId: string, isOpen: boolean) => Promise<Thumbnail | null>;
};

/** Asks for each picture once, and once more when its document is open. One takes some 100 kB: those shown last are kept. */
export function createThumbnails(engine: CallEngine, limit = 48): Thumbnails {
  const latest = keepLatest<Thumbnail | null>(limit);
  return {
    get: (documentId, isOpen) =>
      latest(`${documentId}/${isOpen}`, () =>
        engine("thumbnail", { documentId }).then(
          ({ thumbnail }) => thumbnail,
          () => null,
        ),
      ),
  };
}
