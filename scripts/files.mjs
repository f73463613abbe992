// Small file helpers that several scripts share.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";

/** The folder of this checkout (absolute). */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whether something is at this path. */
export const exists = (path) =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Files below a folder, sorted, with `/` in their names; none where the folder is missing.
 * @param {string} folder
 * @param {(name: string) => boolean} [wanted]
 * @returns {Promise<string[]>} absolute paths
 */
export async function filesBelow(folder, wanted = () => true) {
  if (!(await exists(folder))) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** SHA-256 of a file in hexadecimal, read in pieces. */
export async function sha256Of(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/**
 * One hash over names and contents of files, so that a moved, added, removed or changed one shows.
 * @param {string[]} files absolute paths below the checkout
 * @param {string[]} [extra] other text that goes in
 */
export async function hashOfFiles(files, extra = []) {
  const hash = createHash("sha256");
  for (const text of extra) hash.update(`${text}\0`);
  for (const file of [...files].sort()) {
    hash.update(`${relative(root, file).split(sep).join("/")}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest("hex");
}

/** Writes a file beside its place and renames it, so that nobody meets half of it. */
export async function writeWhole(file, content) {
  await mkdir(dirname(file), { recursive: true });
  const beside = `${file}.new-${process.pid}`;
  try {
    await writeFile(beside, content);
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}

/** A JSON file's value, or null where there is none or it is broken. */
export async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return null;
  }
}
