import type { EngineRequestOf, EngineResultOf } from "../../electron/contract/engine.ts";
import { toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { modelToLoad, withReport } from "./modelStore.ts";

export type LoadRequest = EngineRequestOf<"loadModel">;

export type ModelActions = {
  readonly listModels: () => Promise<void>;
  /** Loads a model and remembers the choice. @returns true where it answers now. */
  readonly load: (request: LoadRequest) => Promise<boolean>;
  /** Loads what the settings name, else the embedded model. */
  readonly loadAtStart: () => Promise<void>;
  /** Lets the person choose a GGUF file and lists it. @returns its path, or null. */
  readonly chooseFile: () => Promise<string | null>;
  readonly about: () => Promise<EngineResultOf<"about"> | null>;
};

export function createModelActions({ engine, shell, stores }: ActionContext, afterLoad: () => Promise<void>): ModelActions {
  const store = stores.model;
  let lastLoad = 0;

  async function load(request: LoadRequest): Promise<boolean> {
    lastLoad += 1;
    const ticket = lastLoad;
    const report = store.getState().reports.find((known) => known.id === request.model || known.path === request.model);
    const name = report?.name ?? request.model;
    store.setState({ loading: { name, progress: null }, problem: null });
    try {
      const current = await engine("loadModel", request, {
        onEvent: (event) => {
          if (event.event === "progress" && ticket === lastLoad) store.setState({ loading: { name, progress: event } });
        },
      });
      if (ticket !== lastLoad) return false;
      store.setState({ current, loading: null });
      await afterLoad();
      return true;
    } catch (error) {
      if (ticket !== lastLoad) return false;
      const problem = toProblem(error);
      // What answers now is the engine's to say: a failed load may have kept the model before.
      const current = problem.code === "engine-died" ? null : await engine("currentModel", {}).catch(() => null);
      store.setState({ current, loading: null, problem: problem.code === "engine-died" ? null : problem });
      return false;
    }
  }

  async function listModels(): Promise<void> {
    try {
      const reports = await engine("listModels", {});
      store.setState({ reports });
    } catch (error) {
      reportProblem(stores, error);
    }
  }

  return {
    listModels,
    async load(request) {
      const loaded = await load(request);
      if (loaded) {
        const { model, contextLength, kvType, threads } = request;
        try {
          const settings = await shell("changeSettings", { model, contextLength, kvType, threads });
          stores.shell.setState({ settings });
        } catch (error) {
          reportProblem(stores, error);
        }
      }
      return loaded;
    },
    async loadAtStart() {
      const { settings } = stores.shell.getState();
      await listModels();
      const model = modelToLoad(settings.model, store.getState().reports);
      if (model === null) return;
      await load({ model, contextLength: settings.contextLength, kvType: settings.kvType, threads: settings.threads });
    },
    async chooseFile() {
      try {
        const [path] = await shell("chooseFiles", { purpose: "model" });
        if (path === undefined) return null;
        const report = await engine("inspectModel", { model: path });
        store.setState((state) => withReport({ ...state, problem: null }, report));
        return report.path;
      } catch (error) {
        store.setState({ problem: toProblem(error) });
        return null;
      }
    },
    async about() {
      try {
        return await engine("about", {});
      } catch (error) {
        reportProblem(stores, error);
        return null;
      }
    },
  };
}
