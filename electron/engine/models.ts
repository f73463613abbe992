import { readdir } from "node:fs/promises";
import { basename, isAbsolute, join, resolve } from "node:path";
import { LongsightError } from "../contract/errors.ts";
import type { ModelReport } from "../contract/model.ts";
import { defaultContext, judgeFit } from "./llama/fit.ts";
import { type GgufHeader, readHeader } from "./llama/gguf.ts";
import type { Machine } from "./machine.ts";

/** Ids of the models that come with Longsight, by file name. The first that is there is the default. */
const embedded: readonly { id: string; file: string }[] = [
  { id: "smollm2-135m-instruct", file: "SmolLM2-135M-Instruct.Q8_0.gguf" },
  { id: "smollm2-135m-instruct-q4_1", file: "SmolLM2-135M-Instruct.Q4_1.gguf" },
];

/** Finds models by id or path in the folders that set-up and packaging fill. */
export type ModelShelf = {
  list(machine: Machine): Promise<ModelReport[]>;
  /** @throws LongsightError `model-missing` with the ids there are */
  find(model: string): Promise<{ id: string; embedded: boolean; header: GgufHeader }>;
};

export function createModelShelf(folders: readonly string[]): ModelShelf {
  const files = async (): Promise<{ id: string; path: string; embedded: boolean }[]> => {
    const found: { id: string; path: string; embedded: boolean }[] = [];
    for (const folder of folders) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((entry) => entry.toLowerCase().endsWith(".gguf")).sort()) {
        const known = embedded.find((model) => model.file === name);
        const id = known?.id ?? name.replace(/\.gguf$/i, "").toLowerCase();
        if (!found.some((model) => model.id === id)) found.push({ id, path: join(folder, name), embedded: known !== undefined });
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
        const header = await readHeader(file.path).catch(() => null);
        if (header !== null) reports.push(reportOf(file.id, file.embedded, header, machine));
      }
      return reports;
    },
    async find(model) {
      const all = await files();
      const known = all.find((file) => file.id === model);
      if (known !== undefined) return { id: known.id, embedded: known.embedded, header: await readHeader(known.path) };
      const looksLikePath = isAbsolute(model) || /[\\/]|\.gguf$/i.test(model);
      if (!looksLikePath) {
        throw new LongsightError(
          "model-missing",
          `There is no model “${model}”. ${all.length === 0 ? "No model is installed: run `npm start` once, or give the path of a GGUF file." : `Installed: ${all.map((file) => file.id).join(", ")}. Or give the path of a GGUF file.`}`,
        );
      }
      const path = resolve(model);
      const same = all.find((file) => file.path === path);
      return {
        id:
          same?.id ??
          basename(path)
            .replace(/\.gguf$/i, "")
            .toLowerCase(),
        embedded: same?.embedded ?? false,
        header: await readHeader(path),
      };
    },
  };
}

/** What the window and the command line show of a model, judged at its default context in f16. */
export function reportOf(id: string, isEmbedded: boolean, header: GgufHeader, machine: Machine): ModelReport {
  const { slidingWindow: _window, chatTemplate, ...shown } = header;
  const contextLength = defaultContext(header, "f16", machine.freeMemoryBytes);
  return {
    id,
    ...shown,
    hasChatTemplate: chatTemplate !== null,
    embedded: isEmbedded,
    fit: judgeFit(header, contextLength, "f16", machine.freeMemoryBytes),
  };
}
