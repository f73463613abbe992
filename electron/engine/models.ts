import { readdir } from "node:fs/promises";
import { basename, isAbsolute, join, resolve } from "node:path";
import { LongsightError } from "../contract/errors.ts";
import type { ModelReport } from "../contract/model.ts";
import { defaultContext, judgeFit } from "./llama/fit.ts";
import { type GgufHeader, readHeader } from "./llama/gguf.ts";
import type { Machine } from "./machine.ts";

/** The models that come with Longsight, by file name. The first that is there is the default. Their files name themselves badly. */
const embedded: readonly { id: string; file: string; name: string }[] = [
  { id: "smollm2-135m-instruct", file: "SmolLM2-135M-Instruct.Q8_0.gguf", name: "SmolLM2 135M Instruct" },
];

/** What set-up makes the embedded model from: nothing to choose. */
const ingredients: readonly string[] = ["SmolLM2-135M-Instruct.Q4_1.gguf"];

type ModelFile = { readonly id: string; readonly path: string; readonly embedded: boolean; readonly name: string | undefined };

/** The id of a model that is known by its file alone. */
function idOf(fileName: string): string {
  return fileName.replace(/\.gguf$/i, "").toLowerCase();
}

async function headerOf(file: ModelFile): Promise<GgufHeader> {
  const header = await readHeader(file.path);
  return file.name === undefined ? header : { ...header, name: file.name };
}

/** Finds models by id or path in the folders that set-up and packaging fill. */
export type ModelShelf = {
  list(machine: Machine): Promise<ModelReport[]>;
  /** @throws LongsightError `model-missing` with the ids there are */
  find(model: string): Promise<{ id: string; embedded: boolean; header: GgufHeader }>;
};

export function createModelShelf(folders: readonly string[]): ModelShelf {
  const files = async (): Promise<ModelFile[]> => {
    const found: ModelFile[] = [];
    for (const folder of folders) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((entry) => entry.toLowerCase().endsWith(".gguf")).sort()) {
        if (ingredients.includes(name)) continue;
        const known = embedded.find((model) => model.file === name);
        const id = known?.id ?? idOf(name);
        if (!found.some((model) => model.id === id))
          found.push({ id, path: join(folder, name), embedded: known !== undefined, name: known?.name });
      }
    }
    const order = (id: string) => {
      const place = embedded.findIndex((model) => model.id === id);
      return place < 0 ? embedded.length : place;
    };
    return found.sort((a, b) => order(a.id) - order(b.id));
  };
  return {
    async list(machine) {
      const reports: ModelReport[] = [];
      for (const file of await files()) {
        const header = await headerOf(file).catch(() => null);
        if (header !== null) reports.push(reportOf(file.id, file.embedded, header, machine));
      }
      return reports;
    },
    async find(model) {
      const all = await files();
      const known = all.find((file) => file.id === model);
      if (known !== undefined) return { id: known.id, embedded: known.embedded, header: await headerOf(known) };
      const looksLikePath = isAbsolute(model) || /[\\/]|\.gguf$/i.test(model);
      if (!looksLikePath) {
        throw new LongsightError(
          "model-missing",
          `There is no model “${model}”. ${all.length === 0 ? "No model is installed: run `npm start` once, or give the path of a GGUF file." : `Installed: ${all.map((file) => file.id).join(", ")}. Or give the path of a GGUF file.`}`,
        );
      }
      const path = resolve(model);
      const same = all.find((file) => file.path === path);
      if (same !== undefined) return { id: same.id, embedded: same.embedded, header: await headerOf(same) };
      return { id: idOf(basename(path)), embedded: false, header: await readHeader(path) };
    },
  };
}

/** What the window and the command line show of a model, judged at its default context in f16. */
export function reportOf(id: string, isEmbedded: boolean, header: GgufHeader, machine: Machine): ModelReport {
  const { headBytes: _bytes, slidingWindow: _window, longRope: _rope, chatTemplate, ...shown } = header;
  const contextLength = defaultContext(header, "f16", machine.freeMemoryBytes);
  return {
    id,
    ...shown,
    hasChatTemplate: chatTemplate !== null,
    embedded: isEmbedded,
    fit: judgeFit(header, contextLength, "f16", machine.freeMemoryBytes),
  };
}
