import type { SnapshotUsage } from "../../contract/snapshots.ts";
import { onGrid } from "../conversation/prefill.ts";
import { chunkTokens } from "./keys.ts";
import type { Metadata, NewRecord, RecordKind, SnapshotDocuments } from "./record.ts";

/** A file of the folder, as far as it is known without its rows. */
export type Entry = {
  readonly name: string;
  /** `foreign`: of another version of Longsight. It takes room and is never read. */
  readonly kind: RecordKind | "foreign";
  readonly key: string;
  readonly root: string;
  /** Key of the chunk it builds on, or the root; empty for a foreign one. */
  readonly parent: string;
  /** First token's position, and the tokens, of a chunk. */
  readonly start: number;
  readonly tokens: Uint32Array;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
  readonly documents: SnapshotDocuments;
};

const nothing = { start: 0, tokens: new Uint32Array(0) };
const keyIn = (name: string) => name.slice(0, name.indexOf("."));

/** Key of what a record builds on. */
export function parentOf(metadata: NewRecord["metadata"] | Metadata): string {
  return metadata.kind === "kept" ? metadata.root : metadata.parent;
}

/** @param record.tokens of a chunk */
export function entryOf(
  name: string,
  { metadata, tokens, bytes, usedAt }: Pick<Entry, "tokens" | "bytes" | "usedAt"> & { readonly metadata: NewRecord["metadata"] | Metadata },
): Entry {
  const { kind, root, documents } = metadata;
  const place = kind === "chunk" ? { start: metadata.start, tokens } : nothing;
  return { name, kind, key: keyIn(name), root, parent: parentOf(metadata), ...place, bytes, usedAt, documents };
}

/** A file of another version of Longsight. */
export function foreignEntry(name: string, { bytes, usedAt }: Pick<Entry, "bytes" | "usedAt">): Entry {
  return { name, kind: "foreign", key: keyIn(name), root: "", parent: "", ...nothing, bytes, usedAt, documents: [] };
}

/** What is in the folder, with the chains that its chunks form. */
export type Catalogue = {
  add(entry: Entry): void;
  delete(name: string): void;
  get(name: string): Entry | undefined;
  names(): string[];
  entries(): Iterable<Entry>;
  /** Chunks and windows that build on this key. */
  childrenOf(key: string): Iterable<Entry>;
  readonly bytes: number;
};

export function createCatalogue(): Catalogue {
  const entries = new Map<string, Entry>();
  const children = new Map<string, Map<string, Entry>>();
  let bytes = 0;
  const remove = (name: string) => {
    const entry = entries.get(name);
    if (entry === undefined) return;
    bytes -= entry.bytes;
    entries.delete(name);
    const siblings = children.get(entry.parent);
    siblings?.delete(name);
    if (siblings?.size === 0) children.delete(entry.parent);
  };
  return {
    add(entry) {
      remove(entry.name);
      entries.set(entry.name, entry);
      bytes += entry.bytes;
      const siblings = children.get(entry.parent) ?? new Map<string, Entry>();
      siblings.set(entry.name, entry);
      children.set(entry.parent, siblings);
    },
    delete: remove,
    get: (name) => entries.get(name),
    names: () => [...entries.keys()],
    entries: () => entries.values(),
    childrenOf: (key) => children.get(key)?.values() ?? [],
    get bytes() {
      return bytes;
    },
  };
}

/** A stored beginning of a prompt: chunks from position 0 on, of which the last may hold more than the prompt shares with it. */
export type StoredPrefix = {
  readonly chunks: readonly Entry[];
  /** Tokens that can be used, on the grid. */
  readonly tokens: number;
  /** Tokens in the chunks: so many cells have to be there while they are restored. */
  readonly storedTokens: number;
  /** Of a model with sliding windows: their state behind these tokens. */
  readonly window: Entry | null;
};

