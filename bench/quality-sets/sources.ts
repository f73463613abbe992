import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
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

/** SHA-256 over the names and contents of all evaluation sets, whatever folder they lie in. */
export async function hashSets(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, "B_eval");
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
  const hash = createHash("sha256");
  for (const name of names) {
    const bytes = await readFile(join(folder, name));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}
