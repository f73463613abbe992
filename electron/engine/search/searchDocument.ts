import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { DocumentHit, DocumentHits } from "../../contract/search.ts";
import type { OpenedDocument } from "../documents/documents.ts";
import { fold, placesOf } from "./fold.ts";

/** Most places that are told. */
const mostHits = 1000;
/** Pages between two looks at whether the search is still wanted. */
const pagesAtOnce = 50;

/**
 * Finds a text in a document: letters whatever their case and accents, any blanks and line ends between words.
 * @throws LongsightError `cancelled`
 */
export async function searchDocument(document: OpenedDocument, text: string, signal: AbortSignal): Promise<DocumentHits> {
  const needle = fold(text.trim()).text;
  const hits: DocumentHit[] = [];
  for (const [index, page] of document.pages.entries()) {
    if (index % pagesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    if (signal.aborted) throw new LongsightError("cancelled", say("searchStopped"));
    const places = placesOf(fold(page.text), needle, mostHits + 1 - hits.length);
    hits.push(...places.map((place) => ({ page: page.page, ...place })));
    if (hits.length > mostHits) break;
  }
  return { documentId: document.id, hits: hits.slice(0, mostHits), more: hits.length > mostHits };
}
