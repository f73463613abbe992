import { readdir, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { LongsightError, type Problem, toProblem } from "../contract/errors.ts";
import { defaultContext } from "../contract/fit.ts";
import type { ModelOrigin, ModelReport, ModuleFacts, UnusableModel } from "../contract/model.ts";
import { say } from "../contract/said.ts";
import { type AddedModels, openAddedModels } from "./addedModels.ts";
import { judgeFit } from "./llama/fit.ts";
import { type GgufHeader, readHeader } from "./llama/gguf.ts";
import type { Machine } from "./machine.ts";

/** The models that come with Longsight, by file name. The first that is there is the default. Their files name themselves badly. */
const embedded: readonly { id: string; file: string; name: string }[] = [
  { id: "smollm2-135m-instruct", file: "SmolLM2-135M-Instruct.Q8_0.gguf", name: "SmolLM2 135M Instruct" },
];

/** What set-up makes the embedded model from: nothing to choose. */
const ingredients: readonly string[] = ["SmolLM2-135M-Instruct.Q4_1.gguf"];

type ModelFile = {
  readonly id: string;
  readonly path: string;
  readonly embedded: boolean;
  readonly name: string | undefined;
  readonly origin: ModelOrigin;
};

/** A model's header with how it is known here. */
export type FoundModel = Pick<ModelFile, "id" | "embedded" | "origin"> & { readonly header: GgufHeader };

/** The id of a model that is known by its file alone. */
function idOf(fileName: string): string {
  return fileName.replace(/\.gguf$/i, "").toLowerCase();
}

async function headerOf(file: ModelFile): Promise<GgufHeader> {
  const header = await readHeader(file.path);
  return file.name === undefined ? header : { ...header, name: file.name };
}

/** Finds models by id or path: in the folders that set-up and packaging fill, among the downloads, and where a person's own lie. */
export type ModelShelf = {
  list(machine: Machine): Promise<ModelReport[]>;
  /** Files on the list that are no models, or of kinds that cannot be run, or gone, each with what is wrong and what to do. */
  listUnusable(): Promise<UnusableModel[]>;
  /** @throws LongsightError `model-missing` with the ids there are */
  find(model: string): Promise<FoundModel>;
  report(found: FoundModel, machine: Machine): Promise<ModelReport>;
  /**
   * Puts a model on the list as a reference: its file stays where it is.
   * @throws LongsightError saying what is wrong with the file
   */
  add(path: string): Promise<FoundModel>;
  /**
   * Takes a model off the list; a file that was downloaded is deleted, one that was added stays where it is.
   * @throws LongsightError `not-supported` for what is on no list, or came with Longsight
   */
  remove(path: string): Promise<void>;
};

/** What is needed to load a model by what it is called. */
export type ModelFinder = Pick<ModelShelf, "find">;

export type ShelfOptions = {
  /** Where models from the catalogue are kept; null for nowhere. */
  readonly downloads?: string | null;
  readonly added?: AddedModels;
  /** The lookahead module that would be loaded with a model. */
  readonly moduleFor?: (model: GgufHeader) => Promise<ModuleFacts | null>;
  /** Refuses kinds of models that cannot be run. */
  readonly checkKind?: (model: GgufHeader) => Promise<void>;
};

/** @param folders looked through in this order; a missing one is an empty one */
export function createModelShelf(folders: readonly string[], options: ShelfOptions = {}): ModelShelf {
  const { downloads = null, added = openAddedModels(null), moduleFor = async () => null, checkKind = async () => undefined } = options;

  const files = async (): Promise<ModelFile[]> => {
    const found: ModelFile[] = [];
    const put = (path: string, origin: ModelOrigin) => {
      if (found.some((model) => model.path === path)) return;
      const name = basename(path);
      const known = origin === "installed" ? embedded.find((model) => model.file === name) : undefined;
      const id = known?.id ?? idOf(name);
      const taken = found.some((model) => model.id === id);
      // On two shelves it is one model; elsewhere a file of the same name may be quite another one.
      if (taken && origin === "installed") return;
      found.push({ id: taken ? path : id, path, embedded: known !== undefined, name: known?.name, origin });
    };
    for (const folder of folders) {
      for (const name of await ggufsIn(folder)) if (!ingredients.includes(name)) put(join(folder, name), "installed");
    }
    if (downloads !== null) for (const name of await ggufsIn(downloads)) put(join(downloads, name), "downloaded");
    for (const path of await added.paths()) put(path, "added");
    const order = (id: string) => {
      const place = embedded.findIndex((model) => model.id === id);
      return place < 0 ? embedded.length : place;
    };
    return found.sort((a, b) => order(a.id) - order(b.id));
  };

  /** Without the native part nothing can be told of a kind, which is no fault of the file. */
  const refuseKind = async (header: GgufHeader): Promise<void> => {
    await checkKind(header).catch((error: unknown) => {
      if (error instanceof LongsightError && error.code === "model-unsupported") throw error;
    });
  };

  /** Each file of the list, with its header or what is wrong with it. */
  const readAll = async () => {
    const read: ({ file: ModelFile; header: GgufHeader } | { file: ModelFile; error: unknown })[] = [];
    for (const file of await files()) {
      try {
        const header = await headerOf(file);
        await refuseKind(header);
        read.push({ file, header });
      } catch (error) {
        read.push({ file, error });
      }
    }
    return read;
  };

  const report = async ({ id, embedded: isEmbedded, origin, header }: FoundModel, machine: Machine): Promise<ModelReport> =>
    reportOf({ id, embedded: isEmbedded, origin, header }, machine, await moduleFor(header).catch(() => null));

  return {
    report,
    async list(machine) {
      const reports: ModelReport[] = [];
      for (const read of await readAll()) if ("header" in read) reports.push(await report({ ...read.file, header: read.header }, machine));
      return reports;
    },
    async listUnusable() {
      const unusable: UnusableModel[] = [];
      for (const read of await readAll()) {
        if ("header" in read) continue;
        const { path, origin } = read.file;
        unusable.push({ path, name: basename(path), origin, problem: goneOr(toProblem(read.error), path) });
      }
      return unusable;
    },
    async find(model) {
      const all = await files();
      const known = all.find((file) => file.id === model);
      if (known !== undefined) return { ...known, header: await headerOf(known) };
      const looksLikePath = isAbsolute(model) || /[\\/]|\.gguf$/i.test(model);
      if (!looksLikePath) {
        const models = all.map((file) => file.id);
        const message = models.length === 0 ? say("noSuchModelNone", { model }) : say("noSuchModel", { model, models });
        throw new LongsightError("model-missing", message);
      }
      const path = resolve(model);
      const same = all.find((file) => file.path === path);
      if (same !== undefined) return { ...same, header: await headerOf(same) };
      return { id: idOf(basename(path)), embedded: false, origin: "none", header: await readHeader(path) };
    },
    async add(path) {
      const absolute = resolve(path);
      const header = await readHeader(absolute);
      await refuseKind(header);
      const listed = async () => (await files()).find((file) => file.path === absolute);
      if ((await listed()) === undefined) await added.add(absolute);
      const file = await listed();
      return file === undefined
        ? { id: idOf(basename(absolute)), embedded: false, origin: "none", header }
        : { ...file, header: await headerOf(file) };
    },
    async remove(path) {
      const file = (await files()).find((one) => one.path === path);
      if (file?.origin === "added") return added.remove(path);
      if (file?.origin === "downloaded" && downloads !== null && dirname(path) === downloads) {
        return rm(path, { force: true }).catch((error: unknown) => {
          throw new LongsightError("storage", say("modelNotDeleted", { path }), String(error));
        });
      }
      throw new LongsightError("not-supported", say("modelNotRemovable", { file: basename(path) }), path);
    },
  };
}

/** A file that was on the list and is gone: there is more to do than for one that was never there. */
function goneOr(problem: Problem, path: string): Problem {
  if (problem.code !== "model-missing") return problem;
  return { ...problem, ...say("modelFileGone", { file: basename(path), folder: dirname(path) }) };
}

async function ggufsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((entry) => entry.toLowerCase().endsWith(".gguf")).sort();
}

/** What the window and the command line show of a model, judged at its default context in f16. */
export function reportOf(
  { id, embedded: isEmbedded, origin, header }: FoundModel,
  machine: Machine,
  lookahead: ModuleFacts | null,
): ModelReport {
  const { headBytes: _bytes, slidingWindow: _window, longRope: _rope, chatTemplate, ...shown } = header;
  const contextLength = defaultContext(header, "f16", machine.freeMemoryBytes);
  return {
    id,
    ...shown,
    hasChatTemplate: chatTemplate !== null,
    embedded: isEmbedded,
    origin,
    lookahead,
    fit: judgeFit(header, contextLength, "f16", machine.freeMemoryBytes),
  };
}
