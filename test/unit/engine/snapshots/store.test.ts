import * as disk from "node:fs/promises";
import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chunkKey, chunkTokens, tokenBytes } from "../../../../electron/engine/snapshots/keys.ts";
import type { Disk } from "../../../../electron/engine/snapshots/recordFiles.ts";
import { createSnapshotStore, type OfferedRecord, type SnapshotStore } from "../../../../electron/engine/snapshots/store.ts";
import { diskWith, hashOf, root, someTokens, systemError, temporaryFolder } from "./support.ts";

let folder = "";
let remove: () => Promise<void>;
const silent = new AbortController().signal;
const open = (fileSystem: Disk = disk, options?: Parameters<typeof createSnapshotStore>[2]) =>
  createSnapshotStore(folder, fileSystem, options);

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
});
afterEach(async () => {
  await remove();
});

/** Rows that say which chunk they are of. */
const rowsOf = (key: string, bytes = 4000) => new Uint8Array(Buffer.alloc(bytes, Buffer.from(key, "hex")));

function chunk(
  parent: string,
  start: number,
  tokens: Uint32Array,
  { bytes = 4000, documents = [{ id: hashOf("a"), name: "a.pdf" }] } = {},
): OfferedRecord {
  const key = chunkKey(parent, tokens);
  const sections = new Map([
    ["tokens", tokenBytes(tokens)],
    ["rows", rowsOf(key, bytes)],
  ] as const);
  return { metadata: { kind: "chunk", root, parent, start, documents }, key, tokens, sections };
}

/** The chunks of a prompt of `count` chunks. */
function chain(count: number, seed = 1, options: Parameters<typeof chunk>[3] = {}): OfferedRecord[] {
  const records: OfferedRecord[] = [];
  for (let at = 0; at < count; at++) {
    records.push(chunk(records[at - 1]?.key ?? root, at * chunkTokens, someTokens(chunkTokens, seed * 1000 + at), options));
  }
  return records;
}

const pick = (records: readonly OfferedRecord[], index: number): OfferedRecord => {
  const record = records[index];
  if (record === undefined) throw new Error(`no record ${index}`);
  return record;
};
/** A chain of one chunk. */
const single = (seed = 1) => pick(chain(1, seed), 0);

const promptOf = (records: readonly OfferedRecord[]) => Uint32Array.from(records.flatMap((record) => [...record.tokens]));
const nameOf = (record: OfferedRecord) => `${record.key}.chunk`;

async function put(store: SnapshotStore, records: readonly OfferedRecord[]): Promise<void> {
  for (const record of records) expect(store.offer(record)).toBe("queued");
  await store.settled();
}

async function found(store: SnapshotStore, records: readonly OfferedRecord[]): Promise<number> {
  await store.refresh();
  return (store.find(root, promptOf(records), { limit: 1 << 20, cells: 1 << 20, windows: false })?.chunks ?? []).length;
}

