import { describe, expect, it } from "vitest";
import { gridTokens, nextStepEnd, onGrid, reusablePrefix, stepTokensFor } from "../../../../electron/engine/conversation/prefill.ts";

/** A generator of numbers that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Walks a prompt as the prefill does and gives every step's bounds. */
function walk(start: number, length: number, stepTokens: () => number): { from: number; to: number }[] {
  const steps: { from: number; to: number }[] = [];
  for (let from = start; from < length; ) {
    const to = nextStepEnd(from, length, stepTokens());
    expect(to).toBeGreaterThan(from);
    steps.push({ from, to });
    from = to;
  }
  return steps;
}

describe("onGrid", () => {
  it("is the largest multiple that is not above", () => {
    expect([0, 1, 63, 64, 65, 127, 128, 1000].map(onGrid)).toEqual([0, 0, 0, 64, 64, 64, 128, 960]);
  });
});

describe("steps of a prefill", () => {
  it("cover every token once, with all ends but the last on the grid, whatever lengths, starts and step sizes", () => {
    const next = numbers(1);
    for (let round = 0; round < 500; round++) {
      const length = 1 + next(3_000);
      const start = onGrid(next(length));
      const steps = walk(start, length, () => gridTokens * (1 + next(8)));
      expect(steps[0]?.from).toBe(start);
      expect(steps.at(-1)?.to).toBe(length);
      for (const [index, { from, to }] of steps.entries()) {
        expect(from % gridTokens).toBe(0);
        if (index < steps.length - 1) {
          expect(to % gridTokens).toBe(0);
          expect(steps[index + 1]?.from).toBe(to);
        }
      }
    }
  });

  it("computes the rest after the last grid line in a step of its own, however large a step may be", () => {
    for (const stepTokens of [64, 512, 4096]) {
      expect(walk(0, 130, () => stepTokens).at(-1)).toEqual({ from: 128, to: 130 });
      expect(walk(0, 40, () => stepTokens)).toEqual([{ from: 0, to: 40 }]);
      expect(walk(0, 128, () => stepTokens).at(-1)?.to).toBe(128);
    }
  });

  it("cuts the same rows into grid tiles after a reused prefix as without one", () => {
    const tail = (start: number) => walk(start, 1_000, () => 128).at(-1);
    for (let start = 0; start < 1_000; start += gridTokens) expect(tail(start)).toEqual({ from: 960, to: 1_000 });
  });
});

describe("reusablePrefix", () => {
  const prompt = Uint32Array.from({ length: 300 }, (_, index) => index * 7);

  it("is what is equal, cut to the grid", () => {
    expect(reusablePrefix([...prompt.slice(0, 200)], prompt)).toBe(192);
    expect(reusablePrefix([...prompt.slice(0, 100), 1, ...prompt.slice(101)], prompt)).toBe(64);
    expect(reusablePrefix([1, ...prompt.slice(1)], prompt)).toBe(0);
    expect(reusablePrefix([], prompt)).toBe(0);
  });

  it("leaves at least the last token to compute, also where the same prompt is asked again", () => {
    for (const length of [1, 63, 64, 65, 128, 192, 300]) {
      const same = prompt.slice(0, length);
      expect(reusablePrefix([...same], same)).toBeLessThan(length);
      expect(reusablePrefix([...same, 5, 6, 7], same)).toBeLessThan(length);
    }
    expect(reusablePrefix([...prompt.slice(0, 128)], prompt.slice(0, 128))).toBe(64);
  });

  it("is below the length, on the grid and never past the first difference, for any two prompts", () => {
    const next = numbers(7);
    for (let round = 0; round < 500; round++) {
      const length = 1 + next(400);
      const asked = Uint32Array.from({ length }, () => next(3));
      const differs = next(500);
      const before = Array.from({ length: next(500) }, (_, index) => (index < differs ? (asked[index] ?? 9) : 9));
      const reused = reusablePrefix(before, asked);
      expect(reused).toBeGreaterThanOrEqual(0);
      expect(reused).toBeLessThan(length);
      expect(reused % gridTokens).toBe(0);
      expect(before.slice(0, reused)).toEqual([...asked.subarray(0, reused)]);
      // Nothing more could have been reused.
      const more = reused + gridTokens;
      const equalFurther = more < length && more <= before.length && before.slice(0, more).every((token, index) => token === asked[index]);
      expect(equalFurther).toBe(false);
    }
  });

  it("is nothing for a prompt that was given up before it had a token", () => {
    expect(reusablePrefix([1, 2, 3], new Uint32Array(0))).toBe(0);
    expect(reusablePrefix([], new Uint32Array(0))).toBe(0);
  });
});

describe("stepTokensFor", () => {
  it("takes about half a second of work, on the grid, between one tile and a batch", () => {
    for (const speed of [1, 50, 76, 128, 200, 260, 900, 1_023, 5_000, 1e9]) {
      const step = stepTokensFor(speed, 512);
      expect(step % gridTokens).toBe(0);
      expect(step).toBeGreaterThanOrEqual(gridTokens);
      expect(step).toBeLessThanOrEqual(512);
      if (step > gridTokens) expect(step / speed).toBeLessThanOrEqual(0.5);
    }
    expect(stepTokensFor(260, 512)).toBe(128);
    expect(stepTokensFor(900, 512)).toBe(448);
  });

  it("begins carefully", () => {
    expect(stepTokensFor(null, 512)).toBe(128);
    expect(stepTokensFor(null, 64)).toBe(64);
  });
});
