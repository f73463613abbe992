import { createHash, randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { type Message, say } from "../../contract/said.ts";
import {
  decodeHead,
  decodePrelude,
  decodeTokens,
  encodeHead,
  fileNameOf,
  type Head,
  isKeyed,
  type Metadata,
  type NewRecord,
  parseFileName,
  preludeBytes,
  type SectionName,
  type Sections,
} from "./record.ts";

/** The calls of the file system that snapshots make; tests let them fail. */
export type Disk = Pick<typeof import("node:fs/promises"), "open" | "readdir" | "stat" | "rename" | "rm" | "utimes" | "readFile"> & {
  mkdir(path: string, options: { readonly recursive: true; readonly mode: number }): Promise<unknown>;
};

/** What a look at one file found. `gone`: not there (any more), which is nobody's fault. */
export type Look =
  | {
      readonly kind: "record";
      readonly metadata: Metadata;
      readonly tokens: Uint32Array;
      readonly bytes: number;
      readonly usedAt: number;
    }
  | { readonly kind: "foreign"; readonly bytes: number; readonly usedAt: number }
  | { readonly kind: "gone" }
  | { readonly kind: "damaged"; readonly reason: Message };

/** What reading one file whole gave. */
export type Reading =
  | { readonly kind: "record"; readonly metadata: Metadata; readonly sections: Sections }
  | { readonly kind: "gone" }
  | { readonly kind: "damaged"; readonly reason: Message };

const systemErrorSchema = z.object({ code: z.string() });

/** The system's name of an error ("ENOSPC"); empty for anything else. */
export function systemCode(error: unknown): string {
  const parsed = systemErrorSchema.safeParse(error);
  return parsed.success ? parsed.data.code : "";
}

const isGone = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(systemCode(error));

/** Written, read and hashed in pieces, so that neither the event loop nor a cancel waits for a whole chunk. */
const pieceBytes = 2_097_152;
/** Head and tokens of a chunk fit into it. */
const beginningBytes = 16_384;
/** Damaged files that are kept to be looked at. */
const keptDamaged = 2;
/** Milliseconds after which an unfinished file is one that a crash left. */
const unfinishedAge = 3_600_000;
const unfinishedEnd = ".new";

/** SHA-256 in hexadecimal, with the event loop turning in between. */
async function checksumOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    if (at > 0) await setImmediate();
    hash.update(bytes.subarray(at, at + pieceBytes));
  }
  return hash.digest("hex");
}

/** A part of a file and its SHA-256; null where it ends too early, or was given up. */
type Part = { readonly bytes: Uint8Array; readonly sha256: string } | null;

/** Reads a file's beginning at once: a small part of it costs no call of its own. @returns null for what is no file */
async function createReader(file: FileHandle, signal?: AbortSignal) {
  const found = await file.stat();
  if (!found.isFile()) return null;
  const { size, mtimeMs } = found;
  const beginning = new Uint8Array(Math.min(beginningBytes, size));
  const { bytesRead } = await file.read(beginning, 0, beginning.byteLength, 0);
  const isRead = (end: number) => end <= bytesRead;
  return {
    size,
    usedAt: mtimeMs,
    async read(at: number, length: number): Promise<Part> {
      if (isRead(at + length)) {
        const bytes = beginning.subarray(at, at + length);
        return { bytes, sha256: createHash("sha256").update(bytes).digest("hex") };
      }
      const hash = createHash("sha256");
      const bytes = new Uint8Array(length);
      const readFrom = (start: number) =>
        start < length ? file.read(bytes, start, Math.min(pieceBytes, length - start), at + start) : null;
      let filled = 0;
      for (let reading = readFrom(0); reading !== null; ) {
        const { bytesRead } = await reading;
        if (bytesRead === 0 || signal?.aborted === true) return null;
        const start = filled;
        filled += bytesRead;
        // The next piece is read while this one is hashed.
        reading = readFrom(filled);
        hash.update(bytes.subarray(start, filled));
      }
      return { bytes, sha256: hash.digest("hex") };
    },
  };
}
type Reader = NonNullable<Awaited<ReturnType<typeof createReader>>>;

