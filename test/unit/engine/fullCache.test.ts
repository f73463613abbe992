import { beforeEach, describe, expect, it } from "vitest";
import { createFullCache } from "../../../electron/engine/fullCache.ts";
import { standInContext } from "./standInContext.ts";

const log: string[] = [];
beforeEach(() => {
  log.length = 0;
});

const contextOf = (cells: number) =>
  standInContext({ buffers: () => ({ cache: cells * 10, compute: 1 }), dispose: async () => void log.push(`free ${cells}`) });

const create = () =>
  createFullCache(4096, async (cells) => {
    log.push(`make ${cells}`);
    return contextOf(cells);
  });

describe("the full cache", () => {
  it("is made when it is first needed, with whole blocks of cells and never more than positions", async () => {
    const cache = create();
    expect(cache.bytes()).toBe(0);
    await cache.open(null, false);
    expect(cache.bytes()).toBe(40_960);
    await cache.open(1000, false);
    await cache.open(9000, false);
    expect(log).toEqual(["make 4096", "free 4096", "make 1024", "free 1024", "make 4096"]);
  });

  it("stays where it has the size, or is larger and holds something of use", async () => {
    const cache = create();
    const first = await cache.open(2048, false);
    expect(await cache.open(2000, false)).toBe(first);
    cache.prefilled.push(1, 2, 3);
    expect(await cache.open(500, true)).toBe(first);
    expect(cache.prefilled).toEqual([1, 2, 3]);
    // Of no use: memory is worth more.
    expect(await cache.open(500, false)).not.toBe(first);
    expect(cache.prefilled).toEqual([]);
  });

  it("is made anew where it is too small, whatever it holds", async () => {
    const cache = create();
    await cache.open(512, false);
    cache.prefilled.push(1);
    await cache.open(1024, true);
    expect(cache.prefilled).toEqual([]);
    expect(log).toEqual(["make 512", "free 512", "make 1024"]);
  });

  it("gives its memory back and can be made again", async () => {
    const cache = create();
    await cache.open(512, false);
    await cache.free();
    await cache.free();
    expect(cache.bytes()).toBe(0);
    await cache.open(512, false);
    expect(log).toEqual(["make 512", "free 512", "make 512"]);
  });
});
