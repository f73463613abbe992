import * as disk from "node:fs/promises";
import { readdir } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SnapshotForm } from "../../../../electron/contract/snapshots.ts";
import { nextStepEnd, onGrid } from "../../../../electron/engine/conversation/prefill.ts";
import { createPromptSnapshots, type PlacedDocument } from "../../../../electron/engine/snapshots/promptSnapshots.ts";
import { createSnapshotStore, type SnapshotStore } from "../../../../electron/engine/snapshots/store.ts";
import { type FakeContext, fakeContext, hashOf, joined, root, someTokens, temporaryFolder } from "./support.ts";

let folder = "";
let remove: () => Promise<void>;
let store: SnapshotStore;
const silent = new AbortController().signal;

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  store = createSnapshotStore(folder, disk);
});
afterEach(async () => {
  await store.close(1000);
  await remove();
});

type Options = { form?: SnapshotForm; hasWindows?: boolean; documents?: readonly PlacedDocument[]; known?: () => boolean };

const snapshotsOf = (prompt: Uint32Array, { form = "exact", hasWindows = false, documents = [], known = () => true }: Options = {}) =>
  createPromptSnapshots(prompt, { store, root: () => (known() ? root : null), form, hasWindows, documents });

/** Reads a prompt as the engine does: restores what there is, reads the rest in steps on the grid. @returns where reading began */
async function read(context: FakeContext, prompt: Uint32Array, options: Options & { until?: number; inMemory?: number } = {}) {
  const snapshots = snapshotsOf(prompt, options);
  const inMemory = options.inMemory ?? 0;
  let position = context.truncate(inMemory);
  const stored = await snapshots.find({ inMemory: position, limit: onGrid(prompt.length - 1), cells: 1 << 20 });
  const positions: number[] = [];
  if (stored !== null) {
    await snapshots.restore(context, stored, position, {
      signal: silent,
      onProgress: () => undefined,
      onPosition: (at) => positions.push(at),
    });
  }
  position = positions[positions.length - 1] ?? position;
  expect(position).toBe(context.tokens);
  expect(context.isTrue(prompt)).toBe(true);
  const began = position;
  const until = options.until ?? prompt.length;
  while (position < until) {
    const to = Math.min(until, nextStepEnd(position, prompt.length, 128));
    context.decode(prompt.subarray(position, to));
    await snapshots.save(context, to);
    position = to;
  }
  await snapshots.save(context, position, options.until !== undefined);
  await store.settled();
  return began;
}

