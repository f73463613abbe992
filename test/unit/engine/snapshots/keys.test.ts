import { describe, expect, it } from "vitest";
import { gridTokens } from "../../../../electron/engine/conversation/prefill.ts";
import {
  chunkKey,
  chunkTokens,
  identitySchema,
  keptKey,
  rootOf,
  type SnapshotIdentity,
  windowEnds,
} from "../../../../electron/engine/snapshots/keys.ts";
import { hashOf, identity, joined, root, someTokens } from "./support.ts";

describe("the root of all chains", () => {
  const others: Record<keyof SnapshotIdentity, SnapshotIdentity> = {
    model: { ...identity, model: hashOf("another model") },
    template: { ...identity, template: hashOf("another template") },
    kvType: { ...identity, kvType: "q8_0" },
    form: { ...identity, form: "q8_0" },
    build: { ...identity, build: "linux-x64-cpu-2" },
    addonVersion: { ...identity, addonVersion: 4 },
    variant: { ...identity, variant: "haswell" },
    gpu: { ...identity, gpu: "vulkan" },
    contextLength: { ...identity, contextLength: 4096 },
  };

  it.each(Object.entries(others))("is another one with another %s", (_, other) => {
    expect(rootOf(other)).not.toBe(root);
  });

  it("is the same for the same facts, in whatever order they stand", () => {
    expect(rootOf(identitySchema.parse(Object.fromEntries(Object.entries(identity).reverse())))).toBe(root);
  });
});

describe("a chunk's key", () => {
  const tokens = someTokens(chunkTokens);

  it("depends on each of its tokens, on how many there are, and on all before them", () => {
    const keys = new Set([chunkKey(root, tokens)]);
    for (const place of [0, 1, 255, 511]) {
      const changed = tokens.slice();
      changed[place] = (changed[place] ?? 0) + 1;
      keys.add(chunkKey(root, changed));
    }
    keys.add(chunkKey(root, tokens.subarray(0, 448)));
    keys.add(chunkKey(chunkKey(root, tokens), tokens));
    expect(keys.size).toBe(7);
  });

  it("is the tokens' wherever they lie in memory", () => {
    expect(chunkKey(root, joined(someTokens(3, 2), tokens).subarray(3))).toBe(chunkKey(root, tokens));
  });

  it("is never a kept cache's, whose own depends on policy, budget and choice", () => {
    const about = { policy: "lookahead", budget: 256, choice: "" };
    const keys = [about, { ...about, policy: "snapkv" }, { ...about, budget: 255 }, { ...about, choice: "seed 1" }].map((one) =>
      keptKey(root, one, tokens),
    );
    expect(new Set([...keys, keptKey(root, about, tokens.subarray(1)), chunkKey(root, tokens)]).size).toBe(6);
  });
});

describe("the ends at which windows are stored", () => {
  it.each([63, 64, 511, 512, 700, 2048, 2100, 5000, 8192])("lie on the grid within a prompt of %i tokens", (length) => {
    const ends = windowEnds(length);
    expect(new Set(ends).size).toBe(ends.length);
    for (const end of ends) {
      expect(end % gridTokens).toBe(0);
      expect(end).toBeGreaterThan(0);
      expect(end).toBeLessThanOrEqual(length);
    }
    if (length >= 64) expect(ends).toContain(Math.floor(length / 64) * 64);
    if (length >= 512) expect(ends).toContain(Math.floor(length / 512) * 512);
  });

  it("are few", () => {
    expect(windowEnds(5000)).toEqual([2048, 4096, 4608, 4992]);
  });
});
