import { LongsightError } from "../../contract/errors.ts";
import { say } from "../../contract/said.ts";
import type { SnapshotForm } from "../../contract/snapshots.ts";
import { gridTokens, onGrid } from "../conversation/prefill.ts";
import type { ModelContext } from "../llama/context.ts";
import type { Entry, StoredPrefix } from "./catalogue.ts";
import { chunkKey, chunkTokens, tokenBytes, windowEnds } from "./keys.ts";
import type { SectionName, SnapshotDocuments } from "./record.ts";
import type { OfferedRecord, SnapshotStore } from "./store.ts";

/** A document of a prompt, and where its first token stands. */
export type PlacedDocument = { readonly id: string; readonly name: string; readonly firstToken: number };

/** The part of a context whose rows are copied out and in. */
export type RowContext = Pick<ModelContext, "rowBytes" | "readRows" | "writeRows" | "readWindow" | "writeWindow" | "truncate">;

/** What a store holds of one prompt, and what is added to it while the prompt is read. */
export type PromptSnapshots = {
  readonly form: SnapshotForm;
  /**
   * The longest stored beginning of the prompt; null where memory holds as much.
   * @param options.inMemory tokens that the cache holds
   * @param options.limit tokens that may be taken at most, on the grid
   * @param options.cells tokens that a context can hold
   */
  find(options: { readonly inMemory: number; readonly limit: number; readonly cells: number }): Promise<StoredPrefix | null>;
  /**
   * Fills the context with a stored beginning, from where it goes beyond `from` on. What turns out to be damaged or gone ends it: what was
   * filled in before stays.
   * @param from tokens of the prompt that the context holds
   * @param options.onPosition called with the tokens that the context holds, and can be gone on from, whenever that changes
   * @param options.onProgress called with the tokens that are filled in
   * @throws LongsightError `cancelled`; the context then holds what onPosition was told last
   */
  restore(
    context: RowContext,
    stored: StoredPrefix,
    from: number,
    options: {
      readonly signal: AbortSignal;
      readonly onPosition: (position: number) => void;
      readonly onProgress: (tokens: number) => void;
    },
  ): Promise<void>;
  /**
   * Gives out the rows of a stored beginning chunk by chunk, checked, without a context to fill.
   * @param take called with a chunk's rows, and the position of the first
   * @returns false where one is gone, damaged, or not as long as these say
   * @throws LongsightError `cancelled`
   */
  read(
    stored: StoredPrefix,
    rowBytes: number,
    options: { readonly signal: AbortSignal; readonly onProgress: (tokens: number) => void },
    take: (start: number, rows: Uint8Array) => void,
  ): Promise<boolean>;
  /**
   * Waits until what was handed over is on disk, or refused.
   * @throws LongsightError `cancelled`
   */
  written(signal: AbortSignal): Promise<void>;
  /** How many of the prompt's first tokens are stored, or about to be, as far as they could be restored. */
  covered(): number;
  /**
   * Copies out of the context what is not stored yet: whole chunks, and at the prompt's last grid line, or where `isStopped`, the rest. To be
   * called after each step and once more at the end: what finds no room among the bytes that wait to be written is left for the next call.
   * @param position tokens of the prompt that the context holds
   * @param isStopped the prompt is not read further
   */
  save(context: RowContext, position: number, isStopped?: boolean): Promise<void>;
};

/** Fewer tokens are read as fast as they are restored. */
const leastTokens = 4 * gridTokens;
/** A last chunk is stored where it has so many tokens more than what is stored: each question would leave one otherwise. */
const leastGain = 2 * gridTokens;

export type PromptSnapshotsOptions = {
  readonly store: SnapshotStore;
  /** The root of the loaded model's chains; null while it is not known. */
  readonly root: () => string | null;
  readonly form: SnapshotForm;
  readonly hasWindows: boolean;
  readonly documents: readonly PlacedDocument[];
};

