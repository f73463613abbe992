import type { EngineRequestOf } from "../../electron/contract/engine.ts";
import { toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";

export type SnapshotActions = {
  /** Asks what is stored. */
  readonly refresh: () => Promise<void>;
  /** The same now, and again when what an answer read has had time to be written. */
  readonly refreshAfterAnswer: () => void;
  /** Removes what is stored of a document, or (null) everything. */
  readonly clear: (documentId: string | null) => Promise<void>;
  readonly configure: (change: EngineRequestOf<"configureSnapshots">) => Promise<void>;
  readonly dispose: () => void;
};

/** Milliseconds that writing goes on behind an answer, mostly. */
const writingTime = 4000;

export function createSnapshotActions({ engine, stores }: ActionContext): SnapshotActions {
  const store = stores.snapshots;
  let timer: ReturnType<typeof setTimeout> | null = null;

  async function refresh(): Promise<void> {
    try {
      store.setState({ usage: await engine("snapshotUsage", {}) });
    } catch (error) {
      store.setState({ usage: null });
      // A run that stores nothing has nothing to tell of.
      if (toProblem(error).code !== "not-supported") reportProblem(stores, error);
    }
  }

  function endWait(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  async function change(ask: () => ReturnType<typeof engine<"snapshotUsage">>): Promise<void> {
    try {
      store.setState({ usage: await ask() });
    } catch (error) {
      reportProblem(stores, error);
      await refresh();
    }
  }

  return {
    refresh,
    refreshAfterAnswer() {
      endWait();
      void refresh();
      timer = setTimeout(() => void refresh(), writingTime);
    },
    clear: (documentId) => change(() => engine("clearSnapshots", { documentId })),
    configure: (wanted) => change(() => engine("configureSnapshots", wanted)),
    dispose: endWait,
  };
}
