import { createStore, type StoreApi } from "zustand/vanilla";
import type { DocumentHit } from "../../electron/contract/search.ts";

/** A search in the document in view. */
export type FindState = {
  readonly open: boolean;
  readonly text: string;
  /** What was found, and for which document and text; null before the first search. */
  readonly found: {
    readonly documentId: string;
    readonly text: string;
    readonly hits: readonly DocumentHit[];
    readonly more: boolean;
  } | null;
  /** The place in view, among the hits. */
  readonly index: number;
};
export type FindStore = StoreApi<FindState>;

export function createFindStore(): FindStore {
  return createStore<FindState>(() => ({ open: false, text: "", found: null, index: 0 }));
}

/** The first hit at or after a page, or the first of all. */
export function firstHitFrom(hits: readonly DocumentHit[], page: number): number {
  return Math.max(
    0,
    hits.findIndex((hit) => hit.page >= page),
  );
}

const none: readonly PageHit[] = [];

/** A hit on a page, and whether it is the one in view. */
export type PageHit = DocumentHit & { readonly current: boolean };

/** The hits of one page of a document while the search is open. */
export function hitsOnPage(state: FindState, documentId: string, page: number): readonly PageHit[] {
  const { open, found, index } = state;
  if (!open || found === null || found.documentId !== documentId) return none;
  const hits = found.hits.flatMap((hit, place) => (hit.page === page ? [{ ...hit, current: place === index }] : []));
  return hits.length === 0 ? none : hits;
}
