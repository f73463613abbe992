import { join } from "node:path";
import type { CatalogueModel, OfferedModel } from "../../contract/catalogue.ts";
import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { CallOptions } from "../callOptions.ts";
import type { Catalogue } from "./catalogue.ts";
import { download } from "./download.ts";
import { bytesOf, dropPart, partOf } from "./partFile.ts";

/** The models of the catalogue, and those of them that are here or on their way. */
export type Downloads = {
  list(): Promise<OfferedModel[]>;
  /**
   * Downloads a model, or goes on with what was paused.
   * @returns its path
   * @throws LongsightError see {@link download}; `not-supported` where it is on its way already
   */
  get(id: string, call: CallOptions): Promise<string>;
  /** Deletes what is there of a download that was not finished. @throws LongsightError `not-supported` while it is on its way */
  discard(id: string): Promise<void>;
};

type Running = { readonly signal: AbortSignal; readonly end: Promise<unknown> };

/** @param folder where the models are kept; null: nothing can be downloaded in this run */
export function createDownloads(catalogue: Catalogue, folder: string | null): Downloads {
  const running = new Map<string, Running>();

  /** The model, once nothing is done to its file any more: one that was paused may still be closing it. */
  const atRest = async (id: string): Promise<{ model: CatalogueModel; folder: string }> => {
    const model = catalogue.models.find((one) => one.id === id);
    if (model === undefined) throw new LongsightError("model-missing", say("notInCatalogue", { model: id }));
    if (folder === null) throw new LongsightError("not-supported", say("noDownloads"));
    for (let before = running.get(id); before !== undefined; before = running.get(id)) {
      if (!before.signal.aborted) {
        throw new LongsightError("not-supported", say("downloadRunning", { model: model.name }));
      }
      await before.end;
    }
    return { model, folder };
  };

  return {
    async list() {
      if (folder === null) return [];
      return Promise.all(
        catalogue.models.map(async (model) => {
          const path = join(folder, model.file);
          const whole = (await bytesOf(path)) === model.bytes;
          return { ...model, partBytes: whole ? 0 : await bytesOf(partOf(path)), path: whole ? path : null };
        }),
      );
    },
    async get(id, { signal, emit }) {
      const wanted = await atRest(id);
      const work = download(wanted.model, { catalogue, folder: wanted.folder, signal, emit });
      const end = work.catch(() => undefined).then(() => running.delete(id));
      running.set(id, { signal, end });
      return work;
    },
    async discard(id) {
      const wanted = await atRest(id);
      await dropPart(join(wanted.folder, wanted.model.file));
    },
  };
}
