import { LongsightError } from "../../contract/errors.ts";
import { type Message, say } from "../../contract/said.ts";
import type { SnapshotSettings, SnapshotUsage } from "../../contract/snapshots.ts";
import {
  commonTokens,
  createCatalogue,
  type Entry,
  entryOf,
  findPrefix,
  foreignEntry,
  measureUsage,
  namesOfDocument,
  parentOf,
  replacedBy,
  type StoredPrefix,
  withDescendants,
} from "./catalogue.ts";
import { chooseEvictions } from "./makeRoom.ts";
import { fileNameOf, type Metadata, type NewRecord, type RecordKind, type Sections } from "./record.ts";
import { createRecordFiles, type Disk, type Look, systemCode } from "./recordFiles.ts";
import { createSettingsFile, type SettingsChange } from "./settingsFile.ts";

/** What became of a record that was offered: `later`: there is no room in memory now, `refused`: nothing can be written for now. */
export type Offer = "queued" | "later" | "refused";

/** A record to be written, with the tokens of a chunk. */
export type OfferedRecord = NewRecord & { readonly tokens: Uint32Array };

/**
 * Snapshots in a folder. Several processes may use it at the same time: files only ever appear whole, and one that is gone is as if it had
 * never been there. Nothing here throws because of the disk but what a person asked for; everything else becomes a notice.
 */
export type SnapshotStore = {
  readonly folder: string;
  settings(): SnapshotSettings;
  /** Looks at what other processes wrote and removed. To be called before a prompt is looked up. */
  refresh(): Promise<void>;
  find(root: string, prompt: Uint32Array, options: Parameters<typeof findPrefix>[3]): StoredPrefix | null;
  /** Whether a record is stored, or about to be. */
  has(key: string, kind: RecordKind): boolean;
  /** How many of these tokens the best chunk behind `parent` begins with, stored or about to be. */
  covered(parent: string, tokens: Uint32Array): number;
  /** Reads a record whole and checks all of it. Null: gone, damaged (put aside, with a notice), or cancelled. */
  load(name: string, signal: AbortSignal): Promise<{ readonly metadata: Metadata; readonly sections: Sections } | null>;
  /** Counts as used now. */
  touch(names: readonly string[]): Promise<void>;
  /** After a failure nothing more is taken until this is called: one failure a reading is enough. */
  resume(): void;
  /** Whether so many bytes more may wait to be written. */
  hasRoom(bytes: number): boolean;
  /** Hands over a record to be written in the background; its sections must not change any more. */
  offer(record: OfferedRecord): Offer;
  /** Resolves when nothing waits to be written. */
  settled(): Promise<void>;
  usage(): Promise<SnapshotUsage>;
  /** Removes all snapshots, or those in which this document has a part. @throws LongsightError `storage` */
  clear(documentId: string | null): Promise<void>;
  /** The same for a document that is to be forgotten: nothing of it is taken any more, also from a reading under way, until it is welcome again. */
  forget(documentId: string): Promise<void>;
  /** A document that was opened: what is read of it may be stored. */
  welcome(documentId: string): void;
  /** @throws LongsightError `storage` where it cannot be remembered for the next start */
  configure(change: SettingsChange): Promise<void>;
  /** Adds to the notices. */
  tell(notice: Message): void;
  /** What a person should be told, once. */
  takeNotices(): Message[];
  /** Waits until what was handed over is written, at most so long; then nothing is written any more. */
  close(limitMs: number): Promise<void>;
};

/** Bytes that may wait to be written: two or three chunks of a large model. */
const defaultPendingBytes = 256 * 1_048_576;
/** Files looked at at once. */
const looksAtOnce = 8;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const writeFaults: Readonly<Record<string, Message>> = {
  ENOSPC: say("diskFull"),
  EDQUOT: say("diskFull"),
  EACCES: say("diskForbidden"),
  EPERM: say("diskForbidden"),
  EROFS: say("diskReadOnly"),
};

/**
 * @param disk the file system's calls; tests let them fail
 * @param options.mostPendingBytes that may wait to be written
 */