/** The folder with the records' files: each is written beside its place and renamed, and nothing is believed that was not checked. */
export type RecordFiles = {
  /** Names of the records; those of other files are left out. A missing folder is an empty one. */
  list(): Promise<string[]>;
  /** Reads what a file says of itself, without its rows. @throws what the system does, but for a file that is not there */
  look(name: string): Promise<Look>;
  /** Reads a file whole and checks all of it. Aborted: `gone`. @throws as {@link RecordFiles.look} */
  read(name: string, signal: AbortSignal): Promise<Reading>;
  /** @param admit asked with the bytes of the whole file before it is written; false leaves it. @returns the bytes, or null @throws what the system does */
  write(record: NewRecord, admit: (bytes: number) => Promise<boolean>): Promise<number | null>;
  /** Size and last use; null for one that is gone. */
  measure(name: string): Promise<{ readonly bytes: number; readonly usedAt: number } | null>;
  /** Counts as a use; does nothing where the folder cannot be written. */
  touch(name: string, now: Date): Promise<void>;
  /** Removes files; one that is gone is as good. @throws what the system does */
  remove(name: string): Promise<void>;
  /** Moves a damaged file into `damaged/`, of which the latest two stay. @returns whether it is out of the way */
  putAside(name: string): Promise<boolean>;
  /** Removes what crashed writers left, and with `all` what was put aside. */
  clean(all: boolean): Promise<void>;
};

