import { describe, expect, it } from "vitest";
import { parseLongAnswerOptions } from "../../../bench/long-answer/options.ts";
import { courseTable, type Interval, judge, verdictLines } from "../../../bench/long-answer/summary.ts";
import { UsageError } from "../../../bench/quality/options.ts";

const intervalsOf = (count: number, change: (index: number) => Partial<Interval> = () => ({})): Interval[] =>
  Array.from({ length: count }, (_, index) => ({
    from: index * 512,
    tokenMs: 20,
    tokenCpuMs: 38,
    residentBytes: 300e6,
    cacheBytes: 11_796_480,
    ...change(index),
  }));

const rising = (intervals: Interval[]) =>
  Object.entries(judge(intervals))
    .filter(([, course]) => course.isRising)
    .map(([name]) => name);

describe("the verdict on a long answer", () => {
  it("is that nothing rises where nothing does, whatever the warm-up took", () => {
    expect(rising(intervalsOf(3))).toEqual([]);
    expect(rising(intervalsOf(40, (index) => (index < 10 ? { tokenMs: 60, residentBytes: 250e6, cacheBytes: 5_898_240 } : {})))).toEqual(
      [],
    );
    // One slow interval is somebody else's.
    expect(rising(intervalsOf(40, (index) => (index === 37 ? { tokenMs: 500, residentBytes: 900e6 } : {})))).toEqual([]);
  });

  it("names what rises: slowly, or by a step", () => {
    expect(rising(intervalsOf(40, (index) => ({ tokenMs: 20 + index * 0.2 })))).toEqual(["time"]);
    expect(rising(intervalsOf(40, (index) => ({ tokenCpuMs: index > 25 ? 50 : 38 })))).toEqual(["cpu"]);
    expect(rising(intervalsOf(40, (index) => ({ residentBytes: 300e6 + index * 1e6 })))).toEqual(["resident"]);
    // Of caches a single larger one counts: they are not left to chance.
    expect(rising(intervalsOf(40, (index) => ({ cacheBytes: 11_796_480 + (index === 38 ? 23_040 : 0) })))).toEqual(["cache"]);
  });

  it("takes three intervals", () => {
    expect(() => judge(intervalsOf(2))).toThrow(RangeError);
  });

  it("is told with its figures", () => {
    const lines = verdictLines(judge(intervalsOf(8, (index) => ({ tokenMs: index < 5 ? 20 : 40 }))));
    expect(lines).toContain("caches: 11.8 MB, later 11.8 MB: no rise");
    expect(lines).toContain("a token: 20.00 ms, later 40.00 ms: IT RISES");
    const table = courseTable(intervalsOf(100)).split("\n");
    expect(table.length).toBeLessThan(24);
    expect(table.at(-1)).toContain((99 * 512).toLocaleString("en"));
  });
});

describe("options of long-answer", () => {
  it("have defaults, and refuse what cannot be", () => {
    expect(parseLongAnswerOptions([])).toEqual({
      tokens: 20_000,
      prompt: 1000,
      budget: 256,
      policy: "snapkv",
      modules: [],
      model: "smollm2",
      threads: null,
      out: null,
    });
    for (const args of [
      ["--policy", "laq"],
      ["--policy", "full"],
      ["--tokens", "10"],
      ["--budget", "x"],
    ])
      expect(() => parseLongAnswerOptions(args)).toThrow(UsageError);
  });
});
