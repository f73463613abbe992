import type { EngineRequestOf, EngineResultOf } from "../../electron/contract/engine.ts";
import { type Problem, toProblem } from "../../electron/contract/errors.ts";
import { type ActionContext, reportProblem } from "../app/context.ts";
import { withProblem } from "../shell/shellStore.ts";
import { translate } from "../text/i18n.ts";
import { wordsOf } from "../text/words.ts";
import { fullCacheTokens, withFreed } from "./modelFit.ts";
import { modelToLoad } from "./modelStore.ts";

export type LoadRequest = EngineRequestOf<"loadModel">;

export type ModelActions = {
  readonly listModels: () => Promise<void>;
  /** Loads a model and remembers the choice. @returns true where it answers now. */
  readonly load: (request: LoadRequest) => Promise<boolean>;
  /** Loads a model or a context of another length; all else stays as the settings have it. @returns true where it answers now. */
  readonly loadOtherwise: (request: Pick<LoadRequest, "model" | "contextLength">) => Promise<boolean>;
  /** Loads what the settings name, else the embedded model; that one, with a notice, also where the choice cannot be loaded. */
  readonly loadAtStart: () => Promise<void>;
  readonly about: () => Promise<EngineResultOf<"about"> | null>;
};

export function createModelActions({ engine, shell, stores }: ActionContext, afterLoad: () => Promise<void>): ModelActions {
  const store = stores.model;
  let lastLoad = 0;

  /** @returns whether it answers now, and the problem of a load that failed; neither where a later load has taken over */
  async function load(request: LoadRequest): Promise<{ readonly loaded: boolean; readonly problem: Problem | null }> {
    lastLoad += 1;
    const ticket = lastLoad;
    const report = store.getState().reports.find((known) => known.id === request.model || known.path === request.model);
    const name = report?.name ?? request.model;
    store.setState({ loading: { name, progress: null }, problem: null });
    try {
      const { settings } = stores.shell.getState();
      const fullCache = report === undefined ? null : fullCacheTokens(withFreed(report, store.getState().current), request, settings);
      const current = await engine("loadModel", fullCache === null ? request : { ...request, fullCacheTokens: fullCache }, {
        onEvent: (event) => {
          if (event.event === "progress" && ticket === lastLoad) store.setState({ loading: { name, progress: event } });
        },
      });
      if (ticket !== lastLoad) return { loaded: false, problem: null };
      store.setState({ current, loading: null });
      // It answers now; counting long documents again goes on behind.
      afterLoad().catch((thrown: unknown) => reportProblem(stores, thrown));
      return { loaded: true, problem: null };
    } catch (error) {
      if (ticket !== lastLoad) return { loaded: false, problem: null };
      const problem = toProblem(error);
      // What answers now is the engine's to say: a failed load may have kept the model before.
      const current = problem.code === "engine-died" ? null : await engine("currentModel", {}).catch(() => null);
      // A dead engine has its own banner.
      const shown = problem.code === "engine-died" ? null : problem;
      store.setState({ current, loading: null, problem: shown });
      return { loaded: false, problem: shown };
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

  /** Loads the embedded model after another, or itself with the settings, could not be loaded. The settings keep the choice. */
  async function fallBack(failed: LoadRequest, reason: Problem): Promise<void> {
    const embedded = store.getState().reports.find((report) => report.embedded);
    if (embedded === undefined) return;
    const fallback: LoadRequest = { model: embedded.id, contextLength: null, kvType: "f16", threads: null };
    if (failed.model === embedded.path || failed.model === embedded.id) {
      const { contextLength, kvType, threads, gpuLayers = null } = failed;
      // That was all there is to try.
      if (contextLength === null && kvType === fallback.kvType && threads === null && gpuLayers === null) return;
    }
    if (store.getState().current === null) await load(fallback);
    const { current } = store.getState();
    const name = current?.report.name;
    const shown =
      name === undefined ? reason : { ...reason, message: translate("model.fellBack", { reason: wordsOf(reason), name }), said: undefined };
    stores.shell.setState((state) => withProblem(state, shown));
  }

  async function loadAndRemember(request: LoadRequest): Promise<boolean> {
    const { loaded } = await load(request);
    if (loaded) {
      const { model, contextLength, kvType, threads, gpuLayers = null } = request;
      try {
        const settings = await shell("changeSettings", { model, contextLength, kvType, threads, gpuLayers });
        stores.shell.setState({ settings });
      } catch (error) {
        reportProblem(stores, error);
      }
    }
    return loaded;
  }

  return {
    listModels,
    load: loadAndRemember,
    loadOtherwise({ model, contextLength }) {
      const { current } = store.getState();
      const { settings } = stores.shell.getState();
      // The threads of the loaded model were measured for it: asked for again, they would be pinned.
      const { threads, gpuLayers } = settings;
      return loadAndRemember({ model, contextLength, kvType: current?.kvType ?? settings.kvType, threads, gpuLayers });
    },
    async loadAtStart() {
      const { settings } = stores.shell.getState();
      store.setState({ looking: true });
      await listModels();
      store.setState({ looking: false });
      const model = modelToLoad(settings.model, store.getState().reports);
      if (model === null) return;
      const { contextLength, kvType, threads, gpuLayers } = settings;
      const request: LoadRequest = { model, contextLength, kvType, threads, gpuLayers };
      const { problem } = await load(request);
      if (problem !== null) await fallBack(request, problem);
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
