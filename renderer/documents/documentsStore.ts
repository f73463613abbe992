import { createStore, type StoreApi } from "zustand/vanilla";
import type { DocumentOutline, DocumentSummary, LibraryEntry } from "../../electron/contract/document.ts";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import type { Problem } from "../../electron/contract/errors.ts";

/** A file on its way in: being read, waiting for its password, or refused with a sentence. */
export type Opening = {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  /** The document that a conversation expects here; null for a file that is opened for the first time. */
  readonly documentId: string | null;
  /** The conversation that it will belong to, chosen when the opening starts. */
  readonly conversationId: string;
  readonly status: "reading" | "locked" | "failed";
  readonly progress: ProgressEvent | null;
  /** Its pages while their text is read; null before they are known, and for what has no pages of its own. */
  readonly outline: DocumentOutline | null;
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
  /** Documents whose pictures are being read, by id. */
  readonly recognising: Readonly<Record<string, { readonly progress: ProgressEvent | null }>>;
  /** A document whose tokens are counted again for a newly loaded model. */
  readonly recounting: { readonly name: string; readonly progress: ProgressEvent | null } | null;
};

export type DocumentsStore = StoreApi<DocumentsState>;

export function createDocumentsStore(): DocumentsStore {
  return createStore<DocumentsState>(() => ({
    library: [],
    open: {},
    openings: [],
    shownId: null,
    pageInView: {},
    recognising: {},
    recounting: null,
  }));
}

/** The last part of a path of any system. */
export function nameOfPath(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** A file starts to be read for a conversation; earlier tries of the same path that came to nothing are replaced. */
export function withOpening(
  state: DocumentsState,
  key: string,
  path: string,
  documentId: string | null,
  conversationId: string,
): DocumentsState {
  const name = nameOfPath(path);
  const opening: Opening = { key, path, name, documentId, conversationId, status: "reading", progress: null, outline: null, problem: null };
  const others = state.openings.filter((other) => other.key !== key && (other.path !== path || other.status === "reading"));
  return { ...state, openings: [...others, opening] };
}

export function withOpeningChanged(
  state: DocumentsState,
  key: string,
  change: Partial<Pick<Opening, "path" | "status" | "progress" | "outline" | "problem">>,
): DocumentsState {
  return { ...state, openings: state.openings.map((opening) => (opening.key === key ? { ...opening, ...change } : opening)) };
}

export function withoutOpening(state: DocumentsState, key: string): DocumentsState {
  return { ...state, openings: state.openings.filter((opening) => opening.key !== key) };
}

/** A file was read: its summary is known, and no failed try of it is left. Its own opening stays until the document has joined. */
export function withDocument(state: DocumentsState, summary: DocumentSummary): DocumentsState {
  return {
    ...state,
    open: { ...state.open, [summary.id]: summary },
    openings: state.openings.filter((opening) => opening.documentId !== summary.id || opening.status === "reading"),
  };
}

export function withRecognition(state: DocumentsState, documentId: string, progress: ProgressEvent | null): DocumentsState {
  return { ...state, recognising: { ...state.recognising, [documentId]: { progress } } };
}

export function withoutRecognition(state: DocumentsState, documentId: string): DocumentsState {
  const { [documentId]: _ended, ...recognising } = state.recognising;
  return { ...state, recognising };
}

/** What a conversation still expects of a document, or what failed there, in the order of the openings. */
export function openingsOf(openings: readonly Opening[], conversationId: string | null): readonly Opening[] {
  return openings.filter((opening) => opening.conversationId === conversationId);
}

/** A file on its way into a conversation that keeps questions waiting, or null: one that is read before one that is locked. */
export function pendingOpening(openings: readonly Opening[], conversationId: string | null): "reading" | "locked" | null {
  const states = openingsOf(openings, conversationId).map((opening) => opening.status);
  if (states.includes("reading")) return "reading";
  return states.includes("locked") ? "locked" : null;
}

/** A conversation is gone, and with it what was on its way into it. */
export function withoutOpeningsOf(state: DocumentsState, conversationId: string): DocumentsState {
  const kept = state.openings.filter((opening) => opening.conversationId !== conversationId);
  return kept.length === state.openings.length ? state : { ...state, openings: kept };
}

/** What could not be opened for one conversation is said in another. */
export function withFailuresMoved(state: DocumentsState, from: string, to: string): DocumentsState {
  return {
    ...state,
    openings: state.openings.map((opening) =>
      opening.conversationId === from && opening.status === "failed" ? { ...opening, conversationId: to } : opening,
    ),
  };
}

export function withPageInView(state: DocumentsState, documentId: string, page: number): DocumentsState {
  if (state.pageInView[documentId] === page) return state;
  return { ...state, pageInView: { ...state.pageInView, [documentId]: page } };
}

/** What a document must be known by so that its pages are shown. */
export type ShownDocument = Pick<DocumentSummary, "id" | "name" | "kind" | "pages">;

/** The pages of a file that is being read for a conversation, to be looked at meanwhile, where no other document has the place; or null. */
export function comingOutline({ shownId, open, openings }: DocumentsState, conversationId: string | null): DocumentOutline | null {
  if (shownId !== null && open[shownId] !== undefined) return null;
  for (const { status, documentId, outline } of openingsOf(openings, conversationId)) {
    if (status !== "reading" || outline === null) continue;
    // Expected, and another by now: it is about to be refused.
    if (documentId !== null && documentId !== outline.id) continue;
    if (shownId === null || shownId === outline.id) return outline;
  }
  return null;
}

/** A document of which no more is known than its pages. */
export function shownOutline({ id, name, pages }: DocumentOutline): ShownDocument {
  return { id, name, kind: "pdf", pages: pages.map((page) => ({ ...page, characters: 0, flags: [], tokens: null })) };
}

/** True where nothing of the document can be read by the model. */
export function hasNoText(summary: DocumentSummary): boolean {
  return summary.characters === 0 || summary.pages.every((page) => page.flags.includes("no-text"));
}
