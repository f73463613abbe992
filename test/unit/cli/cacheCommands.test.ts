import * as disk from "node:fs/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clearCache, listCache } from "../../../electron/cli/cacheCommands.ts";
import { createOutput } from "../../../electron/cli/output.ts";
import { readDocumentFile } from "../../../electron/engine/documents/files.ts";
import { createEngine, type Engine } from "../../../electron/engine/engine.ts";
import { createKeptSnapshots } from "../../../electron/engine/snapshots/keptSnapshots.ts";
import { createSnapshotStore } from "../../../electron/engine/snapshots/store.ts";
import { hashOf, root, someTokens } from "../engine/snapshots/support.ts";

let folder = "";
let engine: Engine;
const call = { signal: new AbortController().signal, emit: () => undefined };

/** Keeps something of a document: so many bytes, and a little for what is said of them. */
async function keep(id: string, name: string, bytes: number): Promise<void> {
  const store = createSnapshotStore(join(folder, "snapshots"), disk);
  const kept = { heads: 1, budgets: [1], indices: Uint32Array.of(0), rows: new Uint8Array(bytes) };
  createKeptSnapshots(store, () => root).save({ policy: "snapkv", budget: 1, choice: id }, someTokens(2), kept, [{ id, name }]);
  await store.settled();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "longsight cache 報告-"));
  engine = createEngine({
    dataFolder: folder,
    modelFolders: [],
    moduleFolders: [],
    version: "0",
    documentWorker: "",
    forgetful: true,
    snapshotFolder: join(folder, "snapshots"),
  });
});
afterEach(async () => {
  await engine.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function written(work: (output: ReturnType<typeof createOutput>) => Promise<void>, json = false): Promise<string> {
  let text = "";
  const sink = { write: (more: string) => (text += more) };
  await work(createOutput(json, sink, sink));
  return text;
}

const list = (options: { budget?: number; form?: "exact" | "q8_0" } = {}) =>
  written((output) => listCache(engine, { name: "cache-list", options: { all: false, json: false, ...options } }, output, call));
const clear = (documents: string[] | null) =>
  written((output) => clearCache(engine, { name: "cache-clear", documents, json: false }, output, call));
const names = async () => (await engine.call("snapshotUsage", {}, call)).documents.map((document) => document.name).sort();

describe("cache list", () => {
  it("names each document with its bytes, and the room there is", async () => {
    await keep(hashOf("a"), "a.pdf", 3_000_000);
    await keep(hashOf("b"), "報告.pdf", 40_000_000);
    const lines = (await list()).split("\n");
    expect(lines[0]).toBe(`43 MB of 10 GB used in ${join(folder, "snapshots")}`);
    expect(lines.slice(1, 3).sort()[1]).toMatch(
      new RegExp(`^ +40 MB {2}報告\\.pdf {2}\\(${hashOf("b").slice(0, 12)}, used \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\)$`),
    );
  });

  it("changes the room and the form first, where they are named", async () => {
    await keep(hashOf("a"), "a.pdf", 3_000_000);
    expect(await list({ budget: 2_000_000, form: "q8_0" })).toBe(`0 kB of 2 MB used in ${join(folder, "snapshots")}, stored as q8_0\n`);
    expect(await list({ budget: 5_000_000 })).toContain("of 5 MB used");
    expect(await list()).toContain("stored as q8_0");
  });
});

describe("cache clear", () => {
  beforeEach(async () => {
    await keep(hashOf("a"), "a.pdf", 1_000_000);
    await keep(hashOf("b"), "b.pdf", 2_000_000);
    await keep(hashOf("c"), "a.pdf", 3_000_000);
  });

  it("takes a name, or the beginning of an id", async () => {
    expect(await clear(["b.pdf", hashOf("c").slice(0, 12)])).toMatch(/^5 MB freed\. /);
    expect(await names()).toEqual(["a.pdf"]);
  });

  it("takes all", async () => {
    expect(await clear(null)).toMatch(/^6 MB freed\. 0 kB of 10 GB used/);
    expect(await names()).toEqual([]);
  });

  it("takes the file itself, whatever it is called now", async () => {
    const path = join(folder, "renamed.txt");
    await writeFile(path, "content");
    await expect(clear([path])).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("Nothing is kept of") });
    await keep((await readDocumentFile(path, "renamed.txt", undefined)).id, "before.txt", 10);
    await clear([path]);
    expect(await names()).toEqual(["a.pdf", "a.pdf", "b.pdf"]);
  });

  it("does not guess between two of one name, and clears nothing that was not named", async () => {
    await expect(clear(["a.pdf"])).rejects.toMatchObject({ code: "usage", message: expect.stringContaining("2 documents") });
    await expect(clear([hashOf("a").slice(0, 3)])).rejects.toMatchObject({ code: "usage" });
    await expect(clear(["no such file"])).rejects.toMatchObject({ code: "usage" });
    expect(await names()).toHaveLength(3);
  });
});

it("an engine that keeps nothing says so", async () => {
  const forgetful = createEngine({
    dataFolder: folder,
    modelFolders: [],
    moduleFolders: [],
    version: "0",
    documentWorker: "",
    forgetful: true,
  });
  await expect(forgetful.call("snapshotUsage", {}, call)).rejects.toMatchObject({ code: "not-supported" });
  await forgetful.dispose();
});
