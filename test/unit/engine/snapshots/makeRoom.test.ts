import { describe, expect, it } from "vitest";
import {
  createCatalogue,
  type Entry,
  findPrefix,
  measureUsage,
  namesOfDocument,
  withDescendants,
} from "../../../../electron/engine/snapshots/catalogue.ts";
import { chooseEvictions } from "../../../../electron/engine/snapshots/makeRoom.ts";
import { hashOf, root, someTokens } from "./support.ts";

/** A chunk called by a letter, behind another one or (null) first. */
const entry = (letter: string, before: string | null, usedAt: number, change: Partial<Entry> = {}): Entry => ({
  name: letter,
  kind: "chunk",
  key: hashOf(letter),
  root,
  parent: before === null ? root : hashOf(before),
  start: 0,
  tokens: new Uint32Array(0),
  bytes: 10,
  usedAt,
  documents: [],
  ...change,
});

describe("chooseEvictions", () => {
  const chains = [entry("a", null, 1), entry("b", "a", 1), entry("c", "b", 5), entry("x", null, 3), entry("y", "x", 2)];

  it("takes nothing where there is room", () => {
    expect(chooseEvictions(chains, 50, 0)).toEqual([]);
    expect(chooseEvictions(chains, 60, 10)).toEqual([]);
  });

  it("takes the least recently used end of a chain, then what has become one", () => {
    expect(chooseEvictions(chains, 40, 0)).toEqual(["y"]);
    expect(chooseEvictions(chains, 30, 0)).toEqual(["y", "x"]);
    // a and b were used least, but c builds on them.
    expect(chooseEvictions(chains, 20, 0)).toEqual(["y", "x", "c"]);
    expect(chooseEvictions(chains, 0, 0)).toEqual(["y", "x", "c", "b", "a"]);
  });

  it("takes first what cannot be reached any more", () => {
    const broken = entry("z", "gone", 99);
    expect(chooseEvictions([...chains, broken, entry("w", "z", 100)], 50, 0)).toEqual(["w", "z"]);
  });

  it("leaves the chain that is being written, and says where that is too long", () => {
    const chain = new Set(["a", "b", "c"].map(hashOf));
    expect(chooseEvictions(chains, 40, 10, chain)).toEqual(["y", "x"]);
    expect(chooseEvictions(chains, 35, 10, chain)).toBeNull();
  });

  it("counts what is larger than the rest by its bytes", () => {
    expect(chooseEvictions([entry("a", null, 1, { bytes: 100 }), entry("b", null, 2), entry("c", null, 3)], 20, 0)).toEqual(["a"]);
  });

  it("takes other versions' files and kept caches in their turn, and windows before their chunk", () => {
    const others = [
      entry("chunk", null, 3),
      entry("window", "chunk", 4, { kind: "window" }),
      entry("kept", null, 2, { kind: "kept" }),
      entry("foreign", null, 1, { kind: "foreign", parent: "" }),
    ];
    expect(chooseEvictions(others, 0, 0)).toEqual(["foreign", "kept", "window", "chunk"]);
  });
});

describe("the catalogue", () => {
  const document = (letter: string) => ({ id: hashOf(`document ${letter}`), name: `${letter}.pdf` });

  it("knows what builds on what, ends first", () => {
    const catalogue = createCatalogue();
    for (const one of [entry("a", null, 1), entry("b", "a", 1), entry("c", "b", 1), entry("d", "a", 1)]) catalogue.add(one);
    const names = withDescendants(catalogue, ["a"]);
    expect([...names].sort()).toEqual(["a", "b", "c", "d"]);
    expect(names.indexOf("c")).toBeLessThan(names.indexOf("b"));
    expect(names.indexOf("a")).toBe(3);
    expect(catalogue.bytes).toBe(40);
    catalogue.add(entry("a", null, 2, { bytes: 1 }));
    expect(catalogue.bytes).toBe(31);
    catalogue.delete("a");
    catalogue.delete("a");
    expect(catalogue.bytes).toBe(30);
  });

  it("counts by document what clearing it frees", () => {
    const catalogue = createCatalogue();
    catalogue.add(entry("a", null, 7, { documents: [document("one")] }));
    catalogue.add(entry("b", "a", 9, { documents: [document("one"), document("two")] }));
    catalogue.add(entry("k", null, 1, { kind: "kept", documents: [document("three")] }));
    const usage = measureUsage(catalogue);
    expect(usage.totalBytes).toBe(30);
    expect(usage.documents.map(({ name, bytes, usedAt }) => [name, bytes, usedAt])).toEqual([
      ["one.pdf", 20, 9],
      ["two.pdf", 10, 9],
      ["three.pdf", 10, 1],
    ]);
    for (const { documentId, bytes } of usage.documents) {
      expect(namesOfDocument(catalogue, documentId).length * 10).toBe(bytes);
    }
  });

  it("finds the longest of several beginnings, cut to what may be taken", () => {
    const catalogue = createCatalogue();
    const tokens = someTokens(700);
    const first = entry("a", null, 1, { tokens: tokens.slice(0, 512) });
    const longer = someTokens(400, 5);
    longer.set(tokens.subarray(512, 512 + 130));
    catalogue.add(first);
    catalogue.add(entry("b", "a", 1, { start: 512, tokens: longer }));
    catalogue.add(entry("c", "a", 1, { start: 512, tokens: tokens.slice(512, 576) }));
    const find = (limit: number, cells = 4096) => findPrefix(catalogue, root, tokens, { limit, cells, windows: false });
    expect(find(640)).toMatchObject({ tokens: 640, storedTokens: 912 });
    expect(find(640, 911)).toMatchObject({ tokens: 576, storedTokens: 576 });
    expect(find(576)).toMatchObject({ tokens: 576 });
    expect(find(448)).toMatchObject({ tokens: 448, storedTokens: 512 });
    expect(find(0)).toBeNull();
    expect(findPrefix(catalogue, hashOf("another root"), tokens, { limit: 640, cells: 4096, windows: false })).toBeNull();
  });
});
