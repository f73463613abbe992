import * as disk from "node:fs/promises";
import { readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { chunkKey, chunkTokens, tokenBytes } from "../../../../electron/engine/snapshots/keys.ts";
import { createSnapshotStore, type OfferedRecord, type SnapshotStore } from "../../../../electron/engine/snapshots/store.ts";
import { diskWith, hashOf, root, someTokens, systemError, temporaryFolder } from "./support.ts";

// Random sequences of everything that can happen to the folder, against a plain model of it: after each step the same files are there,
// and whatever is given out is what was handed over.

/** Numbers below `below`, the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A file as the model knows it. */
type Known = { record: OfferedRecord; bytes: number; usedAt: number; damaged: boolean };

const documentsOf = (prompt: number) => [{ id: hashOf(`document ${prompt % 3}`), name: `${prompt % 3}.pdf` }];

/** Some prompts of up to five chunks that share beginnings, the last chunk of some shorter. */
function somePrompts(random: (below: number) => number): OfferedRecord[][] {
  const prompts: OfferedRecord[][] = [];
  for (let prompt = 0; prompt < 8; prompt++) {
    const from = prompts[random(prompts.length + 1)] ?? [];
    const shared = from.filter((record) => record.tokens.length === chunkTokens).slice(0, random(4));
    const records = [...shared];
    const own = 1 + random(3);
    for (let at = 0; at < own; at++) {
      const isLast = at === own - 1;
      const length = isLast && random(2) === 0 ? 64 * (1 + random(7)) : chunkTokens;
      const tokens = someTokens(chunkTokens, prompt * 100 + at).subarray(0, length);
      const parent = records[records.length - 1]?.key ?? root;
      const key = chunkKey(parent, tokens);
      const rows = new Uint8Array(Buffer.alloc(length * 4, Buffer.from(key, "hex")));
      records.push({
        metadata: { kind: "chunk", root, parent, start: records.length * chunkTokens, documents: documentsOf(prompt) },
        key,
        tokens,
        sections: new Map([
          ["tokens", tokenBytes(tokens)],
          ["rows", rows],
        ]),
      });
    }
    prompts.push(records);
  }
  return prompts;
}

const nameOf = (record: OfferedRecord) => `${record.key}.chunk`;
const parentOf = ({ metadata }: OfferedRecord) => (metadata.kind === "chunk" ? metadata.parent : root);

/** The model's way of making room: one file after the other, by looking at all of them each time. */
function makeRoom(model: Map<string, Known>, budget: number, incoming: number, chain: ReadonlySet<string>): boolean {
  const present = () => [...model.values()];
  const isWhole = (known: Known): boolean => {
    const parent = parentOf(known.record);
    const before = model.get(`${parent}.chunk`);
    return parent === root || (before !== undefined && isWhole(before));
  };
  const gone: string[] = [];
  const copy = new Map(model);
  const sum = () => present().reduce((bytes, known) => bytes + known.bytes, incoming);
  while (sum() > budget) {
    const leaves = present().filter(
      (known) => !chain.has(known.record.key) && !present().some((other) => parentOf(other.record) === known.record.key),
    );
    // Which chains are broken is judged before anything is removed, as nothing removed here can break one.
    const [first] = leaves.sort(
      (one, other) =>
        Number(isWhole(one)) - Number(isWhole(other)) ||
        one.usedAt - other.usedAt ||
        nameOf(one.record).localeCompare(nameOf(other.record)),
    );
    if (first === undefined) {
      for (const name of gone) {
        const known = copy.get(name);
        if (known !== undefined) model.set(name, known);
      }
      return false;
    }
    gone.push(nameOf(first.record));
    model.delete(nameOf(first.record));
  }
  return true;
}

let remove: () => Promise<void> = async () => undefined;
afterEach(async () => {
  vi.useRealTimers();
  await remove();
});

describe("random sequences", () => {
  it.each(Array.from({ length: 24 }, (_, seed) => seed + 1))("leave what a plain model has (seed %i)", async (seed) => {
    const temporary = await temporaryFolder();
    const { folder } = temporary;
    remove = temporary.remove;
    const random = randomOf(seed * 7919);
    const prompts = somePrompts(random);
    const model = new Map<string, Known>();
    let budget = 10_000_000_000;
    let store: SnapshotStore = createSnapshotStore(folder, disk);
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2020-01-01") });
    const silent = new AbortController().signal;

    const names = async () => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".chunk")).sort();
    const chainOf = (record: OfferedRecord) => {
      const keys = new Set<string>();
      for (let at = model.get(`${parentOf(record)}.chunk`); at !== undefined; at = model.get(`${parentOf(at.record)}.chunk`))
        keys.add(at.record.key);
      return keys;
    };
    /** Bytes of a record's file, by writing it once elsewhere. */
    const sizes = new Map<string, number>();
    const sizeOf = async (record: OfferedRecord): Promise<number> => {
      const known = sizes.get(record.key);
      if (known !== undefined) return known;
      const other = createSnapshotStore(join(folder, "..", "sizes"), disk);
      const alone = { ...record, metadata: { ...record.metadata, root: parentOf(record) } };
      other.offer(alone);
      await other.settled();
      const { size } = await stat(join(folder, "..", "sizes", nameOf(record)));
      sizes.set(record.key, size);
      return size;
    };

    const write = async (records: readonly OfferedRecord[]) => {
      store.resume();
      await store.refresh();
      const isRefused = { value: budget === 0 };
      for (const record of records) {
        if (store.has(record.key, "chunk")) continue;
        const answer = store.offer(record);
        expect(answer).toBe(isRefused.value ? "refused" : "queued");
        await store.settled();
        if (answer === "refused") return;
        const bytes = await sizeOf(record);
        if (!makeRoom(model, budget, bytes, chainOf(record))) {
          isRefused.value = true;
          continue;
        }
        for (const [name, other] of model) {
          const isShorter = parentOf(other.record) === parentOf(record) && other.record.tokens.length < record.tokens.length;
          if (isShorter && other.record.tokens.every((token, at) => token === record.tokens[at])) model.delete(name);
        }
        model.set(nameOf(record), { record, bytes, usedAt: Date.now(), damaged: false });
      }
      // The file system has its own clock; the model's stands still.
      for (const [name, known] of model) await utimes(join(folder, name), known.usedAt / 1000, known.usedAt / 1000);
    };

    const read = async (records: readonly OfferedRecord[]) => {
      await store.refresh();
      const prompt = Uint32Array.from(records.flatMap((record) => [...record.tokens]));
      const chunks = store.find(root, prompt, { limit: prompt.length, cells: 1 << 20, windows: false })?.chunks ?? [];
      let whole = 0;
      for (const record of records) {
        if (!model.has(nameOf(record))) break;
        whole++;
      }
      expect(chunks.length).toBeGreaterThanOrEqual(whole);
      const used: string[] = [];
      for (const { name } of chunks) {
        const known = model.get(name);
        const loaded = await store.load(name, silent);
        if (known === undefined || known.damaged) {
          expect(loaded).toBeNull();
          model.delete(name);
          break;
        }
        expect(loaded?.sections.get("rows")).toEqual(known.record.sections.get("rows"));
        used.push(name);
      }
      await store.touch(used);
      for (const name of used) {
        const known = model.get(name);
        if (known !== undefined) known.usedAt = Date.now();
      }
    };

    const anyName = () => [...model.keys()].sort()[random(Math.max(1, model.size))];
    for (let step = 0; step < 30; step++) {
      vi.setSystemTime(Date.now() + 60_000);
      const prompt = prompts[random(prompts.length)] ?? [];
      const what = random(20);
      if (what < 8) await write(prompt);
      else if (what < 12) await read(prompt);
      else if (what < 13) {
        const name = anyName();
        const known = name === undefined ? undefined : model.get(name);
        if (name !== undefined && known?.damaged === false) {
          const bytes = await readFile(join(folder, name));
          const at = bytes.length - 1 - random(100);
          bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
          await writeFile(join(folder, name), bytes);
          await utimes(join(folder, name), known.usedAt / 1000, known.usedAt / 1000);
          known.damaged = true;
        }
      } else if (what < 14) {
        const name = anyName();
        if (name !== undefined) await rm(join(folder, name));
        if (name !== undefined) model.delete(name);
      } else if (what < 15) {
        // A crash between writing and renaming: neither the rename nor the cleaning up is done.
        const crashing = createSnapshotStore(
          folder,
          diskWith({ rename: () => Promise.reject(systemError("EIO")), rm: () => Promise.reject(systemError("EIO")) }),
        );
        await crashing.refresh();
        for (const record of prompt) if (!crashing.has(record.key, "chunk")) crashing.offer(record);
        await crashing.settled();
      } else if (what < 17) {
        store = createSnapshotStore(folder, disk);
        await store.refresh();
      } else if (what < 19) {
        budget = [0, 8_000, 15_000, 30_000, 10_000_000_000][random(5)] ?? 0;
        await store.configure({ budgetBytes: budget });
        expect(makeRoom(model, budget, 0, new Set())).toBe(true);
      } else {
        const id = hashOf(`document ${random(3)}`);
        await store.clear(id);
        const isOf = (known: Known): boolean => {
          const before = model.get(`${parentOf(known.record)}.chunk`);
          return known.record.metadata.documents.some((document) => document.id === id) || (before !== undefined && isOf(before));
        };
        for (const name of [...model].filter(([, known]) => isOf(known)).map(([own]) => own)) model.delete(name);
      }
      expect(await names()).toEqual([...model.keys()].sort());
      expect((await store.usage()).totalBytes).toBe([...model.values()].reduce((sum, known) => sum + known.bytes, 0));
    }
  });
});
