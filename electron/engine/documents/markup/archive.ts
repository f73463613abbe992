import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { MarkupFailure } from "./failure.ts";

/** Most entries of an archive, and most bytes that are unpacked from one, all reads together. */
export type ArchiveLimits = { readonly entries: number; readonly unpackedBytes: number };

const defaultLimits: ArchiveLimits = { entries: 20_000, unpackedBytes: 192 * 1_048_576 };

/** A zip archive in memory. Nothing of it is ever written to disk, so that its names are names and never paths. */
export type Archive = {
  readonly names: readonly string[];
  /** @returns null where there is no entry of this name. @throws MarkupFailure */
  read(name: string): Promise<Uint8Array | null>;
};

/**
 * Opens a zip archive.
 * @throws MarkupFailure `damaged` for what is no zip, for names that lead out of it and for entries that unpack to another size than
 * they say; `too-large` for more entries or unpacked bytes than the limits.
 */
export async function openArchive(bytes: Uint8Array, limits: ArchiveLimits = defaultLimits): Promise<Archive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file = await fromBufferPromise(buffer, { lazyEntries: true, autoClose: false, validateEntrySizes: true }).catch(asDamaged);
  const entries = await listEntries(file, limits.entries);
  let room = limits.unpackedBytes;

  const unpack = async (entry: Entry): Promise<Uint8Array> => {
    // What an entry says of its size is held against it: yauzl ends a stream that gives more.
    if (entry.uncompressedSize > room) throw tooLarge(limits);
    if (entry.isEncrypted()) throw new MarkupFailure("protected", `${entry.fileName} is encrypted`);
    room -= entry.uncompressedSize;
    const pieces: Buffer[] = [];
    for await (const piece of await file.openReadStreamPromise(entry)) pieces.push(Buffer.from(piece));
    return Buffer.concat(pieces);
  };

  return {
    names: [...entries.keys()],
    read: async (name) => {
      const entry = entries.get(name);
      return entry === undefined ? null : await unpack(entry).catch(asDamaged);
    },
  };
}

async function listEntries(file: ZipFile, most: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  if (file.entryCount > most) throw new MarkupFailure("too-large", `${file.entryCount} entries`);
  try {
    for await (const entry of file.eachEntry()) if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
  } catch (error) {
    asDamaged(error);
  }
  return entries;
}

function tooLarge(limits: ArchiveLimits): MarkupFailure {
  return new MarkupFailure("too-large", `it unpacks to more than ${Math.round(limits.unpackedBytes / 1_048_576)} MB`);
}

function asDamaged(error: unknown): never {
  if (error instanceof MarkupFailure) throw error;
  throw new MarkupFailure("damaged", error instanceof Error ? error.message : String(error));
}