export function createRecordFiles(folder: string, disk: Disk): RecordFiles {
  const damagedFolder = join(folder, "damaged");
  const pathOf = (name: string) => join(folder, name);

  const opened = async <Result>(name: string, work: (reader: Reader) => Promise<Result>, signal?: AbortSignal) => {
    const file = await disk.open(pathOf(name), "r").catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (file === null) return { kind: "gone" } as const;
    try {
      const reader = await createReader(file, signal);
      return reader === null ? ({ kind: "damaged", reason: say("recordIsFolder") } as const) : await work(reader);
    } finally {
      await file.close();
    }
  };

  const headOf = async (reader: Reader, name: string): Promise<Head> => {
    const prelude = decodePrelude((await reader.read(0, Math.min(preludeBytes, reader.size)))?.bytes ?? new Uint8Array(0), reader.size);
    if (prelude.kind !== "head") return prelude;
    const head = await reader.read(0, prelude.bytes);
    return head === null ? { kind: "damaged", reason: say("recordCutOff") } : decodeHead(head.bytes, reader.size, name);
  };

  /** Reads sections and holds them against their checksums. @returns what is wrong where one differs */
  const sectionsOf = async (
    reader: Reader,
    { metadata, sectionsAt }: Extract<Head, { kind: "record" }>,
    wanted: (name: SectionName) => boolean,
  ): Promise<Map<SectionName, Uint8Array> | Message> => {
    const sections = new Map<SectionName, Uint8Array>();
    let at = sectionsAt;
    for (const { name, bytes, sha256 } of metadata.sections) {
      if (wanted(name)) {
        const part = await reader.read(at, bytes);
        if (part?.sha256 !== sha256) return say("recordPartChanged", { part: name });
        sections.set(name, part.bytes);
      }
      at += bytes;
    }
    return sections;
  };

  const tokensOf = (sections: Sections) => decodeTokens(sections.get("tokens") ?? new Uint8Array(0)) ?? new Uint32Array(0);
  const misnamed = say("recordMisnamed");
  const isOurs = (name: string, metadata: Metadata, tokens: Uint32Array) => isKeyed(parseFileName(name)?.key ?? "", metadata, tokens);

  return {
    async list() {
      const names = await disk.readdir(folder).catch((error: unknown) => {
        if (isGone(error)) return [];
        throw error;
      });
      return names.filter((name) => parseFileName(name) !== null);
    },
    look: (name) =>
      opened(name, async (reader): Promise<Look> => {
        const { size: bytes, usedAt } = reader;
        const head = await headOf(reader, name);
        if (head.kind === "foreign") return { kind: "foreign", bytes, usedAt };
        if (head.kind === "damaged") return head;
        const sections = await sectionsOf(reader, head, (section) => section === "tokens");
        if ("message" in sections) return { kind: "damaged", reason: sections };
        const tokens = tokensOf(sections);
        if (!isOurs(name, head.metadata, tokens)) return { kind: "damaged", reason: misnamed };
        return { kind: "record", metadata: head.metadata, tokens, bytes, usedAt };
      }),
    async read(name, signal) {
      const reading = await opened(
        name,
        async (reader): Promise<Reading> => {
          const head = await headOf(reader, name);
          if (head.kind === "foreign") return { kind: "gone" };
          if (head.kind === "damaged") return head;
          const sections = await sectionsOf(reader, head, () => true);
          if ("message" in sections) return { kind: "damaged", reason: sections };
          if (!isOurs(name, head.metadata, tokensOf(sections))) return { kind: "damaged", reason: misnamed };
          return { kind: "record", metadata: head.metadata, sections };
        },
        signal,
      );
      // What was given up in the middle looks like a file that is cut off.
      return signal.aborted ? { kind: "gone" } : reading;
    },
    async write(record, admit) {
      const checksums: string[] = [];
      for (const section of record.sections.values()) checksums.push(await checksumOf(section));
      const head = encodeHead(record, checksums);
      const pieces = [head, ...record.sections.values()];
      const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
      if (!(await admit(bytes))) return null;
      // Only this user's business: a snapshot holds the document's tokens.
      await disk.mkdir(folder, { recursive: true, mode: 0o700 });
      const name = fileNameOf(record.key, record.metadata.kind);
      const beside = pathOf(`${name}.${process.pid}-${randomBytes(4).toString("hex")}${unfinishedEnd}`);
      const file = await disk.open(beside, "wx", 0o600);
      try {
        for (const piece of pieces) {
          for (let at = 0; at < piece.byteLength; )
            at += (await file.write(piece, at, Math.min(pieceBytes, piece.byteLength - at))).bytesWritten;
        }
        // Not synced: after a power cut a torn file is found by its checksums, and costs a reading instead of an answer.
        await file.close();
        await disk.rename(beside, pathOf(name)).catch(async (error: unknown) => {
          // Windows renames nothing over a file that is open: then another reader has the same content already.
          if ((await disk.stat(pathOf(name)).catch(() => null))?.isFile() !== true) throw error;
          await disk.rm(beside, { force: true });
        });
      } catch (error) {
        await file.close().catch(() => undefined);
        await disk.rm(beside, { force: true }).catch(() => undefined);
        throw error;
      }
      return bytes;
    },
    async measure(name) {
      const found = await disk.stat(pathOf(name)).catch(() => null);
      return found === null ? null : { bytes: found.size, usedAt: found.mtimeMs };
    },
    async touch(name, now) {
      await disk.utimes(pathOf(name), now, now).catch(() => undefined);
    },
    remove: (name) => disk.rm(pathOf(name), { force: true }),
    async putAside(name) {
      try {
        await disk.mkdir(damagedFolder, { recursive: true, mode: 0o700 });
        await disk.rename(pathOf(name), join(damagedFolder, `${Date.now()}-${name}`));
      } catch (error) {
        if (isGone(error)) return true;
        return disk.rm(pathOf(name), { force: true }).then(
          () => true,
          () => false,
        );
      }
      const names = (await disk.readdir(damagedFolder).catch(() => [])).sort();
      for (const old of names.slice(0, -keptDamaged)) await disk.rm(join(damagedFolder, old), { force: true }).catch(() => undefined);
      return true;
    },
    async clean(all) {
      const names = await disk.readdir(folder).catch(() => []);
      for (const name of names.filter((entry) => entry.endsWith(unfinishedEnd))) {
        const found = await disk.stat(pathOf(name)).catch(() => null);
        if (found !== null && Date.now() - found.mtimeMs > unfinishedAge)
          await disk.rm(pathOf(name), { force: true }).catch(() => undefined);
      }
      if (all) await disk.rm(damagedFolder, { recursive: true, force: true });
    },
  };
}
