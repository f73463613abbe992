import { createStore, type StoreApi } from "zustand/vanilla";
import type { Anchor } from "./pageLayout.ts";
import { defaultZoom, fixedZoom, nextZoom, type Zoom } from "./zoom.ts";

/** A run of a page's text, in UTF-16 units. */
export type PassagePlace = { readonly documentId: string; readonly page: number; readonly start: number; readonly end: number };

export type ViewState = {
  readonly zoom: Zoom;
  /** The scale that is drawn now, whatever the zoom is; 1 is 100 %. */
  readonly scale: number;
  /** Pictures of the pages, or the text that the model reads. */
  readonly kind: "picture" | "text";
  /** Whether the extracted text stands beside the pictures. */
  readonly beside: boolean;
  /** A page to bring into view; a new object for each wish. */
  readonly goTo: { readonly documentId: string; readonly page: number } | null;
  /** A passage that was jumped to, framed until the next jump. */
  readonly flash: PassagePlace | null;
  /** Where the pages of a document were left, by document, and which page was in view then. */
  readonly places: Readonly<Record<string, { readonly anchor: Anchor; readonly page: number }>>;
};
export type ViewStore = StoreApi<ViewState>;

export function createViewStore(): ViewStore {
  return createStore<ViewState>(() => ({
    zoom: defaultZoom,
    scale: 1,
    kind: "picture",
    beside: false,
    goTo: null,
    flash: null,
    places: {},
  }));
}

/** One step larger (1) or smaller (-1) than what is drawn now. */
export function withZoomStep(state: ViewState, direction: 1 | -1): ViewState {
  return { ...state, zoom: fixedZoom(nextZoom(state.scale, direction)) };
}
