import { toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { withDownload, withReport } from "./modelStore.ts";

export type DownloadActions = {
  /** Downloads a model of the catalogue, or goes on with it; main asks first. @returns when it has ended, in whatever way */
  readonly start: (id: string) => Promise<void>;
  /** Keeps what has arrived. */
  readonly pause: (id: string) => void;
  /** Stops it where it runs, and deletes what has arrived. */
  readonly discard: (id: string) => Promise<void>;
};

/** @param refresh lists what is there now */
export function createDownloadActions({ engine, stores }: ActionContext, refresh: () => Promise<void>): DownloadActions {
  const store = stores.model;
  const running = new Map<string, AbortController>();

  return {
    async start(id) {
      if (running.has(id)) return;
      const controller = new AbortController();
      running.set(id, controller);
      store.setState((state) => withDownload(state, id, { running: true, progress: null, problem: null }));
      const isOurs = () => running.get(id) === controller;
      try {
        const report = await engine(
          "downloadModel",
          { id },
          {
            signal: controller.signal,
            onEvent: (event) => {
              if (event.event !== "progress" || !isOurs()) return;
              store.setState((state) => withDownload(state, id, { running: true, progress: event, problem: null }));
            },
          },
        );
        store.setState((state) => ({ ...withReport(withDownload(state, id, null), report), chosen: report.path }));
      } catch (error) {
        const problem = toProblem(error);
        // Paused, or not agreed to: no problem.
        const shown = problem.code === "cancelled" ? null : problem;
        if (isOurs()) {
          store.setState((state) => withDownload(state, id, shown === null ? null : { running: false, progress: null, problem: shown }));
        }
      }
      if (isOurs()) running.delete(id);
      await refresh();
    },
    pause(id) {
      running.get(id)?.abort();
    },
    async discard(id) {
      running.get(id)?.abort();
      running.delete(id);
      try {
        await engine("discardDownload", { id });
      } catch (error) {
        reportProblem(stores, error);
      }
      store.setState((state) => withDownload(state, id, null));
      await refresh();
    },
  };
}