export function createSnapshotStore(folder: string, disk: Disk, options: { readonly mostPendingBytes?: number } = {}): SnapshotStore {
  const mostPendingBytes = options.mostPendingBytes ?? defaultPendingBytes;
  const files = createRecordFiles(folder, disk);
  const settingsFile = createSettingsFile(folder, disk);
  const catalogue = createCatalogue();
  const notices: Message[] = [];
  /** Files that are at fault, or that the disk does not give out, and could not be moved away. */
  const ignored = new Set<string>();
  const pending = new Map<string, OfferedRecord>();
  let pendingBytes = 0;
  let refused = false;
  let closed = false;
  let failing = false;
  let refreshing: Promise<void> | null = null;
  let tail: Promise<unknown> = files.clean(false).catch(() => undefined);

  /** Everything that writes or removes, one after the other. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = tail.then(work);
    tail = done.catch(() => undefined);
    return done;
  };
  const storageProblem = (says: "snapshotsNotRemoved" | "roomNotChanged", error: unknown) =>
    new LongsightError("storage", say(says, { folder }), messageOf(error));

  const setAside = async (name: string, reason: Message, documents: Entry["documents"]) => {
    catalogue.delete(name);
    if (!(await files.putAside(name))) ignored.add(name);
    const names = documents.map((document) => document.name);
    const said = { reason, folder };
    notices.push(names.length === 0 ? say("storedDamaged", said) : say("storedDamagedOf", { ...said, files: names }));
  };

  const take = async (name: string, look: Look) => {
    if (look.kind === "gone") return;
    if (look.kind === "damaged") return setAside(name, look.reason, []);
    catalogue.add(look.kind === "foreign" ? foreignEntry(name, look) : entryOf(name, look));
  };

  let looked = false;
  const lookThrough = async () => {
    await settingsFile.read();
    const before = catalogue.names();
    const listed = new Set(await files.list());
    for (const name of before) if (!listed.has(name)) catalogue.delete(name);
    const unknown = [...listed].filter((name) => catalogue.get(name) === undefined && !ignored.has(name));
    const next = async () => {
      for (let name = unknown.pop(); name !== undefined; name = unknown.pop()) {
        const own = name;
        await files.look(own).then(
          (look) => take(own, look),
          // What cannot be read is no snapshot; it may be readable the next time.
          () => undefined,
        );
      }
    };
    await Promise.all(Array.from({ length: looksAtOnce }, next));
    looked = true;
  };

  const refresh = (): Promise<void> => {
    refreshing ??= lookThrough()
      .catch((error: unknown) => {
        noteFailure("snapshotsNotRead", error);
      })
      .finally(() => {
        refreshing = null;
      });
    return refreshing;
  };

  const noteFailure = (says: "snapshotsNotRead" | "snapshotsNotStored", error: unknown) => {
    refused = true;
    if (failing) return;
    failing = true;
    notices.push(say(says, { folder, why: writeFaults[systemCode(error)] ?? messageOf(error) }));
  };

  const removeAll = async (names: readonly string[]) => {
    for (const name of names) {
      await files.remove(name);
      catalogue.delete(name);
    }
  };

  /** Removes files until so many bytes more are within the budget. @returns false where they never can be */
  const makeRoom = async (bytes: number, keep: ReadonlySet<string>): Promise<boolean> => {
    if (!looked) await refresh();
    const { budgetBytes } = settingsFile.current();
    if (catalogue.bytes + bytes <= budgetBytes) return true;
    // Another process may have used, written or removed some.
    await refresh();
    for (const entry of [...catalogue.entries()]) {
      const found = await files.measure(entry.name);
      if (found === null) catalogue.delete(entry.name);
      else catalogue.add({ ...entry, ...found });
    }
    const names = chooseEvictions(catalogue.entries(), budgetBytes, bytes, keep);
    if (names !== null) await removeAll(names);
    return names !== null;
  };

  const chainOf = (key: string): ReadonlySet<string> => {
    const keys = new Set<string>();
    for (let at: Entry | undefined = catalogue.get(fileNameOf(key, "chunk")); at !== undefined; ) {
      keys.add(at.key);
      at = catalogue.get(fileNameOf(at.parent, "chunk"));
    }
    return keys;
  };

  /** Documents of which nothing is to be kept any more. */
  const forgotten = new Set<string>();
  const isForgotten = ({ metadata: { documents } }: OfferedRecord) => documents.some(({ id }) => forgotten.has(id));

  const store = async (record: OfferedRecord) => {
    const { metadata, key } = record;
    const parent = parentOf(metadata);
    const isReachable = parent === metadata.root || catalogue.get(fileNameOf(parent, "chunk")) !== undefined;
    if (refused || closed || !isReachable || isForgotten(record)) return;
    try {
      const bytes = await files.write(record, (size) => makeRoom(size, chainOf(parent)));
      if (bytes === null) {
        refused = true;
        return noteTooSmall(record);
      }
      failing = false;
      const name = fileNameOf(key, metadata.kind);
      // A copy: a view would hold on to its whole prompt.
      catalogue.add(entryOf(name, { metadata, tokens: record.tokens.slice(), bytes, usedAt: Date.now() }));
      await removeAll(replacedBy(catalogue, name));
    } catch (error) {
      noteFailure("snapshotsNotStored", error);
    }
  };

  const clear = (documentId: string | null) =>
    inTurn(async () => {
      await refresh();
      try {
        if (documentId !== null) return await removeAll(namesOfDocument(catalogue, documentId));
        await removeAll(withDescendants(catalogue, catalogue.names()));
        await files.clean(true);
      } catch (error) {
        throw storageProblem("snapshotsNotRemoved", error);
      }
    });

  let told = false;
  const noteTooSmall = ({ metadata: { documents } }: OfferedRecord) => {
    if (told || settingsFile.current().budgetBytes === 0) return;
    told = true;
    const names = documents.map((document) => document.name);
    notices.push(names.length === 0 ? say("partStored") : say("partStoredOf", { files: names }));
  };

  return {
    folder,
    settings: settingsFile.current,
    refresh,
    find: (root, prompt, options) => findPrefix(catalogue, root, prompt, options),
    has: (key, kind) => catalogue.get(fileNameOf(key, kind)) !== undefined || pending.has(fileNameOf(key, kind)),
    covered(parent, tokens) {
      const stored = [...catalogue.childrenOf(parent)].filter((entry) => entry.kind === "chunk");
      const waiting = [...pending.values()].filter((record) => record.metadata.kind === "chunk" && record.metadata.parent === parent);
      return Math.max(0, ...[...stored, ...waiting].map((chunk) => commonTokens(chunk.tokens, tokens, 0)));
    },
    async load(name, signal) {
      const entry = catalogue.get(name);
      try {
        const reading = await files.read(name, signal);
        if (reading.kind === "record") return reading;
        if (reading.kind === "damaged") await setAside(name, reading.reason, entry?.documents ?? []);
        else if (!signal.aborted) catalogue.delete(name);
      } catch (error) {
        catalogue.delete(name);
        ignored.add(name);
        notices.push(say("storedUnreadable", { folder, why: messageOf(error) }));
      }
      return null;
    },
    async touch(names) {
      const now = new Date();
      for (const name of names) {
        await files.touch(name, now);
        const entry = catalogue.get(name);
        if (entry !== undefined) catalogue.add({ ...entry, usedAt: now.getTime() });
      }
    },
    resume() {
      refused = false;
    },
    hasRoom: (bytes) => pending.size === 0 || pendingBytes + bytes <= mostPendingBytes,
    offer(record) {
      if (refused || closed || settingsFile.current().budgetBytes === 0 || isForgotten(record)) return "refused";
      const bytes = [...record.sections.values()].reduce((sum, section) => sum + section.byteLength, 0);
      if (pending.size > 0 && pendingBytes + bytes > mostPendingBytes) return "later";
      const name = fileNameOf(record.key, record.metadata.kind);
      pending.set(name, record);
      pendingBytes += bytes;
      void inTurn(() => store(record)).finally(() => {
        pendingBytes -= bytes;
        if (pending.get(name) === record) pending.delete(name);
      });
      return "queued";
    },
    async settled() {
      await tail;
    },
    async usage() {
      await refresh();
      return { folder, settings: settingsFile.current(), ...measureUsage(catalogue) };
    },
    clear,
    forget(documentId) {
      forgotten.add(documentId);
      return clear(documentId);
    },
    welcome: (documentId) => void forgotten.delete(documentId),
    configure: (change) =>
      inTurn(async () => {
        await refresh();
        try {
          await settingsFile.change(change);
          await makeRoom(0, new Set());
        } catch (error) {
          throw storageProblem("roomNotChanged", error);
        }
      }),
    tell: (notice) => void notices.push(notice),
    takeNotices: () => notices.splice(0),
    async close(limitMs) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([tail, limit]);
      clearTimeout(timer);
      closed = true;
    },
  };
}
