import { createStore, type StoreApi } from "zustand/vanilla";
import type { ProgressEvent } from "../../electron/contract/engine.ts";
import type { Problem } from "../../electron/contract/errors.ts";
import type { LoadedModel, ModelReport } from "../../electron/contract/model.ts";

export type ModelState = {
  readonly reports: readonly ModelReport[];
  readonly current: LoadedModel | null;
  /** A model that is being loaded, with its name. */
  readonly loading: { readonly name: string; readonly progress: ProgressEvent | null } | null;
  /** Why the last try to load one failed. */
  readonly problem: Problem | null;
};
export type ModelStore = StoreApi<ModelState>;

export function createModelStore(): ModelStore {
  return createStore<ModelState>(() => ({ reports: [], current: null, loading: null, problem: null }));
}

/** Lists a model, in place of what was known of the same file. */
export function withReport(state: ModelState, report: ModelReport): ModelState {
  const known = state.reports.some((other) => other.path === report.path);
  return {
    ...state,
    reports: known ? state.reports.map((other) => (other.path === report.path ? report : other)) : [...state.reports, report],
  };
}

/** The model to load at a start: the one that was chosen, else the embedded one, else none. */
export function modelToLoad(chosen: string | null, reports: readonly ModelReport[]): string | null {
  if (chosen !== null) return chosen;
  return reports.find((report) => report.embedded)?.id ?? null;
}
