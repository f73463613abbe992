import { randomBytes } from "node:crypto";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { LongsightError } from "../contract/errors.ts";
import { say } from "../contract/said.ts";

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Refuses a place for a file before the work that it is for.
 * @param inputs files that must not be written over
 * @returns the absolute path
 * @throws LongsightError `usage`: the folder is missing, the path is a folder, or one of the inputs
 */
export async function checkedOut(path: string, inputs: readonly string[]): Promise<string> {
  const folder = dirname(resolve(path));
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) {
    throw new LongsightError("usage", `“${path}” cannot be written: there is no folder ${folder}. Make it first, or choose another place.`);
  }
  const target = join(await realpath(folder), basename(path));
  const present = await stat(target).catch(() => null);
  if (present !== null && !present.isFile()) {
    throw new LongsightError("usage", `“${path}” cannot be written: it is a folder or no ordinary file. Choose another name.`);
  }
  for (const input of inputs) {
    const same = await stat(input).catch(() => null);
    if (present !== null && same !== null && same.dev === present.dev && same.ino === present.ino) {
      throw new LongsightError("usage", `“${path}” is the document itself, which is never written over. Choose another name for --out.`);
    }
  }
  return target;
}

/**
 * Writes a file whole or not at all: beside its place, then renamed. A file of that name is replaced.
 * @param pieces in order; they may be made while the ones before are written
 * @throws LongsightError `storage`, and whatever the pieces throw
 */
export async function writeWhole(
  path: string,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): Promise<{ bytes: number }> {
  const beside = `${path}.${randomBytes(4).toString("hex")}.new`;
  const refused = (error: unknown) => new LongsightError("storage", say("notWritten", { path }), messageOf(error));
  const stored = <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((error: unknown) => {
      throw refused(error);
    });
  const file = await stored(open(beside, "wx"));
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      const buffer = typeof piece === "string" ? Buffer.from(piece, "utf8") : piece;
      await stored(file.writeFile(buffer));
      bytes += buffer.byteLength;
    }
    await stored(file.close());
    await stored(rename(beside, path));
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(beside, { force: true });
    throw error;
  }
  return { bytes };
}