describe("a stored chunk", () => {
  it("is given out by the next process as it was handed over", async () => {
    const records = chain(3);
    await put(open(), records);
    const next = open();
    expect(await found(next, records)).toBe(3);
    for (const record of records) {
      const loaded = await next.load(nameOf(record), silent);
      expect(loaded?.sections.get("rows")).toEqual(record.sections.get("rows"));
    }
    expect(next.takeNotices()).toEqual([]);
  });

  it("lies in a folder and in a file that are this user's alone", async () => {
    await put(open(), chain(1));
    const [name] = await readdir(folder);
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect((await stat(join(folder, name ?? ""))).mode & 0o077).toBe(0);
  });

  it.each(Array.from({ length: 20 }, (_, place) => place))("is never given out with a bit flipped (place %i)", async (place) => {
    const records = chain(2);
    await put(open(), records);
    const first = pick(records, 0);
    const path = join(folder, nameOf(first));
    const bytes = await readFile(path);
    const at = place < 10 ? place * 7 : Math.floor((bytes.length - 1) * ((place - 9) / 10));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (place % 8));
    await writeFile(path, bytes);
    const store = open();
    await store.refresh();
    expect(await store.load(nameOf(first), silent)).toBeNull();
    // It is out of the way, or (its version's number was hit) looks like another version's and is left alone.
    const isForeign = at >= 8 && at < 12;
    expect((await readdir(join(folder, "damaged")).catch(() => [])).length).toBe(isForeign ? 0 : 1);
    expect(store.takeNotices().length).toBe(isForeign ? 0 : 1);
    expect(await found(store, records)).toBe(0);
    // Written anew, everything serves again.
    await put(store, [first]);
    expect(await found(open(), records)).toBe(2);
  });

  it.each([0, 1, 47, 48, 200, 3000])("is never given out cut off after %i bytes", async (length) => {
    const record = single();
    await put(open(), [record]);
    const path = join(folder, nameOf(record));
    await writeFile(path, (await readFile(path)).subarray(0, length));
    const store = open();
    expect(await found(store, [record])).toBe(0);
    expect(await store.load(nameOf(record), silent)).toBeNull();
    expect(store.takeNotices()).toHaveLength(1);
  });

  it("is never given out under another key", async () => {
    const [one, two] = [chain(1, 1), chain(1, 2)];
    await put(open(), [...one, ...two]);
    await disk.copyFile(join(folder, nameOf(pick(one, 0))), join(folder, nameOf(pick(two, 0))));
    const store = open();
    expect(await found(store, two)).toBe(0);
    expect(await found(store, one)).toBe(1);
    expect(store.takeNotices()).toHaveLength(1);
  });

  it("that is damaged is kept to be looked at, of many the last two", async () => {
    const records = [1, 2, 3, 4].flatMap((seed) => chain(1, seed));
    const store = open();
    await put(store, records);
    for (const record of records) await writeFile(join(folder, nameOf(record)), "damaged");
    const next = open();
    await next.refresh();
    expect(next.takeNotices()).toHaveLength(4);
    expect(await readdir(join(folder, "damaged"))).toHaveLength(2);
    await next.clear(null);
    expect((await readdir(folder)).filter((name) => name !== "settings.json")).toEqual([]);
  });

  it("in whose place a folder is serves again once that is put aside, which is told once", async () => {
    const record = single();
    await mkdir(join(folder, nameOf(record)), { recursive: true });
    await writeFile(join(folder, nameOf(record), "letter.txt"), "somebody's");
    const store = open();
    expect(await found(store, [record])).toBe(0);
    expect(store.takeNotices()).toMatchObject([{ message: expect.stringContaining("it is a folder") }]);
    const [aside] = await readdir(join(folder, "damaged"));
    expect(await readFile(join(folder, "damaged", aside ?? "", "letter.txt"), "utf8")).toBe("somebody's");
    await put(store, [record]);
    const next = open();
    expect(await found(next, [record])).toBe(1);
    expect(await next.load(nameOf(record), silent)).not.toBeNull();
    expect(next.takeNotices()).toEqual([]);
  });

  it("that a folder keeps from its place is not taken for stored", async () => {
    const record = single();
    const store = open();
    await store.refresh();
    await mkdir(join(folder, nameOf(record)), { recursive: true });
    await put(store, [record]);
    expect(store.has(record.key, "chunk")).toBe(false);
    expect(store.takeNotices()).toHaveLength(1);
  });

  it("that vanishes while it is looked up is a miss, without a word", async () => {
    const records = chain(2);
    const store = open();
    await put(store, records);
    await rm(join(folder, nameOf(pick(records, 1))));
    expect(await store.load(nameOf(pick(records, 1)), silent)).toBeNull();
    expect(await found(store, records)).toBe(1);
    expect(store.takeNotices()).toEqual([]);
  });
});

