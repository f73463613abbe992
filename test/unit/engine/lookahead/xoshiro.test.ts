import { describe, expect, it } from "vitest";
import { randomOf, xoshiro128 } from "../../../../electron/engine/lookahead/xoshiro.ts";

const first = (count: number, next: () => number) => Array.from({ length: count }, next);

describe("random numbers", () => {
  it("are those of xoshiro128++'s reference implementation", () => {
    expect(first(10, xoshiro128([1, 2, 3, 4]))).toEqual([
      641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011, 621204420,
    ]);
  });

  it("are the same for the same seeds, and others for any other", () => {
    expect(first(8, randomOf(1, 2, 3))).toEqual(first(8, randomOf(1, 2, 3)));
    const lists = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2], [1, 2, 0], [], [0], [0, 0], [0xffff_ffff]];
    expect(new Set(lists.map((seeds) => first(4, randomOf(...seeds)).join())).size).toBe(lists.length);
  });
});
