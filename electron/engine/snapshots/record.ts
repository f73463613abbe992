import { createHash } from "node:crypto";
import { z } from "zod";
import { type Message, say } from "../../contract/said.ts";
import { chunkKey, chunkTokens, formatVersion, hashSchema, keptAboutSchema, keptKey } from "./keys.ts";

// A snapshot's file: magic (8 bytes) · format version (u32) · bytes of the metadata (u32) · SHA-256 of the metadata (32 bytes) ·
// metadata (JSON) · the sections, one behind the other, as long and with the checksums that the metadata says. Little-endian.

const magic = new TextEncoder().encode("LONGSNAP");
export const preludeBytes = 48;
/** A list of many documents with long names stays far below. */
const longestMetadata = 1_048_576;

const sectionSchema = z.object({
  name: z.enum(["tokens", "rows", "window", "indices"]),
  bytes: z.number().int().nonnegative(),
  sha256: hashSchema,
});
type Section = z.output<typeof sectionSchema>;

/** The documents whose tokens lie in a snapshot or before it. */
const documentsSchema = z.array(z.object({ id: hashSchema, name: z.string() }));
export type SnapshotDocuments = z.output<typeof documentsSchema>;

const common = { root: hashSchema, documents: documentsSchema, sections: z.array(sectionSchema).max(8) };

const metadataSchema = z.discriminatedUnion("kind", [
  /** Rows of the tokens from `start` on. Sections: tokens, rows. `parent`: the chunk before, or the root. */
  z.object({ kind: z.literal("chunk"), ...common, parent: hashSchema, start: z.number().int().nonnegative() }),
  /** The sliding windows behind the chunk `parent`, which ends at `end`. Section: window. */
  z.object({ kind: z.literal("window"), ...common, parent: hashSchema, end: z.number().int().positive() }),
  /** A kept cache of mode `once`. Sections: tokens (read), indices (u32 `[layer][KV head][budget of the layer]`), rows. */
  z.object({
    kind: z.literal("kept"),
    ...common,
    about: keptAboutSchema,
    heads: z.number().int().positive(),
    /** Tokens kept in each layer. */
    budgets: z.array(z.number().int().positive()).min(1),
  }),
]);
export type Metadata = z.output<typeof metadataSchema>;
export type RecordKind = Metadata["kind"];
export type SectionName = Section["name"];
export type Sections = ReadonlyMap<SectionName, Uint8Array>;

/** A record before its sections were measured. */
export type NewRecord = {
  readonly metadata: DistributiveOmit<Metadata, "sections">;
  readonly key: string;
  readonly sections: Sections;
};
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** The name of a record's file. A window has the key of the chunk it belongs to. */
export const fileNameOf = (key: string, kind: RecordKind): string => `${key}.${kind}`;

const namePattern = /^([0-9a-f]{64})\.(chunk|window|kept)$/;
const kindSchema = z.enum(["chunk", "window", "kept"]);

/** The key and kind in a file's name; null for a file that is none of ours. */
export function parseFileName(name: string): { readonly key: string; readonly kind: RecordKind } | null {
  const match = namePattern.exec(name);
  const kind = kindSchema.safeParse(match?.[2]);
  return match?.[1] === undefined || !kind.success ? null : { key: match[1], kind: kind.data };
}

/** What a file begins with. @param checksums SHA-256 of each section in its order */
export function encodeHead(record: NewRecord, checksums: readonly string[]): Uint8Array {
  const sections = [...record.sections].map(([name, bytes], index) => ({ name, bytes: bytes.byteLength, sha256: checksums[index] ?? "" }));
  const metadata = new TextEncoder().encode(JSON.stringify({ ...record.metadata, sections }));
  const head = new Uint8Array(preludeBytes + metadata.byteLength);
  const view = new DataView(head.buffer);
  head.set(magic);
  view.setUint32(8, formatVersion, true);
  view.setUint32(12, metadata.byteLength, true);
  head.set(createHash("sha256").update(metadata).digest(), 16);
  head.set(metadata, preludeBytes);
  return head;
}

/** A file's beginning, read: `foreign` is another version's, which is left alone. */
export type Head =
  | { readonly kind: "record"; readonly metadata: Metadata; readonly sectionsAt: number }
  | { readonly kind: "foreign" }
  | { readonly kind: "damaged"; readonly reason: Message };

const damaged = (reason: Message) => ({ kind: "damaged", reason }) as const;

/**
 * Reads the first 48 bytes.
 * @param fileBytes length of the whole file
 * @returns the bytes that the head takes in all
 */
export function decodePrelude(
  prelude: Uint8Array,
  fileBytes: number,
): { readonly kind: "head"; readonly bytes: number } | Exclude<Head, { kind: "record" }> {
  if (prelude.byteLength < preludeBytes) return damaged(say("recordTooShort"));
  if (magic.some((byte, index) => prelude[index] !== byte)) return damaged(say("recordIsNone"));
  const view = new DataView(prelude.buffer, prelude.byteOffset, prelude.byteLength);
  if (view.getUint32(8, true) !== formatVersion) return { kind: "foreign" };
  const bytes = preludeBytes + view.getUint32(12, true);
  return bytes > longestMetadata || bytes > fileBytes ? damaged(say("metadataCutOff")) : { kind: "head", bytes };
}

/** Reads a whole head and holds it against the file's name and length. @param name of the file */
export function decodeHead(head: Uint8Array, fileBytes: number, name: string): Head {
  const prelude = decodePrelude(head.subarray(0, preludeBytes), fileBytes);
  if (prelude.kind !== "head") return prelude;
  const bytes = head.subarray(preludeBytes, prelude.bytes);
  if (!createHash("sha256").update(bytes).digest().equals(head.subarray(16, preludeBytes))) return damaged(say("metadataChanged"));
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return damaged(say("metadataUnreadable"));
  }
  const metadata = metadataSchema.safeParse(value);
  if (!metadata.success) return damaged(say("metadataUnknown", { why: metadata.error.message }));
  const end = metadata.data.sections.reduce((sum, section) => sum + section.bytes, prelude.bytes);
  if (end !== fileBytes) return damaged(say("recordLength", { found: fileBytes, expected: end }));
  if (parseFileName(name)?.kind !== metadata.data.kind) return damaged(say("recordNamedOtherwise"));
  return { kind: "record", metadata: metadata.data, sectionsAt: prelude.bytes };
}

/** Tokens out of a section's bytes; null where they are no whole tokens. */
export function decodeTokens(bytes: Uint8Array): Uint32Array | null {
  if (bytes.byteLength % Uint32Array.BYTES_PER_ELEMENT !== 0) return null;
  // A copy: the bytes need not lie on a multiple of four.
  return new Uint32Array(bytes.slice().buffer);
}

/** Whether the name of a file is the key of what is in it. @param tokens of the section of that name; empty where there is none */
export function isKeyed(key: string, metadata: Metadata, tokens: Uint32Array): boolean {
  switch (metadata.kind) {
    case "chunk":
      return tokens.length > 0 && tokens.length <= chunkTokens && key === chunkKey(metadata.parent, tokens);
    case "window":
      return key === metadata.parent;
    case "kept":
      return key === keptKey(metadata.root, metadata.about, tokens);
  }
}
