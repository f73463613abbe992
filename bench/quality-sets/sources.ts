import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../quality/options.ts";

/** A file of the evaluation sets. @param name path below B_eval. @throws UsageError where it is missing */
export async function readSet(dataFolder: string, name: string): Promise<string> {
  return readFile(join(dataFolder, "B_eval", ...name.split("/")), "utf8").catch(() => {
    throw new UsageError(`The data set ${name} was not found. Set LONGSIGHT_DATA to the folder that holds it.`);
  });
}

/** The words of each essay, in the order of their names. @throws UsageError where there are none */
export async function readEssays(dataFolder: string): Promise<string[][]> {
  const names = (await readdir(join(dataFolder, "B_eval", "pg_essays")).catch(() => [])).filter((name) => name.endsWith(".txt")).sort();
  if (names.length === 0) throw new UsageError("The essays (pg_essays) were not found. Set LONGSIGHT_DATA to the folder that holds them.");
  const texts = await Promise.all(names.map((name) => readSet(dataFolder, `pg_essays/${name}`)));
  return texts.map((text) => text.split(/\s+/).filter((word) => word !== ""));
}

/** Words of a list, one a line, each once. @throws UsageError where it is missing */
export async function readWordList(dataFolder: string, name: string): Promise<string[]> {
  const text = await readSet(dataFolder, `words/${name}`);
  return [...new Set(text.split("\n").filter((word) => /^[a-z]{4,9}$/.test(word)))];
}
