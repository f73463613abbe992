import { toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { withReport } from "./modelStore.ts";

export type ShelfActions = {
  /** Lists models, files that are none, and the catalogue, as they are now. */
  readonly refresh: () => Promise<void>;
  /** Lets the person choose a GGUF file, and adds it. */
  readonly chooseFile: () => Promise<void>;
  /** Puts GGUF files on the list, each as a reference to its place, and chooses the last one; says what is wrong with those that are none. */
  readonly add: (paths: readonly string[]) => Promise<void>;
  /** Takes a model off the list, and deletes it where it was downloaded. */
  readonly remove: (path: string) => Promise<void>;
};

export function createShelfActions({ engine, shell, stores }: ActionContext): ShelfActions {
  const store = stores.model;
  let lastRefresh = 0;

  async function refresh(): Promise<void> {
    lastRefresh += 1;
    const ticket = lastRefresh;
    try {
      const [reports, unusable, offers] = await Promise.all([
        engine("listModels", {}),
        engine("listUnusableModels", {}),
        engine("listCatalogue", {}),
      ]);
      // An earlier list that comes late lacks what was added meanwhile.
      if (ticket === lastRefresh) store.setState({ reports, unusable, offers });
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  async function add(paths: readonly string[]): Promise<void> {
    store.setState({ problem: null });
    for (const path of paths) {
      try {
        const report = await engine("addModel", { path });
        store.setState((state) => ({ ...withReport(state, report), chosen: report.path }));
      } catch (error) {
        store.setState({ problem: toProblem(error) });
      }
    }
    await refresh();
  }

  return {
    refresh,
    add,
    async chooseFile() {
      try {
        await add(await shell("chooseFiles", { purpose: "model" }));
      } catch (error) {
        store.setState({ problem: toProblem(error) });
      }
    },
    async remove(path) {
      try {
        await engine("removeModel", { path });
        store.setState(({ chosen }) => ({ problem: null, chosen: chosen === path ? null : chosen }));
      } catch (error) {
        store.setState({ problem: toProblem(error) });
      }
      await refresh();
    },
  };
}
