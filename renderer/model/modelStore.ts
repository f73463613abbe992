import { createStore, type StoreApi } from "zustand/vanilla";
import type { OfferedModel } from "../../electron/contract/catalogue.ts";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import type { Problem } from "../../electron/contract/errors.ts";
import type { LoadedModel, ModelReport, UnusableModel } from "../../electron/contract/model.ts";

/** A download since it was begun here, by the model's id in the catalogue. */
export type DownloadState = {
  readonly running: boolean;
  readonly progress: ProgressEvent | null;
  /** Why it ended before its end; null where it was paused. */
  readonly problem: Problem | null;
};

export type ModelState = {
  readonly reports: readonly ModelReport[];
  readonly current: LoadedModel | null;
  /** A model that is being loaded, with its name. */
  readonly loading: { readonly name: string; readonly progress: ProgressEvent | null } | null;
  /** True while a start has not found out yet which one to load. */
  readonly looking: boolean;
  /** Why the last try to load one failed. */
  readonly problem: Problem | null;
  /** Files on the list that cannot be used. */
  readonly unusable: readonly UnusableModel[];
  /** The catalogue. */
  readonly offers: readonly OfferedModel[];
  readonly downloads: Readonly<Record<string, DownloadState>>;
  /** Path of the model that is chosen to be loaded; null: the one that answers. */
  readonly chosen: string | null;
};
export type ModelStore = StoreApi<ModelState>;

export function createModelStore(): ModelStore {
  return createStore<ModelState>(() => ({
    reports: [],
    current: null,
    loading: null,
    looking: false,
    problem: null,
    unusable: [],
    offers: [],
    downloads: {},
    chosen: null,
  }));
}

/** Lists a model, in place of what was known of the same file. */
export function withReport(state: ModelState, report: ModelReport): ModelState {
  const known = state.reports.some((other) => other.path === report.path);
  return {
    ...state,
    reports: known ? state.reports.map((other) => (other.path === report.path ? report : other)) : [...state.reports, report],
  };
}

/** Notes how a download stands; `null` forgets it. */
export function withDownload(state: ModelState, id: string, download: DownloadState | null): ModelState {
  const { [id]: _before, ...others } = state.downloads;
  return { ...state, downloads: download === null ? others : { ...others, [id]: download } };
}

/** The model to load at a start: the one that was chosen, else the embedded one, else none. */
export function modelToLoad(chosen: string | null, reports: readonly ModelReport[]): string | null {
  if (chosen !== null) return chosen;
  return reports.find((report) => report.embedded)?.id ?? null;
}
