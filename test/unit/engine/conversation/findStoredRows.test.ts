import * as disk from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findStoredRows } from "../../../../electron/engine/conversation/gatherStored.ts";
import { createTailSlot } from "../../../../electron/engine/conversation/promptTail.ts";
import { createPromptSnapshots } from "../../../../electron/engine/snapshots/promptSnapshots.ts";
import { createSnapshotStore, type SnapshotStore } from "../../../../electron/engine/snapshots/store.ts";
import { diskWith, fakeContext, root, someTokens, systemError, temporaryFolder } from "../snapshots/support.ts";

const ofHead = { keys: 8, values: 8 };
const header = { slidingWindow: 0, headBytes: { f16: ofHead, q8_0: ofHead, q4_0: ofHead } };
const silent = new AbortController().signal;

let folder = "";
let remove: () => Promise<void>;
let store: SnapshotStore;
/** What lets the files be written; until then each waits. */
let letWrite: () => void;
let writing: Promise<void>;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  writing = new Promise((resolve) => {
    letWrite = resolve;
  });
  const { open } = disk;
  store = createSnapshotStore(
    folder,
    diskWith({
      async open(path, flags, mode) {
        if (flags === "wx") await writing;
        return open(path, flags, mode);
      },
    }),
  );
});
afterEach(async () => {
  letWrite();
  await store.close(1000);
  await remove();
});

/** A prompt that was read, handed over, and evicted from. */
async function evicted(tokens: Uint32Array) {
  const open = () => createPromptSnapshots(tokens, { store, root: () => root, form: "exact", hasWindows: false, documents: [] });
  const rows = fakeContext();
  rows.decode(tokens);
  const snapshots = open();
  await snapshots.save(rows, tokens.length);
  const tail = createTailSlot();
  await tail.remember({ readRows: rows.readRows, buffers: () => ({ cache: 1, compute: 1 }) }, tokens, snapshots);
  return { loaded: { model: { header }, tail }, last: { prompt: { tokens }, snapshots: open() } };
}

describe("stored rows of a prompt", () => {
  it.each([1024, 1088, 1100, 1500])("of %i tokens are all there: on disk, or behind that in memory", async (length) => {
    letWrite();
    const { loaded, last } = await evicted(someTokens(length));
    await store.settled();
    const found = await findStoredRows(loaded, last, silent);
    expect(found?.stored.tokens).toBeGreaterThanOrEqual(found?.tail.start ?? Number.NaN);
    expect(found?.tail.rows).toHaveLength(16 * (length - (found?.tail.start ?? 0)));
  });

  it("are waited for while they are being written", async () => {
    const { loaded, last } = await evicted(someTokens(1500));
    const finding = findStoredRows(loaded, last, silent);
    letWrite();
    expect((await finding)?.stored.tokens).toBe(1472);
  });

  it("are not waited for beyond Stop", async () => {
    const { loaded, last } = await evicted(someTokens(1500));
    const controller = new AbortController();
    const finding = findStoredRows(loaded, last, controller.signal);
    controller.abort();
    await expect(finding).rejects.toMatchObject({ code: "cancelled" });
  });

  it("are gone with their document, the part in memory too", async () => {
    letWrite();
    const { loaded, last } = await evicted(someTokens(1100));
    await store.settled();
    loaded.tail.clear();
    expect(await findStoredRows(loaded, last, silent)).toBeNull();
  });

  it("are missing where the disk refused them after they were handed over", async () => {
    letWrite();
    await store.close(1000);
    store = createSnapshotStore(folder, diskWith({ open: () => Promise.reject(systemError("ENOSPC")) }));
    const { loaded, last } = await evicted(someTokens(1500));
    expect(await findStoredRows(loaded, last, silent)).toBeNull();
  });
});