describe("a disk that fails", () => {
  const failing = (code: string): Disk =>
    diskWith({
      open: async (path, flags, mode) => {
        if (flags === "wx") throw systemError(code);
        return disk.open(path, flags, mode);
      },
    });
  /** Takes so many bytes and is full then. */
  const small = (bytes: number): Disk => {
    let left = bytes;
    return diskWith({
      open: async (path, flags, mode) => {
        const file = await disk.open(path, flags, mode);
        if (flags !== "wx") return file;
        return new Proxy(file, {
          get(target, property) {
            if (property !== "write") {
              const value: unknown = Reflect.get(target, property, target);
              return typeof value === "function" ? value.bind(target) : value;
            }
            return async (buffer: Uint8Array, offset: number, length: number) => {
              if (left < length) throw systemError("ENOSPC");
              left -= length;
              return target.write(buffer, offset, length);
            };
          },
        });
      },
    });
  };

  it.each(["ENOSPC", "EACCES", "EROFS", "EIO"])("with %s is told once, and nothing half-written stays", async (code) => {
    const store = open(failing(code));
    for (const record of chain(3)) store.offer(record);
    await store.settled();
    expect(store.takeNotices()).toHaveLength(1);
    expect(store.offer(single())).toBe("refused");
    // The next reading tries again, and says nothing new.
    store.resume();
    store.offer(single());
    await store.settled();
    expect(store.takeNotices()).toEqual([]);
    expect(await readdir(folder).catch(() => [])).toEqual([]);
  });

  it("that becomes full in the middle keeps what was whole", async () => {
    const records = chain(4);
    const store = open(small(2 * 6600 + 3000));
    for (const record of records) store.offer(record);
    await store.settled();
    expect(
      store
        .takeNotices()
        .map(({ message }) => message)
        .join(),
    ).toContain("the disk is full");
    expect(await found(open(), records)).toBe(2);
    expect((await readdir(folder)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  it("that cannot be written still gives out what it has, damage is passed over", async () => {
    const records = chain(2);
    await put(open(), records);
    await writeFile(join(folder, nameOf(pick(records, 1))), "damaged");
    const readOnly = diskWith({
      rename: () => Promise.reject(systemError("EROFS")),
      rm: () => Promise.reject(systemError("EROFS")),
      utimes: () => Promise.reject(systemError("EROFS")),
      mkdir: () => Promise.reject(systemError("EROFS")),
    });
    const store = open(readOnly);
    expect(await found(store, records)).toBe(1);
    expect(store.takeNotices()).toHaveLength(1);
    expect((await store.load(nameOf(pick(records, 0)), silent)) === null).toBe(false);
    await store.touch(records.map(nameOf));
    // The damaged file could not be moved: it is not looked at, and not told of, again.
    expect(await found(store, records)).toBe(1);
    expect(store.takeNotices()).toEqual([]);
    await expect(store.clear(null)).rejects.toMatchObject({ code: "storage" });
  });

  it("without the folder is an empty one, and the folder is made again when it is taken away", async () => {
    const store = open();
    expect(await found(store, chain(1))).toBe(0);
    await put(store, chain(1, 1));
    await rm(folder, { recursive: true });
    expect(await found(store, chain(1, 1))).toBe(0);
    await put(store, chain(1, 2));
    expect(await found(store, chain(1, 2))).toBe(1);
    expect(store.takeNotices()).toEqual([]);
  });

  it("with a file in the folder's place is told once", async () => {
    await mkdir(join(folder, ".."), { recursive: true });
    await writeFile(folder, "");
    const store = open();
    await store.refresh();
    store.offer(single());
    await store.settled();
    await store.refresh();
    expect(store.takeNotices()).toHaveLength(1);
  });
});

describe("the room on disk", () => {
  it("goes to what was used last, and chains lose their ends first", async () => {
    const store = open();
    const [old, young] = [chain(3, 1), chain(3, 2)];
    await put(store, [...old, ...young]);
    const each = (await store.usage()).totalBytes / 6;
    for (const [index, record] of [...young, ...old].entries()) await utimes(join(folder, nameOf(record)), 1000 + index, 1000 + index);
    // The old one is used, which another process sees by its files' times.
    await open().touch(old.map(nameOf));
    await store.configure({ budgetBytes: Math.ceil(each * 4) });
    expect([await found(store, old), await found(store, young)]).toEqual([3, 1]);
    await store.configure({ budgetBytes: Math.ceil(each * 2) });
    expect([await found(store, old), await found(store, young)]).toEqual([2, 0]);
    expect((await store.usage()).totalBytes).toBeLessThanOrEqual(each * 2);
  });

  it("is kept to while writing: the chain that is written never loses its own beginning", async () => {
    const store = open();
    await put(store, chain(1, 9));
    const each = (await store.usage()).totalBytes;
    await store.configure({ budgetBytes: Math.ceil(each * 3.5) });
    const records = chain(6, 1);
    for (const record of records) store.offer(record);
    await store.settled();
    expect(await found(store, records)).toBe(3);
    expect((await store.usage()).totalBytes).toBeLessThanOrEqual(each * 3.5);
    expect(store.takeNotices()).toHaveLength(1);
  });

  it("of 0 keeps nothing, and is remembered", async () => {
    await put(open(), chain(1));
    await open().configure({ budgetBytes: 0, form: "q8_0" });
    const store = open();
    await store.refresh();
    expect(store.settings()).toEqual({ budgetBytes: 0, form: "q8_0" });
    expect((await store.usage()).totalBytes).toBe(0);
    expect(store.offer(single())).toBe("refused");
    await store.configure({ form: "exact" });
    expect(store.settings()).toEqual({ budgetBytes: 0, form: "exact" });
  });

  it("takes the defaults for settings that are broken", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "settings.json"), '{"budgetBytes": -3}');
    const store = open();
    expect((await store.usage()).settings).toEqual({ budgetBytes: 10_000_000_000, form: "exact" });
  });
});

describe("what a crash leaves", () => {
  it("is removed after an hour, and never taken for a snapshot", async () => {
    await mkdir(folder, { recursive: true });
    const record = single();
    const [fresh, old] = [`${nameOf(record)}.77-aabbccdd.new`, `${nameOf(record)}.78-aabbccdd.new`];
    for (const name of [fresh, old, "someone's file.txt"]) await writeFile(join(folder, name), "half");
    await utimes(join(folder, old), new Date(), new Date(Date.now() - 7_200_000));
    const store = open();
    await store.settled();
    expect(await found(store, [record])).toBe(0);
    expect((await readdir(folder)).sort()).toEqual([fresh, "someone's file.txt"].sort());
    await store.clear(null);
    expect(await readdir(folder)).toContain("someone's file.txt");
  });
});

describe("two processes", () => {
  it("write and evict in one folder without getting in each other's way", async () => {
    const [one, other] = [open(), open()];
    const shared = chain(4, 1);
    for (const record of shared) {
      one.offer(record);
      other.offer(record);
    }
    await Promise.all([one.settled(), other.settled()]);
    expect([await found(one, shared), await found(other, shared)]).toEqual([4, 4]);
    const each = (await one.usage()).totalBytes / 4;
    await one.configure({ budgetBytes: Math.ceil(each * 2) });
    // The other keeps to the same room, and misses what is gone.
    const more = chain(1, 2);
    expect(await other.load(nameOf(pick(shared, 3)), silent)).toBeNull();
    await other.refresh();
    await put(other, more);
    expect(await found(one, more)).toBe(1);
    expect((await one.usage()).totalBytes).toBeLessThanOrEqual(each * 2);
    expect([...one.takeNotices(), ...other.takeNotices()]).toEqual([]);
  });
});

describe("closing", () => {
  it("waits for what was handed over", async () => {
    const records = chain(5);
    const store = open();
    for (const record of records) store.offer(record);
    await store.close(5000);
    expect(await found(open(), records)).toBe(5);
    expect(store.offer(single(3))).toBe("refused");
  });

  it("does not wait for a disk that hangs", async () => {
    const store = open(diskWith({ mkdir: () => new Promise(() => undefined) }));
    store.offer(single());
    const started = performance.now();
    await store.close(100);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("what waits to be written", () => {
  it("is bounded in bytes: the rest has to come again", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = open(
      diskWith({
        mkdir: async (path, options) => {
          await held;
          return disk.mkdir(path, options);
        },
      }),
      { mostPendingBytes: 15_000 },
    );
    // One record may be as large as it likes; a second one waits outside.
    const records = chain(2, 1, { bytes: 20_000 });
    const [large, small] = [pick(records, 0), pick(records, 1)];
    expect(store.hasRoom(20_000)).toBe(true);
    expect(store.offer(large)).toBe("queued");
    expect(store.hasRoom(20_000)).toBe(false);
    expect(store.offer(small)).toBe("later");
    release();
    await store.settled();
    expect(store.offer(small)).toBe("queued");
    await store.settled();
    expect(await found(store, [large, small])).toBe(2);
  });
});

// Root may read and write everything, so that a folder's own permissions can be tried by others only.
describe.skipIf(process.getuid?.() === 0)("a folder without permission", () => {
  it("is told once", async () => {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o500);
    const store = open();
    store.offer(single());
    await store.settled();
    expect(store.takeNotices()).toHaveLength(1);
    await chmod(folder, 0o700);
  });
});
