import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm, stat, statfs } from "node:fs/promises";

/** What the disk has to do in a download; tests make it fail. */
export type Disk = {
  /** Bytes that may still be written to this folder's disk; null where the system does not tell. */
  free(folder: string): Promise<number | null>;
  write(file: FileHandle, bytes: Uint8Array, position: number): Promise<void>;
};

export const realDisk: Disk = {
  async free(folder) {
    // Node 16 (Electron 22) lacks it: there a full disk is met while writing.
    if (typeof statfs !== "function") return null;
    const found = await statfs(folder).catch(() => null);
    return found === null ? null : found.bavail * found.bsize;
  },
  async write(file, bytes, position) {
    let written = 0;
    while (written < bytes.length) {
      written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
    }
  },
};

/** The file beside its place in which a download grows. */
export const partOf = (target: string) => `${target}.part`;

/** Bytes that are there of a file; 0 where there is none. */
export async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? found.size : 0;
}

/** Opens a part to go on behind `from`; what is behind that is cut off. */
export async function openPart(part: string, from: number): Promise<FileHandle> {
  const file = await open(part, from === 0 ? "w" : "r+");
  await file.truncate(from).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  return file;
}

/**
 * SHA-256 of a file in hexadecimal.
 * @param onRead bytes read so far
 */
export async function hashOf(path: string, signal: AbortSignal, onRead: (bytes: number) => void): Promise<string> {
  const hash = createHash("sha256");
  let read = 0;
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1024 * 1024 });
  for await (const piece of pieces) {
    // Leaving the loop closes the file.
    if (signal.aborted) break;
    hash.update(piece);
    read += piece.length;
    onRead(read);
  }
  return hash.digest("hex");
}

/** Makes a whole part the file that it is for; what was written is on the disk before the name is. */
export async function finishPart(target: string): Promise<void> {
  const file = await open(partOf(target), "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partOf(target), target);
}

export async function dropPart(target: string): Promise<void> {
  await rm(partOf(target), { force: true });
}
