import { readFile, rename } from "node:fs/promises";
import { z } from "zod";
import { writeWhole } from "./writeWhole.ts";

/** Models that a person added to the list: references to files that stay where they are. */
export type AddedModels = {
  /** Absolute paths, in the order in which they were added. */
  paths(): Promise<readonly string[]>;
  /** @throws LongsightError `storage`, with the list as it was */
  add(path: string): Promise<void>;
  /** The file itself is left alone. @throws LongsightError `storage`, with the list as it was */
  remove(path: string): Promise<void>;
};

const fileSchema = z.object({ paths: z.array(z.string().min(1)) });

/** @param file a JSON file that need not be there; null: remembered in memory alone */
export function openAddedModels(file: string | null): AddedModels {
  let known: Promise<readonly string[]> | null = null;
  let changing: Promise<unknown> = Promise.resolve();
  const paths = () => (known ??= file === null ? Promise.resolve([]) : readPaths(file));

  /** One change after the other, so that none is lost. */
  const change = (next: (paths: readonly string[]) => readonly string[]): Promise<void> => {
    const changed = changing.then(async () => {
      const before = await paths();
      const after = next(before);
      if (after === before) return;
      if (file !== null) await writeWhole(file, [`${JSON.stringify({ paths: after }, null, 2)}\n`]);
      known = Promise.resolve(after);
    });
    changing = changed.catch(() => undefined);
    return changed;
  };

  return {
    paths,
    add: (path) => change((before) => (before.includes(path) ? before : [...before, path])),
    remove: (path) => change((before) => (before.includes(path) ? before.filter((other) => other !== path) : before)),
  };
}

/** A file that cannot be understood is put aside, so that the next change does not write over it. */
async function readPaths(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return [];
  try {
    return fileSchema.parse(JSON.parse(text)).paths;
  } catch {
    await rename(file, `${file}.broken`).catch(() => undefined);
    return [];
  }
}
