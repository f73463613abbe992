import { describe, expect, it } from "vitest";
import { paintMarks } from "../../../../electron/cli/heatmap/marks.ts";
import type { Cell } from "../../../../electron/engine/export/passages.ts";

const size = { width: 40, height: 40 };

/** A white page with one black dot, and a text of two lines of two units, each of ten points' square. */
function paint(cells: readonly Cell[], text = "ab\ncd") {
  const data = new Uint8Array(3 * size.width * size.height).fill(255);
  data.fill(0, 3 * (5 * size.width + 5), 3 * (5 * size.width + 6));
  const boxes = Float32Array.of(0, 0, 10, 10, 10, 0, 20, 10, 0, 0, 0, 0, 0, 15, 10, 25, 10, 15, 20, 25);
  paintMarks(
    { data, ...size },
    { text: "ab\ncd", boxes },
    { kind: "page", documentId: null, page: 1, text, cells },
    { shadeOf: ({ score }) => score, layerHeads: 4, pixelsPerPoint: 1 },
  );
  return (x: number, y: number) => [...data.subarray(3 * (y * size.width + x), 3 * (y * size.width + x) + 3)];
}
const cell = (start: number, end: number, score: number, kept = 0, always = false): Cell => ({
  start,
  end,
  token: 0,
  tokens: 1,
  score,
  kept,
  always,
});
const white = [255, 255, 255];

describe("paintMarks", () => {
  it("shades a token's characters on each of its lines and nothing else, and leaves ink black", () => {
    const at = paint([cell(1, 4, 6)]);
    const shaded = at(15, 5);
    expect(shaded).not.toEqual(white);
    expect([at(5, 20), at(15, 5)]).toEqual([shaded, shaded]);
    expect([at(4, 4), at(15, 20), at(15, 12), at(25, 5)]).toEqual([white, white, white, white]);
    const inked = paint([cell(0, 1, 6)]);
    expect([inked(5, 5), inked(6, 5)]).toEqual([[0, 0, 0], shaded]);
  });

  it("shades darker with the score", () => {
    const sums = [1, 2, 3, 4, 5, 6].map((score) => paint([cell(0, 1, score)])(1, 1).reduce((sum, value) => sum + value, 0));
    expect(sums).toEqual([...sums].sort((one, other) => other - one));
    expect(new Set(sums).size).toBe(6);
  });

  it("hatches what is always kept in grey, whatever its score", () => {
    const at = paint([cell(0, 1, 6, 0, true)]);
    const row = Array.from({ length: 6 }, (_, x) => at(x, 1));
    expect(new Set(row.map((colour) => colour.join())).size).toBe(2);
    for (const [red, green, blue] of row) expect([green, blue]).toEqual([red, red]);
    // Slanted: the next row is the same, moved by one.
    expect(Array.from({ length: 5 }, (_, x) => at(x, 2))).toEqual(row.slice(1));
  });

  it("underlines what is kept: dotted, thin, thick", () => {
    const rows = (kept: number) =>
      [10, 11, 12].map((y) => Array.from({ length: 10 }, (_, x) => (paint([cell(0, 1, 0, kept)])(x, y)[0] === 255 ? "." : "#")).join(""));
    expect(rows(0)).toEqual(["..........", "..........", ".........."]);
    expect(rows(1)).toEqual(["##..##..##", "..........", ".........."]);
    expect(rows(2)).toEqual(["##########", "..........", ".........."]);
    expect(rows(3)).toEqual(["##########", "##########", ".........."]);
  });

  it("paints nothing where the text is another one, or beyond the page", () => {
    expect(paint([cell(0, 1, 6)], "xy\ncd")(1, 1)).toEqual(white);
    const data = new Uint8Array(3 * 4).fill(255);
    const passage = { kind: "page", documentId: null, page: 1, text: "a", cells: [cell(0, 1, 6, 4)] } as const;
    const huge = { text: "a", boxes: Float32Array.of(-50, -50, 1e9, 1e9) };
    paintMarks({ data, width: 2, height: 2 }, huge, passage, { shadeOf: ({ score }) => score, layerHeads: 4, pixelsPerPoint: 2 });
    expect(new Set(data).size).toBeGreaterThan(1);
  });
});
