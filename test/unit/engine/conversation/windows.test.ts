import { describe, expect, it } from "vitest";
import { nextWindowStep, reusableBehind, roomFor, viewFrom } from "../../../../electron/engine/conversation/windows.ts";

/** Reads as a cache would: every step, and where it was evicted. */
function readAll({
  base,
  end,
  cells,
  behind,
  budget,
  stepTokens,
}: Record<"base" | "end" | "cells" | "behind" | "budget" | "stepTokens", number>) {
  const evictedAt: number[] = [];
  const ends: number[] = [];
  let used = 0;
  let most = 0;
  let grid = base;
  for (let from = base; from < end; ) {
    const to = nextWindowStep({ from, base: grid, end, room: cells - used - behind, stepTokens });
    if (to === null) {
      if (used <= budget) throw new Error(`no room at ${from}`);
      evictedAt.push(from);
      used = budget;
      grid = from;
      continue;
    }
    used += to - from;
    most = Math.max(most, used + behind);
    ends.push(to);
    from = to;
  }
  return { evictedAt, ends, most };
}

describe("a reading in windows", () => {
  it("evicts at the same places, however long its steps are, and never needs more than its cells", () => {
    let evictions = 0;
    for (const cells of [640, 768, 1000]) {
      for (const end of [100, 640, 1947, 5000]) {
        const plan = { base: 37, end, cells, behind: 192, budget: 128 };
        const first = readAll({ ...plan, stepTokens: 64 });
        for (const stepTokens of [128, 192, 512]) {
          const { evictedAt, most } = readAll({ ...plan, stepTokens });
          expect(evictedAt).toEqual(first.evictedAt);
          expect(most).toBeLessThanOrEqual(cells);
        }
        for (const place of first.evictedAt) expect((place - 37) % 64).toBe(0);
        expect(first.ends.at(-1)).toBe(end);
        evictions += first.evictedAt.length;
      }
    }
    expect(evictions).toBeGreaterThan(10);
  });

  it("reads as far as there is room, on the grid that begins where it was evicted last", () => {
    const step = { from: 100, base: 100, end: 1000, stepTokens: 512 };
    expect(nextWindowStep({ ...step, room: 700 })).toBe(612);
    expect(nextWindowStep({ ...step, room: 300 })).toBe(100 + 256);
    expect(nextWindowStep({ ...step, room: 63 })).toBeNull();
    // The rest behind the last line of the grid is a step of its own.
    expect(nextWindowStep({ ...step, from: 996, room: 4 })).toBe(1000);
    expect(nextWindowStep({ ...step, from: 996, room: 3 })).toBeNull();
  });
});

describe("what was read before the last eviction", () => {
  const read = Array.from({ length: 300 }, (_, index) => index);

  it("serves a prompt that begins with all of it", () => {
    expect(reusableBehind(read, 100, [...read, 7, 8, 9])).toBe(100 + 192);
    expect(reusableBehind(read, 100, [...read.slice(0, 170), 9999])).toBe(164);
    expect(reusableBehind(read, 100, [...read.slice(0, 120), 9999])).toBe(100);
  });

  it("never all of a prompt, whose last logits are needed", () => {
    expect(reusableBehind(read, 100, read.slice(0, 164))).toBe(100);
    expect(reusableBehind(read, 100, read.slice(0, 101))).toBe(100);
    expect(reusableBehind(read, 100, read.slice(0, 100))).toBeNull();
  });

  it("serves none that differs before the eviction", () => {
    expect(reusableBehind(read, 100, [...read.slice(0, 99), 9999, ...read.slice(100)])).toBeNull();
    expect(reusableBehind([], 0, [1, 2, 3])).toBe(0);
    expect(reusableBehind(read, 100, [])).toBeNull();
  });
});

describe("the view", () => {
  const prompt = Uint32Array.from({ length: 1000 }, (_, index) => index);

  it("is the question with what follows it, as far as it is still to come", () => {
    expect(viewFrom(prompt, 500, 970)).toEqual(prompt.subarray(970));
    expect(viewFrom(prompt, 980, 970)).toEqual(prompt.subarray(980));
  });

  it("is the end of a long question", () => {
    expect(viewFrom(prompt, 100, 300)).toEqual(prompt.subarray(840));
  });
});

it("a kept cache takes as many tokens again as its budget, and no fewer than an answer usually has", () => {
  expect(roomFor(64)).toBe(256);
  expect(roomFor(1024)).toBe(1024);
});
