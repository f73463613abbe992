import { basename, join, resolve } from "node:path";
import { readBaseFacts } from "../../electron/engine/llama/gguf.ts";
import type { Model } from "../../electron/engine/llama/model.ts";
import { loadRuntime } from "../../electron/engine/llama/runtime.ts";
import { checkBase, readLookaheadModule } from "../../electron/engine/lookahead/module.ts";
import { createModuleShelf } from "../../electron/engine/lookahead/moduleShelf.ts";
import type { LoadedModule } from "../../electron/engine/lookahead/plan.ts";
import { createModelShelf } from "../../electron/engine/models.ts";
import { createSession, type Loaded } from "../../electron/engine/session.ts";
import { sha256Of } from "../../scripts/files.mjs";
import { type CommonOptions, UsageError } from "./options.ts";
import type { Tools } from "./tools.ts";

/** A lookahead module under the name that tables have for it. */
export type NamedModule = LoadedModule & { readonly name: string };

/** A model as the app loads it, with the modules that are compared. */
export type BenchModel = {
  readonly loaded: Loaded;
  readonly modules: readonly NamedModule[];
  /** What figures were measured with: files by name and hash, never by path. */
  readonly described: Described;
};

type Described = {
  readonly model: { readonly id: string; readonly file: string; readonly sha256: string };
  readonly modules: readonly Readonly<Record<string, unknown>>[];
  readonly kvType: string;
  readonly threads: number;
  readonly build: string;
};

const knownModels: Readonly<Record<string, string>> = {
  smollm2: "SmolLM2-135M-Instruct.Q8_0.gguf",
  qwen: "Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf",
};

/**
 * Loads what the options name, lets `work` have it, and frees it.
 * @param size.contextLength tokens of the longest prompt and all that is decoded behind it
 * @param size.fullCacheTokens that the full cache may hold, where they are fewer
 * @throws LongsightError for a model or module that cannot be used; UsageError for modules that cannot be told apart
 */
export async function withModel<Result>(
  options: CommonOptions,
  tools: Tools,
  { contextLength, fullCacheTokens = null }: { readonly contextLength: number; readonly fullCacheTokens?: number | null },
  work: (model: BenchModel) => Promise<Result>,
): Promise<Result> {
  const path = await findModel(options.model, tools);
  const session = createSession(createModelShelf([tools.modelsFolder]), createModuleShelf([]));
  try {
    const request = { model: path, contextLength, fullCacheTokens, kvType: "f16", threads: options.threads } as const;
    await session.load(request, new AbortController().signal, () => undefined);
    return await session.use(async (loaded) => {
      const modules = await loadModules(options, tools, loaded.model);
      const { report, threads, kvType } = loaded.description;
      const { build } = await loadRuntime();
      const model = { id: report.id, file: basename(path), sha256: await sha256Of(path) };
      const files = await Promise.all(modules.map(describeModule));
      return work({ loaded, modules, described: { model, modules: files, kvType, threads, build } });
    });
  } finally {
    await session.dispose();
  }
}

/** The file of a model: a known one by its name, fetched where it comes with the app, else a GGUF file. */
export async function findModel(model: string, tools: Tools): Promise<string> {
  if (model === "smollm2") await tools.ensureEmbeddedModel();
  const known = knownModels[model];
  return known === undefined ? resolve(tools.callerFolder, model) : join(tools.modelsFolder, known);
}

async function loadModules(options: CommonOptions, tools: Tools, model: Model): Promise<NamedModule[]> {
  const facts = await readBaseFacts(model.header.path);
  const modules: NamedModule[] = [];
  for (const entry of options.modules) {
    const { name, path } = await findModule(entry, tools, model);
    if (modules.some((other) => other.name === name)) {
      throw new UsageError(`Two modules are called “${name}”: their figures could not be told apart. Rename one of the files.`);
    }
    const module = await readLookaheadModule(path);
    checkBase(module, model.header, facts);
    modules.push({ name, module, adapter: await model.loadAdapter(path) });
  }
  return modules;
}

/** The file that an entry of `--modules` means, and what tables call it. @throws UsageError where no module is shipped for the model */
async function findModule(entry: string, tools: Tools, model: Model): Promise<{ name: string; path: string }> {
  if (entry === "untrained") return { name: entry, path: await tools.ensureUntrainedModule(model.header.path) };
  if (entry === "shipped") {
    const { module } = await createModuleShelf([tools.modulesFolder]).findFor(model.header);
    if (module === null)
      throw new UsageError(`The app comes with no lookahead module for “${model.header.name}”. Name another with --modules.`);
    return { name: "lookahead", path: module.path };
  }
  const path = resolve(tools.callerFolder, entry);
  return { name: basename(path).replace(/\.gguf$/i, ""), path };
}

async function describeModule({ name, module }: NamedModule) {
  const { tokens, poolKernel, rank, alpha, training } = module;
  return { name, sha256: await sha256Of(module.path), tokens, poolKernel, rank, alpha, training };
}
