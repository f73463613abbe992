import { describe, expect, it } from "vitest";
import { linesOf } from "../../../electron/contract/boxes.ts";

const unit = (left: number, top: number, height = 10) => [left, top, left + 5, top + height];

describe("linesOf", () => {
  it("has a box for each line, leaving out what has no place of its own", () => {
    const boxes = Float32Array.from([...unit(0, 0), ...unit(5, 1), 0, 0, 0, 0, ...unit(0, 20), ...unit(5, 20)]);
    expect(linesOf(boxes, 0, 5)).toEqual([
      { left: 0, top: 0, right: 10, bottom: 11 },
      { left: 0, top: 20, right: 10, bottom: 30 },
    ]);
    expect(linesOf(boxes, 2, 3)).toEqual([]);
  });

  it("keeps lines apart whose boxes overlap, and a raised number with its line", () => {
    const boxes = Float32Array.from([...unit(200, 0, 14), ...unit(0, 12, 14), ...unit(5, 10, 6)]);
    expect(linesOf(boxes, 0, 3)).toEqual([
      { left: 200, top: 0, right: 205, bottom: 14 },
      { left: 0, top: 10, right: 10, bottom: 26 },
    ]);
  });
});
