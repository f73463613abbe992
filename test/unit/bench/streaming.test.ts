import { describe, expect, it } from "vitest";
import { UsageError } from "../../../bench/quality/options.ts";
import { parseStreamingOptions } from "../../../bench/streaming/options.ts";
import type { StreamingOutcome } from "../../../bench/streaming/outcome.ts";
import { summarise, summaryTable } from "../../../bench/streaming/summary.ts";

const answer = { promptTokens: 100, text: "", isFound: true, cacheBytes: 1_000_000, seconds: 1 };
const outcomeOf = (index: number, depth: number, found: readonly [boolean, boolean, boolean], bytes = 700_000): StreamingOutcome => ({
  index,
  depth,
  value: "1",
  full: { ...answer, isFound: found[0] },
  streamed: [
    { ...answer, policy: "snapkv", budget: 64, evictions: 9, isFound: found[1], cacheBytes: bytes },
    { ...answer, policy: "snapkv", budget: 256, evictions: 9, isFound: found[2], cacheBytes: 900_000 },
  ],
});

describe("what streaming found", () => {
  const outcomes = [
    outcomeOf(0, 0.5, [true, false, true]),
    outcomeOf(1, 0.1, [true, true, true]),
    outcomeOf(2, 0.5, [false, false, true], 800_000),
  ];

  it("is counted by depth, with the most that caches took", () => {
    const [full, small, large] = summarise(outcomes, (budget) => budget * 10_000);
    expect(full).toMatchObject({ policy: "full", budget: null, cacheBytes: 1_000_000, limitBytes: null });
    expect(full?.found).toEqual([
      { depth: 0.1, found: 1, items: 1 },
      { depth: 0.5, found: 1, items: 2 },
    ]);
    expect(small).toMatchObject({ budget: 64, cacheBytes: 800_000, limitBytes: 640_000 });
    expect(small?.found.map(({ found }) => found)).toEqual([1, 0]);
    expect(large?.found.map(({ found }) => found)).toEqual([1, 2]);
  });

  it("says where the limit was exceeded", () => {
    const [, , small, large] = summaryTable(summarise(outcomes, (budget) => budget * 10_000)).split("\n");
    expect(small).toMatch(/snapkv +64 +1\/1 +0\/2 +1\/3 +0\.8 +0\.6 EXCEEDED/);
    expect(large).toMatch(/snapkv +256 +1\/1 +2\/2 +3\/3 +0\.9 +2\.6 kept/);
  });
});

describe("options of streaming", () => {
  it("have defaults, and refuse a cache of a size that there is none of", () => {
    expect(parseStreamingOptions([])).toMatchObject({ cap: 1792, times: 4, items: 4, budgets: [256], modules: [] });
    expect(() => parseStreamingOptions(["--cap", "2000"])).toThrow(/multiple of 256/);
    expect(() => parseStreamingOptions(["--times", "0"])).toThrow(UsageError);
  });
});
