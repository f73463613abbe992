import { describe, expect, it } from "vitest";
import { coverageOf, thinPages } from "../../../../renderer/heat/coverage.ts";
import { heatmapOf } from "../../support/heatmap.ts";

const page = (number: number, tokens: number) => ({
  kind: "page" as const,
  document: "a",
  page: number,
  pieces: Array.from({ length: tokens }, () => " x"),
});
const prompt = heatmapOf([{ kind: "control", pieces: ["<"] }, page(1, 50), page(2, 50), page(3, 5), { kind: "question", pieces: ["?"] }]);
const layerHeads = prompt.layers * prompt.heads;

describe("coverageOf", () => {
  it("tells the kept share of each page", () => {
    const kept = new Uint16Array(prompt.promptTokens);
    kept.fill(layerHeads, 1, 26);
    kept.fill(layerHeads, 51, 52);
    const pages = coverageOf(prompt.parts, kept, layerHeads);
    expect(pages.map(({ page: number, tokens, keptShare }) => [number, tokens, keptShare])).toEqual([
      [1, 50, 0.5],
      [2, 50, 0.02],
      [3, 5, 0],
    ]);
    // The third is too short to say anything.
    expect(thinPages(pages).map(({ page: number }) => number)).toEqual([2]);
  });

  it("calls nothing thin where all is kept, or where there is one page", () => {
    expect(thinPages(coverageOf(prompt.parts, new Uint16Array(prompt.promptTokens).fill(layerHeads), layerHeads))).toEqual([]);
    expect(thinPages(coverageOf(prompt.parts, new Uint16Array(prompt.promptTokens), layerHeads).slice(0, 1))).toEqual([]);
  });
});
