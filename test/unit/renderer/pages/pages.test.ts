import { describe, expect, test, vi } from "vitest";
import { createBitmapCache } from "../../../../renderer/pages/bitmapCache.ts";
import { anchorAt, layOutPages, offsetOf, pageGap, pageIndexAt } from "../../../../renderer/pages/pageLayout.ts";
import { textRunsOf } from "../../../../renderer/pages/textRuns.ts";
import { fixedZoom, nextZoom, scaleForWidth } from "../../../../renderer/pages/zoom.ts";

const bitmap = (width: number, height = 100) => ({ width, height, close: vi.fn() });

describe("pictures that are kept", () => {
  test("stay below the limit: the one used longest ago is closed", () => {
    const cache = createBitmapCache<ReturnType<typeof bitmap>>(100 * 100 * 4 * 2);
    const [first, second, third] = [bitmap(100), bitmap(100), bitmap(100)];
    cache.put(1, 100, first);
    cache.put(2, 100, second);
    expect(cache.exact(1, 100)).toBe(first);
    cache.put(3, 100, third);
    expect(second.close).toHaveBeenCalledOnce();
    expect(first.close).not.toHaveBeenCalled();
    expect(cache.exact(2, 100)).toBeNull();
    expect(cache.bytes()).toBe(100 * 100 * 4 * 2);
  });

  test("one larger than the limit is kept alone while it is shown", () => {
    const cache = createBitmapCache<ReturnType<typeof bitmap>>(10);
    const large = bitmap(100);
    cache.put(1, 100, large);
    expect(cache.exact(1, 100)).toBe(large);
    expect(large.close).not.toHaveBeenCalled();
  });

  test("the nearest width stands in for one that is not there", () => {
    const cache = createBitmapCache<ReturnType<typeof bitmap>>(1e9);
    const [small, large] = [bitmap(100), bitmap(400)];
    cache.put(1, 100, small);
    cache.put(1, 400, large);
    cache.put(2, 350, bitmap(350));
    expect(cache.nearest(1, 350)).toBe(large);
    expect(cache.nearest(3, 350)).toBeNull();
    cache.clear();
    expect(small.close).toHaveBeenCalledOnce();
    expect(cache.bytes()).toBe(0);
  });
});

describe("the column of pages", () => {
  const pages = Array.from({ length: 2415 }, (_, index) => ({
    page: index + 1,
    characters: 1,
    flags: [],
    tokens: null,
    width: index === 7 ? 842 : 595,
    height: index === 7 ? 595 : 842,
  }));

  test("knows which page lies where", () => {
    const layout = layOutPages(pages, 1);
    expect(layout.width).toBe(Math.round((842 * 96) / 72));
    expect(pageIndexAt(layout, 0)).toBe(0);
    expect(pageIndexAt(layout, (layout.tops[1200] ?? 0) + 5)).toBe(1200);
    expect(pageIndexAt(layout, (layout.tops[1200] ?? 0) - pageGap)).toBe(1200);
    expect(pageIndexAt(layout, (layout.tops[1200] ?? 0) - pageGap - 1)).toBe(1199);
    expect(pageIndexAt(layout, layout.height * 2)).toBe(2414);
  });

  test("keeps its place when the scale changes", () => {
    const before = layOutPages(pages, 1);
    const after = layOutPages(pages, 4);
    const anchor = anchorAt(before, (before.tops[700] ?? 0) + (before.heights[700] ?? 0) / 2);
    expect(anchor).toEqual({ index: 700, fraction: 0.5 });
    expect(offsetOf(after, anchor)).toBe((after.tops[700] ?? 0) + (after.heights[700] ?? 0) / 2);
  });
});

describe("zoom", () => {
  test("goes in steps from any scale and stays between 50 and 400 %", () => {
    expect(nextZoom(1, 1)).toBe(1.1);
    expect(nextZoom(0.84, 1)).toBe(0.9);
    expect(nextZoom(0.84, -1)).toBe(0.75);
    expect(nextZoom(4, 1)).toBe(4);
    expect(nextZoom(0.5, -1)).toBe(0.5);
    expect(fixedZoom(9)).toEqual({ kind: "fixed", scale: 4 });
    expect(scaleForWidth(600, 800)).toBe(1);
  });
});

describe("text over a page", () => {
  /** Characters of 10 points' width in a row; a space has no place. */
  function line(text: string, left: number, top: number, step = 10): number[] {
    return [...text].flatMap((character, index) =>
      character === " " || character === "\n"
        ? [0, 0, 0, 0]
        : [left + Math.min(index * step, index * step + step), top, left + Math.max(index * step, index * step + step), top + 12],
    );
  }

  test("joins the characters of a line with the spaces between them, and starts anew on the next", () => {
    const boxes = Float32Array.from([...line("two words\n", 20, 100), ...line("next", 20, 120)]);
    expect(textRunsOf({ text: "two words\nnext", boxes })).toMatchObject([
      { start: 0, text: "two words\n", left: 20, top: 100, width: 90, height: 12 },
      { start: 10, text: "next", left: 20, top: 120, width: 40 },
    ]);
  });

  test("does not reach across the gap between two columns", () => {
    const boxes = Float32Array.from([...line("left", 20, 100), ...line("right", 300, 100)]);
    expect(textRunsOf({ text: "leftright", boxes }).map((run) => run.text)).toEqual(["left", "right"]);
  });

  test("keeps a line that runs from right to left in one piece", () => {
    const boxes = Float32Array.from(line("שלום", 300, 100, -10));
    expect(textRunsOf({ text: "שלום", boxes })).toMatchObject([{ text: "שלום", left: 260 + 0, width: 40 }]);
  });
});