describe("a prompt that was read before", () => {
  it.each([300, 512, 700, 1024, 1180, 1984, 3000])("of %i tokens is there again but for its last step", async (length) => {
    const prompt = someTokens(length);
    expect(await read(fakeContext(), prompt)).toBe(0);
    const again = fakeContext();
    expect(await read(again, prompt)).toBe(onGrid(length - 1));
    expect(again.isTrue(prompt)).toBe(true);
    expect(store.takeNotices()).toEqual([]);
  });

  it("is not stored where reading is as fast", async () => {
    await read(fakeContext(), someTokens(250));
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });

  it("is shared by conversations: another question begins where the document ends", async () => {
    const document = someTokens(2000);
    await read(fakeContext(), joined(document, someTokens(40, 2)));
    const other = joined(document, someTokens(60, 3));
    expect(await read(fakeContext(), other)).toBe(onGrid(2000));
    expect(await read(fakeContext(), joined(someTokens(10, 9), document))).toBe(0);
  });

  it("grows with the conversation, and the chunk that grew is not kept twice", async () => {
    const first = joined(someTokens(1200), someTokens(60, 2));
    await read(fakeContext(), first);
    const second = joined(first, someTokens(200, 3));
    await read(fakeContext(), second);
    const third = joined(second, someTokens(300, 4));
    expect(await read(fakeContext(), third)).toBe(onGrid(second.length));
    // Three whole chunks and the last: no shorter forms of them.
    expect((await readdir(folder)).filter((name) => name.endsWith(".chunk"))).toHaveLength(onGrid(third.length) % 512 === 0 ? 3 : 4);
  });

  it("does not leave a chunk for every question about the same document", async () => {
    const document = someTokens(1900);
    for (let question = 0; question < 5; question++) await read(fakeContext(), joined(document, someTokens(50, 10 + question)));
    expect((await readdir(folder)).filter((name) => name.endsWith(".chunk"))).toHaveLength(4);
  });

  it("goes on from memory where that holds more, and fills in only what it lacks", async () => {
    const prompt = someTokens(3000);
    const context = fakeContext();
    await read(context, prompt);
    context.log.length = 0;
    expect(await read(context, prompt, { inMemory: onGrid(2999) })).toBe(onGrid(2999));
    expect(context.log).toEqual([]);
    const behind = fakeContext();
    behind.decode(prompt.subarray(0, 640));
    expect(await read(behind, prompt, { inMemory: 640 })).toBe(onGrid(2999));
    // The chunk in which memory ends is filled in anew, the one before is not.
    expect(behind.log[0]).toBe("write 512-1024");
  });

  it("that was stopped goes on where it was left", async () => {
    const prompt = someTokens(3000);
    await read(fakeContext(), prompt, { until: 1920 });
    expect(await read(fakeContext(), prompt)).toBe(1920);
  });

  it("is stored from its beginning where the model's file was not known yet", async () => {
    const prompt = someTokens(2000);
    let known = false;
    const context = fakeContext();
    const snapshots = snapshotsOf(prompt, { known: () => known });
    expect(await snapshots.find({ inMemory: 0, limit: 1984, cells: 4096 })).toBeNull();
    context.decode(prompt.subarray(0, 1024));
    await snapshots.save(context, 1024);
    expect(context.log).toEqual([]);
    known = true;
    context.decode(prompt.subarray(1024));
    await snapshots.save(context, 2000);
    await store.settled();
    expect(await read(fakeContext(), prompt)).toBe(1984);
  });

  it("in one form is not there in the other's keys", async () => {
    const prompt = someTokens(1000);
    await read(fakeContext(), prompt, { form: "q8_0" });
    const context = fakeContext();
    const stored = await snapshotsOf(prompt, { form: "exact" }).find({ inMemory: 0, limit: 960, cells: 4096 });
    // Here both have the same root, so that the store gives it out: the rows' length gives it away.
    if (stored === null) throw new Error("nothing found");
    const positions: number[] = [];
    await snapshotsOf(prompt).restore(context, stored, 0, {
      signal: silent,
      onProgress: () => undefined,
      onPosition: (at) => positions.push(at),
    });
    expect(positions).toEqual([]);
    expect(context.tokens).toBe(0);
  });

  it("is left out where a context has no room for its chunk", async () => {
    const prompt = someTokens(1500);
    await read(fakeContext(), prompt);
    const short = prompt.slice(0, 1100);
    const stored = await snapshotsOf(short).find({ inMemory: 0, limit: 1088, cells: 1280 });
    expect(stored?.tokens).toBe(1024);
    expect((await snapshotsOf(short).find({ inMemory: 0, limit: 1088, cells: 1536 }))?.tokens).toBe(1088);
  });
});

