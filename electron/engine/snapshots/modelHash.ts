import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { hashSchema } from "./keys.ts";
import type { Disk } from "./recordFiles.ts";

/** A file's size, time of change and number on its disk, in one word: while they stay the same, so does the content. */
export type FileStamp = string;

/** SHA-256 of whole model files. Computing one takes seconds for a large file, so each is remembered. */
export type ModelHashes = {
  /** Null for a file that is not there. */
  stamp(path: string): Promise<FileStamp | null>;
  /** What is remembered of the file as it was at this stamp. */
  remembered(path: string, stamp: FileStamp): Promise<string | null>;
  /** Reads the whole file. Null: stopped, unreadable, or not the file of that stamp (any more). */
  compute(path: string, stamp: FileStamp, signal: AbortSignal): Promise<string | null>;
};

const pieceBytes = 1_048_576;
/** More models than anyone tries. */
const mostRemembered = 100;

const rememberedSchema = z.array(z.object({ path: z.string(), stamp: z.string(), sha256: hashSchema }));
type Remembered = z.output<typeof rememberedSchema>;

/** @param folder where they are remembered */
export function createModelHashes(folder: string, disk: Disk): ModelHashes {
  const file = join(folder, "models.json");

  const stamp = async (path: string): Promise<FileStamp | null> => {
    const found = await disk.stat(path, { bigint: true }).catch(() => null);
    return found === null ? null : `${found.size} ${found.mtimeNs} ${found.ino}`;
  };
  const readAll = async (): Promise<Remembered> => {
    const text = await disk.readFile(file, "utf8").catch(() => "[]");
    try {
      const parsed = rememberedSchema.safeParse(JSON.parse(text));
      return parsed.success ? parsed.data : [];
    } catch {
      return [];
    }
  };
  const remember = async (entry: Remembered[number]) => {
    const others = (await readAll()).filter((other) => other.path !== entry.path);
    await disk.mkdir(folder, { recursive: true, mode: 0o700 });
    const beside = `${file}.${process.pid}-${randomBytes(4).toString("hex")}.new`;
    const written = await disk.open(beside, "wx", 0o600);
    await written.writeFile(`${JSON.stringify([entry, ...others].slice(0, mostRemembered))}\n`).finally(() => written.close());
    await disk.rename(beside, file);
  };
  const hashOf = async (path: string, signal: AbortSignal): Promise<string | null> => {
    const opened = await disk.open(path, constants.O_RDONLY);
    try {
      const hash = createHash("sha256");
      const piece = new Uint8Array(pieceBytes);
      for (let at = 0; ; ) {
        if (signal.aborted) return null;
        const { bytesRead } = await opened.read(piece, 0, pieceBytes, at);
        if (bytesRead === 0) return hash.digest("hex");
        hash.update(piece.subarray(0, bytesRead));
        at += bytesRead;
        // Answers are written meanwhile.
        await setImmediate();
      }
    } finally {
      await opened.close();
    }
  };

  return {
    stamp,
    async remembered(path, known) {
      return (await readAll()).find((entry) => entry.path === path && entry.stamp === known)?.sha256 ?? null;
    },
    async compute(path, known, signal) {
      if ((await stamp(path)) !== known) return null;
      const sha256 = await hashOf(path, signal).catch(() => null);
      if (sha256 === null || (await stamp(path)) !== known) return null;
      // Where it cannot be written down, it is computed again at the next start.
      await remember({ path, stamp: known, sha256 }).catch(() => undefined);
      return sha256;
    },
  };
}
