import { createStore, type StoreApi } from "zustand/vanilla";
import type { Problem } from "../../electron/contract/errors.ts";
import { type EngineState, type Settings, settingsSchema } from "../../electron/contract/shell.ts";

export type DialogName = "settings" | "model" | "about" | "shortcuts" | "fit" | "export" | "compare";

/** A problem that belongs to no document and no answer, shown until it is closed. */
export type ShownProblem = { readonly id: number; readonly problem: Problem };

export type ShellState = {
  readonly settings: Settings;
  readonly engine: EngineState;
  readonly dialog: DialogName | null;
  /** The library beside the pages, in a wide window. */
  readonly libraryShown: boolean;
  /** The library over the pages, in a narrow one. */
  readonly drawerShown: boolean;
  /** What is shown beside the pages. */
  readonly side: "conversation" | "inspector";
  /** The hint of the tour that is shown, from 0; null where none is. */
  readonly tour: number | null;
  /** Where the sample document lies; null while that is not known, or where it is missing. */
  readonly samplePath: string | null;
  readonly problems: readonly ShownProblem[];
};

export type ShellStore = StoreApi<ShellState>;

export function createShellStore(): ShellStore {
  return createStore<ShellState>(() => ({
    settings: settingsSchema.parse({}),
    engine: { state: "starting" },
    dialog: null,
    libraryShown: true,
    drawerShown: false,
    side: "conversation",
    tour: null,
    samplePath: null,
    problems: [],
  }));
}

/** Adds a problem; the same sentence is not shown twice. */
export function withProblem(state: ShellState, problem: Problem): ShellState {
  if (state.problems.some((shown) => shown.problem.message === problem.message)) return state;
  const id = 1 + state.problems.reduce((highest, shown) => Math.max(highest, shown.id), 0);
  return { ...state, problems: [...state.problems, { id, problem }] };
}

export function withoutProblem(state: ShellState, id: number): ShellState {
  return { ...state, problems: state.problems.filter((shown) => shown.id !== id) };
}
