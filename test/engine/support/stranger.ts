import { existsSync } from "node:fs";
import { constants, copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../../electron/engine/folders.ts";
import { ensureModel } from "../../../scripts/model.mjs";

/** A control token that no text here has, and what it is called in the stranger. */
const [token, strangeToken] = ["<gh_stars>", "<gh_starz>"];
/** The vocabulary of the embedded model ends within so many bytes. */
const headerBytes = 4 * 1024 * 1024;

/**
 * A model that no lookahead module was made for: the embedded one with another tokenizer hash. One byte of one token that never
 * occurs is another, so it loads and computes as before. Made where it is missing.
 * @returns its path (absolute), below the cache folder
 */
export async function ensureStranger(): Promise<string> {
  const model = await ensureModel();
  const folder = join(cacheFolder(), "tests");
  const target = join(folder, `stranger-${(await stat(model)).size}.gguf`);
  if (existsSync(target)) return target;
  await mkdir(folder, { recursive: true });
  const fresh = `${target}.${process.pid}`;
  try {
    await copyFile(model, fresh, constants.COPYFILE_FICLONE);
    await renameToken(fresh);
    await rename(fresh, target);
  } finally {
    await rm(fresh, { force: true });
  }
  return target;
}

/** Writes the other name over the token's, in place. @throws Error where the token is not there just once */
async function renameToken(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    const header = buffer.subarray(0, bytesRead);
    const place = header.indexOf(asText(token));
    if (place < 0 || header.indexOf(asText(token), place + 1) >= 0) throw new Error(`${token} is not just once in the header of ${path}`);
    await file.write(asText(strangeToken), 0, undefined, place);
  } finally {
    await file.close();
  }
}

/** A text as it stands in a GGUF: its length in bytes (u64, little-endian), then the bytes. */
function asText(text: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
  return Buffer.concat([length, Buffer.from(text)]);
}
