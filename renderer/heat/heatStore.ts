import { createStore, type StoreApi } from "zustand/vanilla";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import type { Problem } from "../../electron/contract/errors.ts";
import type { Importance, LayerHead } from "../../electron/contract/heatmap.ts";
import type { KeptPreview } from "../../electron/contract/kept.ts";
import type { Message } from "../../electron/contract/said.ts";
import type { Granularity, Unit } from "../../electron/contract/units.ts";
import type { HeatIndex, HeatScale } from "./heatIndex.ts";

/** What is laid over the pages: nothing, how important each word is, or which are kept at this budget and which are not. */
export const heatViews = ["off", "importance", "kept"] as const;
export type HeatView = (typeof heatViews)[number];

/** How the heat is shown. */
export type HeatChoice = {
  readonly view: HeatView;
  readonly scale: HeatScale;
  readonly granularity: Granularity;
  /** The one layer and head that is looked at; null for all. */
  readonly layerHead: LayerHead | null;
};

/** A unit under the pointer or the keyboard's mark. */
export type Pointed = { readonly documentId: string; readonly page: number; readonly unit: Unit; readonly text: string };

/** What is known of the last answer's prompt. */
export type HeatSubject =
  /** Nothing was asked here, or no model is loaded. */
  | { readonly status: "none" }
  | { readonly status: "loading" }
  /** It would have to be scored first. */
  | { readonly status: "missing"; readonly reason: Message }
  | { readonly status: "reading"; readonly progress: ProgressEvent | null }
  | { readonly status: "failed"; readonly problem: Problem }
  | { readonly status: "ready"; readonly importance: Importance; readonly index: HeatIndex };

export type HeatState = HeatChoice & {
  readonly subject: HeatSubject;
  /** What another budget would keep, while the slider is dragged. */
  readonly preview: KeptPreview | null;
  /** Bytes of the cache that a budget keeps of the last prompt; null where no such cache was measured. The last one that was asked about. */
  readonly size: { readonly budget: number; readonly bytes: number | null } | null;
  readonly pointed: Pointed | null;
};
export type HeatStore = StoreApi<HeatState>;

export function createHeatStore(): HeatStore {
  return createStore<HeatState>(() => ({
    view: "importance",
    scale: "rank",
    granularity: "word",
    layerHead: null,
    subject: { status: "none" },
    preview: null,
    size: null,
    pointed: null,
  }));
}

/** In how many of how many layer-heads each token is kept now: at the budget under the slider, or the one that is chosen. */
export function keptNow({
  subject,
  preview,
  layerHead,
}: Pick<HeatState, "subject" | "preview" | "layerHead">): { readonly kept: Uint16Array; readonly layerHeads: number } | null {
  if (subject.status !== "ready") return null;
  const { kept, layers, heads, promptTokens } = subject.importance;
  // A preview tells of all heads together.
  if (preview !== null && layerHead === null && preview.promptTokens === promptTokens)
    return { kept: preview.kept, layerHeads: layers * heads };
  return { kept, layerHeads: layerHead === null ? layers * heads : 1 };
}