describe("a model with sliding windows", () => {
  const options = { hasWindows: true };

  it("goes on only from an end whose window is there", async () => {
    const prompt = someTokens(3000);
    await read(fakeContext({ windows: true }), prompt, options);
    const again = fakeContext({ windows: true });
    expect(await read(again, prompt, options)).toBe(onGrid(2999));
    expect(again.log.slice(0, 7)).toEqual([
      "write 0-512",
      "write 512-1024",
      "write 1024-1536",
      "write 1536-2048",
      "write 2048-2560",
      "write 2560-2944",
      "window in",
    ]);
    // Another question: the last whole chunk, since its window was stored as well.
    const other = joined(prompt.subarray(0, 2900), someTokens(50, 7));
    expect(await read(fakeContext({ windows: true }), other, options)).toBe(2560);
  });

  it("that was stopped goes on from the last window", async () => {
    const prompt = someTokens(5000);
    await read(fakeContext({ windows: true }), prompt, { ...options, until: 3456 });
    expect(await read(fakeContext({ windows: true }), prompt, options)).toBe(2048);
  });

  it("whose window is damaged is read from the start", async () => {
    const prompt = someTokens(1000);
    await read(fakeContext({ windows: true }), prompt, options);
    for (const name of (await readdir(folder)).filter((entry) => entry.endsWith(".window"))) {
      const bytes = await disk.readFile(`${folder}/${name}`);
      bytes[bytes.length - 3] = (bytes[bytes.length - 3] ?? 0) ^ 1;
      await disk.writeFile(`${folder}/${name}`, bytes);
    }
    expect(await read(fakeContext({ windows: true }), prompt, options)).toBe(0);
    expect(
      store
        .takeNotices()
        .map(({ message }) => message)
        .join(),
    ).toContain("put aside");
  });
});

describe("restoring", () => {
  it("ends at a cancel, and what was filled in until then counts", async () => {
    const prompt = someTokens(3000);
    await read(fakeContext(), prompt);
    const snapshots = snapshotsOf(prompt);
    const stored = await snapshots.find({ inMemory: 0, limit: 2944, cells: 4096 });
    if (stored === null) throw new Error("nothing found");
    const controller = new AbortController();
    const context = fakeContext();
    let position = 0;
    const restoring = snapshots.restore(context, stored, 0, {
      signal: controller.signal,
      onProgress: (tokens) => tokens >= 1024 && controller.abort(),
      onPosition(at) {
        position = at;
      },
    });
    await expect(restoring).rejects.toMatchObject({ code: "cancelled" });
    expect(position).toBe(1024);
    expect(context.tokens).toBe(1024);
    expect(store.takeNotices()).toEqual([]);
  });

  it("ends where a chunk is damaged: that one is read again and stored anew, and those behind it serve again", async () => {
    const prompt = someTokens(2600);
    await read(fakeContext(), prompt);
    const names = (await readdir(folder)).filter((name) => name.endsWith(".chunk"));
    const third = (await snapshotsOf(prompt).find({ inMemory: 0, limit: 2560, cells: 4096 }))?.chunks[2]?.name ?? "";
    const bytes = await disk.readFile(`${folder}/${third}`);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 0x10;
    await disk.writeFile(`${folder}/${third}`, bytes);
    const context = fakeContext();
    expect(await read(context, prompt)).toBe(1024);
    expect(context.isTrue(prompt)).toBe(true);
    expect(
      store
        .takeNotices()
        .map(({ message }) => message)
        .join(),
    ).toContain("damaged");
    expect((await readdir(folder)).filter((name) => name.endsWith(".chunk")).sort()).toEqual(names.sort());
    expect(context.log.filter((entry) => entry.startsWith("read"))).toEqual(["read 1024-1536"]);
    expect(await read(fakeContext(), prompt)).toBe(2560);
  });

  it("says whose reading it was", async () => {
    const prompt = someTokens(1300);
    const documents = [
      { id: hashOf("a"), name: "a.pdf", firstToken: 30 },
      { id: hashOf("b"), name: "b.pdf", firstToken: 600 },
    ];
    await read(fakeContext(), prompt, { documents });
    const usage = await store.usage();
    const [a, b] = ["a", "b"].map((name) => usage.documents.find((document) => document.documentId === hashOf(name)));
    expect(a?.bytes).toBe(usage.totalBytes);
    expect(b?.bytes ?? 0).toBeGreaterThan(0);
    expect(b?.bytes ?? 0).toBeLessThan(a?.bytes ?? 0);
    // Without the second document, the part before it stays.
    await store.clear(hashOf("b"));
    expect(await read(fakeContext(), prompt, { documents })).toBe(512);
    await store.clear(hashOf("a"));
    expect((await store.usage()).totalBytes).toBe(0);
  });
});
