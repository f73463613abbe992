import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { LongsightError, type Problem, toProblem } from "../../contract/errors.ts";
import { type BaseFacts, type GgufHeader, readBaseFacts } from "../llama/gguf.ts";
import { checkBase, type LookaheadModule, loadModule, type ModuleFile, readModuleFile } from "./module.ts";

/** The module for a model, and why files that could have been it are not. */
export type FoundModule = { readonly module: LookaheadModule | null; readonly refused: readonly Problem[] };

/** Finds lookahead modules in the folders where they are kept. */
export type ModuleShelf = {
  /**
   * The module that was made for this model: a trained one before one that is not, then the one that learned longer. Damaged modules
   * are skipped and reported; those of other models are only skipped, unless they bear this model's name.
   * @throws LongsightError `model-invalid` where the model's own file can no longer be read
   */
  findFor(model: GgufHeader): Promise<FoundModule>;
};

/** @param folders looked through in this order; a missing one is an empty one */
export function createModuleShelf(folders: readonly string[]): ModuleShelf {
  const readHeader = rememberByFile(readModuleFile);
  const load = rememberByFile(async (path: string): Promise<LookaheadModule | null> => {
    const file = await readHeader(path);
    return file === null ? null : loadModule(file);
  });
  const factsOf = rememberByFile(readBaseFacts);

  /** Sound modules for this model, the best first; what is wrong with others goes into `refused`. */
  async function candidates(model: GgufHeader, refused: Problem[]): Promise<ModuleFile[]> {
    const fitting: ModuleFile[] = [];
    let facts: BaseFacts | undefined;
    for (const path of await ggufsIn(folders)) {
      const file = await orRefused(readHeader(path), refused);
      // The facts take the longest to read, so they are read only where a module is of the model's kind and size.
      if (file === null || !(hasSizesOf(file, model) || isNamed(file, model))) continue;
      facts ??= await factsOf(model.path);
      try {
        checkBase(file, model, facts);
        fitting.push(file);
      } catch (error) {
        if (isNamed(file, model)) refused.push(toProblem(error));
      }
    }
    return fitting.sort((one, other) => other.training.steps - one.training.steps);
  }

  return {
    async findFor(model) {
      const refused: Problem[] = [];
      for (const { path } of await candidates(model, refused)) {
        const module = await orRefused(load(path), refused);
        if (module !== null) return { module, refused };
      }
      return { module: null, refused };
    },
  };
}

async function ggufsIn(folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((entry) => entry.toLowerCase().endsWith(".gguf")).sort()) found.push(join(folder, name));
  }
  return found;
}

const hasSizesOf = ({ base }: ModuleFile, model: GgufHeader) =>
  base.architecture === model.architecture &&
  base.layers === model.layers &&
  base.embeddingWidth === model.embeddingWidth &&
  base.attentionHeads === model.attentionHeads &&
  base.kvHeads === model.kvHeads;

const isNamed = ({ base }: ModuleFile, model: GgufHeader) => base.name.toLowerCase() === model.name.toLowerCase();

/** What a module's file resolves to; a file that is at fault is noted and counts as none. */
async function orRefused<Value>(reading: Promise<Value | null>, refused: Problem[]): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof LongsightError)) throw error;
    refused.push(toProblem(error));
    return null;
  }
}

/** Keeps what was read of each file until the file changes. */
function rememberByFile<Value>(read: (path: string) => Promise<Value>): (path: string) => Promise<Value> {
  const known = new Map<string, { stamp: string; outcome: Promise<Value> }>();
  return async (path) => {
    const found = await stat(path).catch(() => null);
    const stamp = found === null ? "missing" : `${found.size} ${found.mtimeMs}`;
    const before = known.get(path);
    if (before?.stamp === stamp) return before.outcome;
    const outcome = read(path);
    known.set(path, { stamp, outcome });
    // What went wrong may have been the disk's or the moment's.
    outcome.catch(() => known.delete(path));
    return outcome;
  };
}
