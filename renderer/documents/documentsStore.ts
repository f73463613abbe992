import { createStore, type StoreApi } from "zustand/vanilla";
import type { DocumentSummary, LibraryEntry } from "../../electron/contract/document.ts";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import type { Problem } from "../../electron/contract/errors.ts";

/** A file on its way in: being read, waiting for its password, or refused with a sentence. */
export type Opening = {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  /** The document that a conversation expects here; null for a file that is opened for the first time. */
  readonly documentId: string | null;
  readonly status: "reading" | "locked" | "failed";
  readonly progress: ProgressEvent | null;
  /** Why it failed, or that the last password was wrong. */
  readonly problem: Problem | null;
};

export type DocumentsState = {
  readonly library: readonly LibraryEntry[];
  /** Documents that were read since the start, by id. */
  readonly open: Readonly<Record<string, DocumentSummary>>;
  readonly openings: readonly Opening[];
  /** The document in the middle. */
  readonly shownId: string | null;
  /** Page in view, 1-based, by document. */
  readonly pageInView: Readonly<Record<string, number>>;
};

export type DocumentsStore = StoreApi<DocumentsState>;

export function createDocumentsStore(): DocumentsStore {
  return createStore<DocumentsState>(() => ({ library: [], open: {}, openings: [], shownId: null, pageInView: {} }));
}

/** The last part of a path of any system. */
export function nameOfPath(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** A file starts to be read; earlier tries of the same path are replaced. */
export function withOpening(state: DocumentsState, key: string, path: string, documentId: string | null): DocumentsState {
  const opening: Opening = { key, path, name: nameOfPath(path), documentId, status: "reading", progress: null, problem: null };
  const others = state.openings.filter((other) => other.key !== key && (other.path !== path || other.status === "reading"));
  return { ...state, openings: [...others, opening] };
}

export function withOpeningChanged(
  state: DocumentsState,
  key: string,
  change: Partial<Pick<Opening, "path" | "status" | "progress" | "problem">>,
): DocumentsState {
  return { ...state, openings: state.openings.map((opening) => (opening.key === key ? { ...opening, ...change } : opening)) };
}

export function withoutOpening(state: DocumentsState, key: string): DocumentsState {
  return { ...state, openings: state.openings.filter((opening) => opening.key !== key) };
}

/** A file was read: its summary is known, and no open try of it is left. */
export function withDocument(state: DocumentsState, summary: DocumentSummary, key: string | null): DocumentsState {
  return {
    ...state,
    open: { ...state.open, [summary.id]: summary },
    openings: state.openings.filter((opening) => opening.key !== key && opening.documentId !== summary.id),
  };
}

/** Tries that belonged to another conversation's documents are not shown any longer. */
export function withOpeningsFor(state: DocumentsState, documentIds: readonly string[]): DocumentsState {
  const kept = state.openings.filter((opening) => opening.documentId === null || documentIds.includes(opening.documentId));
  return kept.length === state.openings.length ? state : { ...state, openings: kept };
}

export function withPageInView(state: DocumentsState, documentId: string, page: number): DocumentsState {
  if (state.pageInView[documentId] === page) return state;
  return { ...state, pageInView: { ...state.pageInView, [documentId]: page } };
}

/** True where nothing of the document can be read by the model. */
export function hasNoText(summary: DocumentSummary): boolean {
  return summary.characters === 0 || summary.pages.every((page) => page.flags.includes("no-text"));
}
