import { describe, expect, it } from "vitest";
import { passagesOf } from "../../../../electron/engine/export/passages.ts";
import { keptLevel, shadeScale } from "../../../../electron/engine/export/shades.ts";
import { heatmapOf } from "../../cli/heatmap/support.ts";

function scaleOf(scores: readonly number[], questionScore = 0, always: readonly number[] = []) {
  const shadeOf = shadeScale(
    passagesOf(
      heatmapOf(
        [
          { kind: "page", document: "a", page: 1, pieces: scores.map(() => "x") },
          { kind: "question", pieces: ["?"] },
        ],
        { scores: (token) => scores[token] ?? questionScore, always },
      ),
    ),
  );
  return (score: number, isAlways = false) => shadeOf({ score, always: isAlways });
}

describe("shadeScale", () => {
  it("goes by rank: however unequal the scores, each shade has its share of the tokens", () => {
    const scores = Array.from({ length: 1000 }, (_, index) => 2 ** (((index * 7) % 1000) / 10));
    const shadeOf = scaleOf(scores);
    const counts = new Array<number>(7).fill(0);
    for (const score of scores) counts[shadeOf(Math.fround(score))] = (counts[shadeOf(Math.fround(score))] ?? 0) + 1;
    expect(counts).toEqual([600, 200, 100, 50, 30, 10, 10]);
  });

  it("does not let the question's scores count, and gives equal scores one shade", () => {
    const shadeOf = scaleOf([0.25, 0.25, 0.25, 0.25, 0], 1);
    expect([shadeOf(0.25), shadeOf(0), shadeOf(1)]).toEqual([6, 0, 6]);
  });

  it("leaves what is always kept out of the ranks, and without a shade", () => {
    const shadeOf = scaleOf([9, 8, 7, 1, 2, 3, 4, 5], 0, [0, 1, 2]);
    expect([shadeOf(5), shadeOf(4), shadeOf(3), shadeOf(9, true)]).toEqual([6, 1, 0, 0]);
  });

  it("has no shades where there are no scores, or no tokens", () => {
    expect(scaleOf([0, 0, 0])(0)).toBe(0);
    expect(scaleOf([])(0.5)).toBe(0);
  });
});

describe("keptLevel", () => {
  it.each([
    [0, 0],
    [22, 0],
    [23, 1],
    [44, 1],
    [45, 2],
    [67, 2],
    [68, 3],
    [90, 3],
  ])("of %i in 90 is %i", (kept, level) => {
    expect(keptLevel(kept, 90)).toBe(level);
  });
});