/** How many tokens two lists have in common at their beginnings, the second read from `from` on. */
export function commonTokens(one: Uint32Array, other: Uint32Array, from: number): number {
  const most = Math.min(one.length, other.length - from);
  let equal = 0;
  while (equal < most && one[equal] === other[from + equal]) equal++;
  return Math.max(0, equal);
}

/**
 * The longest stored beginning of a prompt.
 * @param options.limit tokens that may be taken at most: what follows has to be read
 * @param options.cells tokens there is room for
 * @param options.windows whether the model has sliding windows: then only an end whose window is stored will do
 */
export function findPrefix(
  catalogue: Catalogue,
  root: string,
  prompt: Uint32Array,
  { limit, cells, windows }: { readonly limit: number; readonly cells: number; readonly windows: boolean },
): StoredPrefix | null {
  const chunks: Entry[] = [];
  let found: StoredPrefix | null = null;
  const windowOf = (key: string) => [...catalogue.childrenOf(key)].find((child) => child.kind === "window") ?? null;
  for (let key = root, at = 0; ; ) {
    let best: { readonly chunk: Entry; readonly usable: number } | null = null;
    for (const chunk of catalogue.childrenOf(key)) {
      if (chunk.kind !== "chunk" || chunk.start !== at || at + chunk.tokens.length > cells) continue;
      const usable = onGrid(Math.min(commonTokens(chunk.tokens, prompt, at), limit - at));
      const whole = usable === chunk.tokens.length;
      const window = windows && whole ? windowOf(chunk.key) : null;
      const end = at + usable;
      if (windows ? window !== null && end > (found?.tokens ?? 0) : usable > 0 && end > (found?.tokens ?? 0)) {
        found = { chunks: [...chunks, chunk], tokens: end, storedTokens: at + chunk.tokens.length, window };
      }
      if (whole && usable === chunkTokens) best = { chunk, usable };
    }
    if (best === null) return found;
    chunks.push(best.chunk);
    key = best.chunk.key;
    at += best.usable;
  }
}

/** The entries that build on these, and these. */
export function withDescendants(catalogue: Catalogue, names: Iterable<string>): string[] {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const entry = catalogue.get(name);
    if (entry === undefined || found.has(name)) continue;
    found.add(name);
    if (entry.kind === "chunk") open.push(...[...catalogue.childrenOf(entry.key)].map((child) => child.name));
  }
  // Leaves first, so that what is left after an interruption still forms chains.
  return [...found].reverse();
}

/** Shorter chunks that a new one begins with, and what builds on them: it takes their place. */
export function replacedBy(catalogue: Catalogue, name: string): string[] {
  const chunk = catalogue.get(name);
  if (chunk?.kind !== "chunk") return [];
  const shorter = [...catalogue.childrenOf(chunk.parent)].filter(
    ({ kind, tokens }) =>
      kind === "chunk" && tokens.length < chunk.tokens.length && commonTokens(tokens, chunk.tokens, 0) === tokens.length,
  );
  return withDescendants(
    catalogue,
    shorter.map((other) => other.name),
  );
}

/** Everything in which a document's tokens have a part. */
export function namesOfDocument(catalogue: Catalogue, documentId: string): string[] {
  const own = [...catalogue.entries()].filter((entry) => entry.documents.some((document) => document.id === documentId));
  return withDescendants(
    catalogue,
    own.map((entry) => entry.name),
  );
}

/** Sizes for people, by document. */
export function measureUsage(catalogue: Catalogue): Pick<SnapshotUsage, "totalBytes" | "documents"> {
  const documents = new Map<string, SnapshotUsage["documents"][number]>();
  for (const entry of catalogue.entries()) {
    for (const { id, name } of entry.documents) {
      const known = documents.get(id) ?? { documentId: id, name, bytes: 0, usedAt: 0 };
      documents.set(id, { ...known, bytes: known.bytes + entry.bytes, usedAt: Math.max(known.usedAt, Math.floor(entry.usedAt)) });
    }
  }
  const latestFirst = [...documents.values()].sort((one, other) => other.usedAt - one.usedAt);
  return { totalBytes: catalogue.bytes, documents: latestFirst };
}
