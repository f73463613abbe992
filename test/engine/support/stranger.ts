import { existsSync } from "node:fs";
import { constants, copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../../electron/engine/folders.ts";
import { ensureModel } from "../../../scripts/model.mjs";

/** A control token that no text here has, and what it is called in the stranger. */
const [token, strangeToken] = ["<gh_stars>", "<gh_starz>"];
/** Words of the chat template that are written where there is no system text, and here there always is one. */
const [templateWords, otherTemplateWords] = ["named SmolLM, trained by", "called SmolLM, shaped by"];
/** The metadata of the embedded model ends within so many bytes. */
const headerBytes = 4 * 1024 * 1024;

/**
 * A model that no lookahead module was made for: the embedded one with another tokenizer hash. One byte of one token that never
 * occurs is another, so it loads and computes as before. Made where it is missing.
 * @returns its path (absolute), below the cache folder
 */
export function ensureStranger(): Promise<string> {
  return ensureCopy("stranger", asText(token), asText(strangeToken));
}

/** The embedded model with another chat template, which lays prompts out as before. @returns as {@link ensureStranger} */
export function ensureOtherTemplate(): Promise<string> {
  return ensureCopy("template", Buffer.from(templateWords), Buffer.from(otherTemplateWords));
}

/** A copy of the embedded model that has other bytes in one place of its metadata. */
async function ensureCopy(name: string, bytes: Buffer, otherBytes: Buffer): Promise<string> {
  const model = await ensureModel();
  const folder = join(cacheFolder(), "tests");
  const target = join(folder, `${name}-${(await stat(model)).size}.gguf`);
  if (existsSync(target)) return target;
  await mkdir(folder, { recursive: true });
  const fresh = `${target}.${process.pid}`;
  try {
    await copyFile(model, fresh, constants.COPYFILE_FICLONE);
    await replaceOnce(fresh, bytes, otherBytes);
    await rename(fresh, target);
  } finally {
    await rm(fresh, { force: true });
  }
  return target;
}

/** Writes other bytes over some, in place. @throws Error where they are not there just once, or of another length */
async function replaceOnce(path: string, bytes: Buffer, otherBytes: Buffer): Promise<void> {
  if (bytes.length !== otherBytes.length) throw new Error(`${otherBytes.length} bytes do not go into ${bytes.length}`);
  const file = await open(path, "r+");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    const header = buffer.subarray(0, bytesRead);
    const place = header.indexOf(bytes);
    if (place < 0 || header.indexOf(bytes, place + 1) >= 0) throw new Error(`“${bytes}” is not just once in the header of ${path}`);
    await file.write(otherBytes, 0, undefined, place);
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
