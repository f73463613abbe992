import { createHash } from "node:crypto";
import * as disk from "node:fs/promises";
import { appendFile, mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createModelHashes } from "../../../../electron/engine/snapshots/modelHash.ts";
import { openSnapshots } from "../../../../electron/engine/snapshots/snapshots.ts";
import { diskWith, someTokens, systemError, temporaryFolder } from "./support.ts";

let folder = "";
let file = "";
let remove: () => Promise<void>;
const silent = new AbortController().signal;
const content = Buffer.alloc(3_000_001, "model");
const expected = createHash("sha256").update(content).digest("hex");

beforeEach(async () => {
  ({ folder, remove } = await temporaryFolder());
  file = join(folder, "..", "model.gguf");
  await mkdir(join(folder, ".."), { recursive: true });
  await writeFile(file, content);
});
afterEach(() => remove());

const stampOf = async (hashes: ReturnType<typeof createModelHashes>) => {
  const stamp = await hashes.stamp(file);
  if (stamp === null) throw new Error("no file");
  return stamp;
};

describe("a model file's hash", () => {
  it("is the whole file's, and remembered for as long as the file is the same", async () => {
    const hashes = createModelHashes(folder, disk);
    const stamp = await stampOf(hashes);
    expect(await hashes.remembered(file, stamp)).toBeNull();
    expect(await hashes.compute(file, stamp, silent)).toBe(expected);
    const next = createModelHashes(folder, disk);
    expect(await next.remembered(file, await stampOf(next))).toBe(expected);
    await utimes(file, 1000, 1000);
    expect(await next.remembered(file, await stampOf(next))).toBeNull();
  });

  it("is not told of a file that changes meanwhile, is gone, or when it is stopped", async () => {
    const hashes = createModelHashes(folder, disk);
    const stamp = await stampOf(hashes);
    const computing = hashes.compute(file, stamp, silent);
    await appendFile(file, "more");
    expect(await computing).toBeNull();
    expect(await hashes.compute(file, stamp, silent)).toBeNull();
    const controller = new AbortController();
    controller.abort();
    expect(await hashes.compute(file, await stampOf(hashes), controller.signal)).toBeNull();
    expect(await hashes.stamp(join(folder, "none.gguf"))).toBeNull();
  });

  it("is computed where it cannot be remembered, and where what is remembered is broken", async () => {
    const hashes = createModelHashes(
      folder,
      diskWith({ open: (path, flags, mode) => (flags === "wx" ? Promise.reject(systemError("EROFS")) : disk.open(path, flags, mode)) }),
    );
    expect(await hashes.compute(file, await stampOf(hashes), silent)).toBe(expected);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "models.json"), "{broken");
    const next = createModelHashes(folder, disk);
    expect(await next.remembered(file, await stampOf(next))).toBeNull();
    await next.compute(file, await stampOf(next), silent);
    expect(JSON.parse(await readFile(join(folder, "models.json"), "utf8"))).toHaveLength(1);
  });
});

describe("a model's snapshots", () => {
  const facts = {
    chatTemplate: "template",
    kvType: "f16",
    hasWindows: false,
    contextLength: null,
    build: "b",
    addonVersion: 2,
    variant: "zen4",
    gpu: null,
  } as const;

  it("hold a kept cache, once the file is known", async () => {
    const snapshots = openSnapshots(folder);
    const stamp = await snapshots.hashes.stamp(file);
    const model = await snapshots.forModel({ ...facts, path: file, stamp });
    const tokens = someTokens(300);
    const about = { policy: "lookahead", budget: 4, choice: "module 1" };
    const kept = {
      heads: 3,
      budgets: [6, 2],
      indices: Uint32Array.from({ length: 24 }, (_, index) => index),
      rows: new Uint8Array(480).fill(7),
    };
    expect(model.kept.save(about, tokens, kept, [])).toBe("refused");
    await model.identified;
    expect(model.kept.save(about, tokens, kept, [])).toBe("queued");
    await snapshots.store.settled();

    const next = await openSnapshots(folder).forModel({ ...facts, path: file, stamp });
    expect(await next.kept.load(about, tokens, silent)).toEqual(kept);
    for (const other of [
      { ...about, budget: 5 },
      { ...about, policy: "snapkv" },
      { ...about, choice: "module 2" },
    ]) {
      expect(await next.kept.load(other, tokens, silent)).toBeNull();
    }
    expect(await next.kept.load(about, tokens.subarray(1), silent)).toBeNull();
    for (const change of [{ kvType: "q8_0" }, { chatTemplate: null }, { build: "c" }, { variant: "haswell" }] as const) {
      const other = await openSnapshots(folder).forModel({ ...facts, ...change, path: file, stamp });
      expect(await other.kept.load(about, tokens, silent)).toBeNull();
    }
  });

  it("are none for a file that nobody saw before its weights were loaded", async () => {
    const snapshots = openSnapshots(folder);
    const model = await snapshots.forModel({ ...facts, path: file, stamp: null });
    await model.identified;
    const kept = { heads: 1, budgets: [1], indices: Uint32Array.of(1), rows: new Uint8Array(4) };
    expect(model.kept.save({ policy: "x", budget: 1, choice: "" }, someTokens(2), kept, [])).toBe("refused");
  });
});