export function createPromptSnapshots(prompt: Uint32Array, options: PromptSnapshotsOptions): PromptSnapshots {
  const { store, form, hasWindows } = options;
  const ends = new Set(windowEnds(prompt.length));
  const documentsUntil = (end: number): SnapshotDocuments =>
    options.documents.filter((document) => document.firstToken < end).map(({ id, name }) => ({ id, name }));
  /** Keys of the prompt's whole chunks: the first is the root. Grows as they are needed. */
  const keys: string[] = [];
  let saved = 0;
  let savedUntil = 0;
  let ended = false;

  const keyBefore = (root: string, chunk: number): string => {
    if (keys[0] !== root) keys.splice(0, keys.length, root);
    for (let at = keys.length - 1; at < chunk; at++) {
      keys.push(chunkKey(keys[at] ?? root, prompt.subarray(at * chunkTokens, (at + 1) * chunkTokens)));
    }
    return keys[chunk] ?? root;
  };

  /** Copies rows out and hands them over. @returns whether to go on */
  const saveChunk = async (context: RowContext, root: string, parent: string, start: number, end: number): Promise<boolean> => {
    const tokens = prompt.subarray(start, end);
    const key = chunkKey(parent, tokens);
    if (store.has(key, "chunk")) return true;
    const bytes = rowBytesOf(context, form) * tokens.length;
    if (bytes === 0 || !store.hasRoom(bytes)) return false;
    const rows = await context.readRows(start, end, form);
    return offer({
      metadata: { kind: "chunk", root, parent, start, documents: documentsUntil(end) },
      key,
      tokens,
      sections: new Map([
        ["tokens", tokenBytes(tokens)],
        ["rows", rows],
      ]),
    });
  };
  const offer = (record: OfferedRecord): boolean => {
    const answer = store.offer(record);
    if (answer === "refused") ended = true;
    return answer === "queued";
  };

  const saveWindow = async (context: RowContext, root: string, key: string, end: number) => {
    if (store.has(key, "window")) return;
    const window = await context.readWindow();
    if (window === null) return;
    offer({
      metadata: { kind: "window", root, parent: key, end, documents: documentsUntil(end) },
      key,
      tokens: new Uint32Array(0),
      sections: new Map([["window", window]]),
    });
  };

  /** The part behind the last whole chunk. @returns the key of the chunk that ends at `end`; null where it is left out, or has to wait */
  const saveLast = async (context: RowContext, root: string, end: number): Promise<string | null> => {
    const start = saved * chunkTokens;
    const parent = keyBefore(root, saved);
    if (end <= start) return end === 0 ? null : parent;
    const tokens = prompt.subarray(start, end);
    const isWorthIt = end >= leastTokens && (hasWindows || tokens.length - store.covered(parent, tokens) >= leastGain);
    return isWorthIt && (await saveChunk(context, root, parent, start, end)) ? chunkKey(parent, tokens) : null;
  };

  const saveUntil = async (context: RowContext, root: string, position: number, isStopped: boolean) => {
    for (; (saved + 1) * chunkTokens <= position; saved++) {
      const start = saved * chunkTokens;
      if (!(await saveChunk(context, root, keyBefore(root, saved), start, start + chunkTokens))) return;
    }
    const isEnd = hasWindows ? ends.has(position) : isStopped || position >= onGrid(prompt.length);
    if (!isEnd) return;
    const end = onGrid(position);
    const key = await saveLast(context, root, end);
    if (key !== null && hasWindows) await saveWindow(context, root, key, end);
    if (key !== null || ended) savedUntil = position;
  };

  /** Reads a section of the right length; undefined where it is gone or damaged. @throws LongsightError `cancelled` */
  const sectionOf = async (entry: Entry, name: SectionName, signal: AbortSignal, bytes?: number): Promise<Uint8Array | undefined> => {
    const section = (await store.load(entry.name, signal))?.sections.get(name);
    if (signal.aborted) throw cancelled();
    return bytes === undefined || section?.byteLength === bytes ? section : undefined;
  };

  return {
    form,
    async find({ inMemory, limit, cells }) {
      store.resume();
      await store.refresh();
      const root = options.root();
      const found = root === null ? null : store.find(root, prompt, { limit, cells, windows: hasWindows });
      return found === null || found.tokens <= inMemory || found.tokens < leastTokens ? null : found;
    },
    async restore(context, stored, from, { signal, onPosition, onProgress }) {
      let position = from;
      const truncate = (to: number) => {
        if (to === position) return;
        position = context.truncate(to);
        onPosition(position);
      };
      for (const chunk of stored.chunks) {
        const end = chunk.start + chunk.tokens.length;
        // Windows are of one moment: nothing that the context holds can be gone on from, so everything is filled in anew.
        if (!hasWindows && end <= position) continue;
        const rows = await sectionOf(chunk, "rows", signal, rowBytesOf(context, form) * chunk.tokens.length);
        if (rows === undefined) return hasWindows ? truncate(0) : undefined;
        truncate(chunk.start);
        if (position !== chunk.start || !(await isTaken(context.writeRows(chunk.start, end, rows, form)))) return truncate(0);
        position = end;
        // Without its window a prefix is of no use: it counts when that is there too.
        if (!hasWindows) onPosition(Math.min(end, stored.tokens));
        onProgress(Math.min(end, stored.tokens));
      }
      truncate(stored.tokens);
      if (stored.window !== null) {
        const window = await sectionOf(stored.window, "window", signal);
        if (window === undefined || !(await isTaken(context.writeWindow(window)))) return truncate(0);
        onPosition(position);
      }
      const used = stored.window === null ? stored.chunks : [...stored.chunks, stored.window];
      await store.touch(used.map((entry) => entry.name));
    },
    async read(stored, rowBytes, { signal, onProgress }, take) {
      for (const chunk of stored.chunks) {
        const rows = await sectionOf(chunk, "rows", signal, rowBytes * chunk.tokens.length);
        if (rows === undefined) return false;
        take(chunk.start, rows);
        onProgress(Math.min(chunk.start + chunk.tokens.length, stored.tokens));
      }
      await store.touch(stored.chunks.map((chunk) => chunk.name));
      return true;
    },
    async written(signal) {
      await untilAborted(store.settled(), signal);
      if (signal.aborted) throw cancelled();
    },
    covered() {
      const root = options.root();
      if (root === null) return 0;
      const start = saved * chunkTokens;
      return onGrid(start + store.covered(keyBefore(root, saved), prompt.subarray(start)));
    },
    async save(context, position, isStopped = false) {
      const root = options.root();
      if (root === null || ended || position <= savedUntil) return;
      try {
        await saveUntil(context, root, position, isStopped);
      } catch (error) {
        ended = true;
        store.tell(say("readingNotStored", { why: error instanceof Error ? error.message : String(error) }));
      }
    },
  };
}

const cancelled = () => new LongsightError("cancelled", say("answerStopped"));

/** Waits for work that cannot be stopped, as long as nobody wants to stop. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  signal.addEventListener("abort", stop);
  await Promise.race([work, stopped]).finally(() => signal.removeEventListener("abort", stop));
}

/** 0 for a model of whose cache no row can be copied: nothing of it is stored. */
function rowBytesOf(context: RowContext, form: SnapshotForm): number {
  try {
    return context.rowBytes(form);
  } catch {
    return 0;
  }
}

/** Whether the context took what was written; one that refuses has changed nothing. */
async function isTaken(writing: Promise<void>): Promise<boolean> {
  return writing.then(
    () => true,
    () => false,
  );
}
